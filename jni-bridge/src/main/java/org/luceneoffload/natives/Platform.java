/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a native library is made for: a system, a processor and, on Linux, a C library.
 *
 * @param name such as {@code linux-x86_64-gnu}, {@code linux-aarch64-musl} or {@code
 *     macos-aarch64}; the name of the library's folder in the jar
 */
public record Platform(String name) {
  /** Where Linux lists what this process has loaded. */
  static final Path MAPS = Path.of("/proc/self/maps");

  /** The file of musl in such a line: its loader is the C library itself. */
  private static final Pattern MUSL = Pattern.compile("/(ld-musl-|libc\\.musl-)[^/]*$");

  /** Returns the platform of this JVM. */
  public static Platform here() {
    return of(System::getProperty, MAPS);
  }

  /**
   * Returns the platform of a JVM.
   *
   * @param properties its system properties
   * @param maps what its process has loaded, as Linux lists it; if it is absent, the C library is
   *     taken to be glibc
   */
  static Platform of(UnaryOperator<String> properties, Path maps) {
    String os = properties.apply("os.name").toLowerCase(Locale.ROOT);
    String arch = properties.apply("os.arch").toLowerCase(Locale.ROOT);
    String osName = os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
    String archName =
        switch (arch) {
          case "amd64", "x86-64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> arch;
        };
    String libc = !osName.equals("linux") ? "" : isMusl(maps) ? "-musl" : "-gnu";
    return new Platform(osName + "-" + archName + libc);
  }

  private static boolean isMusl(Path maps) {
    // Paths may hold any bytes.
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> MUSL.matcher(line).find());
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /** Returns, as the beginning of a sentence, that no library for this platform was found. */
  String lacksLibrary() {
    return name.startsWith("windows-")
        ? "lucene-offload has no native library for Windows, where the host answers"
        : "no native library of lucene-offload for " + name + " was found";
  }

  @Override
  public String toString() {
    return name;
  }
}
