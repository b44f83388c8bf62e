/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.store.volume.Volume;

/** The indexes on the volume of a node. */
public final class NodeIndexes {
  private static final char SEPARATOR = '/';

  /** User of the volume, so that files are not taken for ones that nothing names. */
  private static final String USER = "indexes";

  /**
   * An index on a node.
   *
   * @param name its name
   * @param files how many of Lucene's files it has, stubs of images included
   * @param bytes of these files; those of its images are not part of it
   */
  public record Summary(String name, int files, long bytes) {}

  private NodeIndexes() {}

  static String volumeName(String index, String file) {
    return index + SEPARATOR + file;
  }

  static boolean isFileOf(String index, String volumeName) {
    return volumeName.length() > index.length() + 1
        && volumeName.startsWith(index)
        && volumeName.charAt(index.length()) == SEPARATOR;
  }

  /** Notes that an index is there, for good; it need not have files. */
  static void note(Volume volume, String index) throws IOException {
    volume.addUser(USER);
    if (!volume.exists(marker(index))) {
      try {
        volume.tryCreateInline(marker(index), new byte[0]);
      } catch (FileAlreadyExistsException e) {
        // Another thread that writes to the index has noted it meanwhile.
      }
    }
  }

  private static String marker(String index) {
    return index + SEPARATOR;
  }

  /** Returns all indexes, by name. */
  public static List<Summary> list(Volume volume) throws IOException {
    volume.refresh();
    Map<String, Summary> found = new TreeMap<>();
    for (String name : volume.list()) {
      int end = name.indexOf(SEPARATOR);
      if (end > 0) {
        String index = name.substring(0, end);
        boolean marker = end == name.length() - 1;
        Summary file = new Summary(index, marker ? 0 : 1, volume.length(name));
        found.merge(
            index,
            file,
            (a, b) -> new Summary(index, a.files() + b.files(), a.bytes() + b.bytes()));
      }
    }
    return new ArrayList<>(found.values());
  }

  /** Returns whether an index is there, empty or not. */
  public static boolean exists(Volume volume, String index) throws IOException {
    return list(volume).stream().anyMatch(summary -> summary.name().equals(index));
  }

  /** Makes an empty index, durably. The volume is writable. */
  public static void create(Volume volume, String index) throws IOException {
    note(volume, NodeName.checkIndex(index));
    volume.sync();
  }

  /**
   * Takes away what says that an index is there, once its files are gone, and makes it durable. The
   * volume is writable.
   */
  public static void forget(Volume volume, String index) throws IOException {
    if (volume.exists(marker(index))) {
      volume.delete(marker(index));
    }
    volume.sync();
  }
}
