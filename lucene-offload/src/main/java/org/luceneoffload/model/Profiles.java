/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The profiles that come with the library, and those of users' own files. */
public final class Profiles {
  private static final List<String> NAMES =
      List.of(
          "smart-ssd-sas", "smart-ssd-sas-2013", "cosmos-openssd", "summarizer-board", "pcie5-csd");

  private Profiles() {}

  /** Returns the names of the profiles that come with the library. */
  public static List<String> names() {
    return NAMES;
  }

  /** Returns whether that is the name of a profile, or of a file that may hold one. */
  public static boolean isOne(String nameOrFile) {
    return NAMES.contains(nameOrFile) || nameOrFile.endsWith(".json");
  }

  /**
   * Reads a profile.
   *
   * @param nameOrFile one of {@link #names}, or a path that ends in {@code .json}
   * @throws ProfileException if there is none, or if it is not complete and plausible
   */
  public static DeviceProfile load(String nameOrFile) throws IOException {
    if (NAMES.contains(nameOrFile)) {
      DeviceProfile profile = read(builtIn(nameOrFile), nameOrFile);
      if (!profile.name().equals(nameOrFile)) {
        throw new ProfileException(
            "profile " + nameOrFile + ": its file gives it the name " + profile.name());
      }
      return profile;
    } else if (!isOne(nameOrFile)) {
      throw new ProfileException(
          "unknown profile '"
              + nameOrFile
              + "'; expected one of "
              + String.join(", ", NAMES)
              + ", or a path that ends in .json");
    }
    Path file = Path.of(nameOrFile);
    if (!Files.isRegularFile(file)) {
      throw new ProfileException(
          "profile "
              + nameOrFile
              + (Files.isDirectory(file) ? ": a folder, not a file" : ": there is no such file"));
    }
    String json;
    try {
      json = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new ProfileException("profile " + nameOrFile + ": not UTF-8", e);
    }
    return read(json, nameOrFile);
  }

  /**
   * Reads a profile from its text.
   *
   * @param json the text
   * @param where what to call it in errors
   */
  public static DeviceProfile read(String json, String where) throws ProfileException {
    return ProfileReader.read(json, where);
  }

  /** Returns the text of a profile, which {@link #read} reads again. */
  public static String write(DeviceProfile profile) {
    return ProfileWriter.json(profile);
  }

  /**
   * Returns a profile with some numbers changed. Its name ends in {@code *}, so that it is not
   * taken for the one that it was made from.
   *
   * @param changes new values by {@link ProfileField#path}
   * @param source where they come from
   * @throws ProfileException naming each that is unknown, absurd or at odds with another, and why
   */
  public static DeviceProfile change(
      DeviceProfile profile, Map<String, Long> changes, String source) throws ProfileException {
    return ProfileReader.change(profile, changes, source);
  }

  private static String builtIn(String name) throws IOException {
    try (InputStream in = Profiles.class.getResourceAsStream("profiles/" + name + ".json")) {
      if (in == null) {
        throw new ProfileException("profile " + name + ": its file is missing from the library");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
