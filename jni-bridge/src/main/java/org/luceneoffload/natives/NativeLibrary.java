/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.luceneoffload.wire.OffloadWire;

/**
 * A native library, loaded once for each class loader.
 *
 * <p>The first of these that exists is loaded, and if it cannot be, loading fails; there is no
 * quiet way from a broken one to the next:
 *
 * <ol>
 *   <li>the file that a system property of the library names, if it is set;
 *   <li>the library in a folder of {@code java.library.path};
 *   <li>the copy in the jar, {@code org/luceneoffload/native/<platform>/} with a {@link Platform},
 *       unpacked to a temporary folder and deleted as soon as it is loaded.
 * </ol>
 */
public final class NativeLibrary {
  private static final String RESOURCES = "/org/luceneoffload/native/";

  private final String name;
  private final String property;
  private final Class<?> home;
  private final IntSupplier wireVersion;
  private final Supplier<String> version;
  private boolean loaded;
  private String failure;

  /**
   * Describes a library; loads nothing.
   *
   * @param name its name, without what the platform puts around it
   * @param property the system property that may hold its path
   * @param home a class in the jar that holds its packaged copies
   * @param wireVersion a native function of the library that returns its wire version
   * @param version one that returns the project's version that it was built from, or ""
   */
  public NativeLibrary(
      String name,
      String property,
      Class<?> home,
      IntSupplier wireVersion,
      Supplier<String> version) {
    this.name = name;
    this.property = property;
    this.home = home;
    this.wireVersion = wireVersion;
    this.version = version;
  }

  /**
   * Loads the library unless it is loaded.
   *
   * @throws IllegalStateException if that fails, now or before; the message names what was sought
   */
  public synchronized void load() {
    if (!loaded && failure == null) {
      try {
        load(System::getProperty);
        loaded = true;
      } catch (IllegalStateException e) {
        failure = e.getMessage();
        throw e;
      }
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private void load(UnaryOperator<String> properties) {
    List<String> sought = new ArrayList<>();
    Path file = find(properties, sought);
    if (file != null) {
      loadFile(file, sought.get(sought.size() - 1));
    } else {
      Platform platform = Platform.of(properties, Platform.MAPS);
      if (!loadPackaged(platform, sought)) {
        throw new IllegalStateException(
            platform.lacksLibrary() + "; sought: " + String.join("; ", sought));
      }
    }
  }

  /**
   * Finds the library outside the jar.
   *
   * @param properties the system properties
   * @param sought gets what was looked at, the file that is returned last
   * @return the file, or null if the packaged copy is to be used
   * @throws IllegalStateException if the library's property names no file
   */
  public Path find(UnaryOperator<String> properties, List<String> sought) {
    String explicit = properties.apply(property);
    if (explicit != null) {
      sought.add(explicit + " (system property " + property + ")");
      Path file;
      try {
        file = Path.of(explicit).toAbsolutePath();
      } catch (InvalidPathException e) {
        throw new IllegalStateException("no native library: " + sought.get(0) + " is no path", e);
      }
      if (!Files.isRegularFile(file)) {
        throw new IllegalStateException("no native library: " + sought.get(0) + " is no file");
      }
      return file;
    }
    String fileName = System.mapLibraryName(name);
    String folders = properties.apply("java.library.path");
    if (folders != null) {
      for (String folder : folders.split(java.io.File.pathSeparator)) {
        if (folder.isEmpty()) {
          continue;
        }
        Path file = Path.of(folder).resolve(fileName).toAbsolutePath();
        sought.add(file + " (java.library.path)");
        if (Files.isRegularFile(file)) {
          return file;
        }
      }
    }
    return null;
  }

  private boolean loadPackaged(Platform platform, List<String> sought) {
    String resource = RESOURCES + platform + "/" + System.mapLibraryName(name);
    sought.add(resource + " (in the jar)");
    try (InputStream in = home.getResourceAsStream(resource)) {
      if (in == null) {
        return false;
      }
      Path folder = Files.createTempDirectory("lucene-offload-");
      Path file = folder.resolve(System.mapLibraryName(name));
      try {
        Files.copy(in, file);
        loadFile(
            file,
            resource + " unpacked to " + file + " (system property java.io.tmpdir moves that)");
      } finally {
        delete(file);
        delete(folder);
      }
      return true;
    } catch (SecurityException e) {
      throw new IllegalStateException(
          "the native library "
              + resource
              + " was changed after the jar that has it was signed: "
              + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot unpack the native library "
              + resource
              + " to a temporary folder (system property java.io.tmpdir): "
              + e,
          e);
    }
  }

  /** Deletes now, or, where a loaded library cannot be deleted, at the end of the JVM. */
  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      path.toFile().deleteOnExit();
    }
  }

  private void loadFile(Path file, String source) {
    int wire;
    String built;
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalStateException(
          "cannot load the native library " + source + ": " + e.getMessage(), e);
    }
    try {
      wire = wireVersion.getAsInt();
      built = version.get();
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalStateException(
          source + " is no library of lucene-offload, or one of another version", e);
    }
    if (wire != OffloadWire.VERSION) {
      throw new IllegalStateException(
          "the native library "
              + source
              + " speaks wire version "
              + wire
              + ", these classes speak "
              + OffloadWire.VERSION);
    }
    String ours = versionOfClasses();
    if (!built.isEmpty() && !ours.isEmpty() && !built.equals(ours)) {
      throw new IllegalStateException(
          "the native library "
              + source
              + " is of version "
              + built
              + ", these classes are of "
              + ours);
    }
  }

  /** Returns the project's version of these classes; "" in a build that has not written it. */
  private static String versionOfClasses() {
    Properties build = new Properties();
    try (InputStream in = NativeLibrary.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      return ""; // what it is compared with is checked by its wire version
    }
    return build.getProperty("version", "");
  }
}
