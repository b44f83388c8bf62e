/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM's properties and its process say about the native library that it needs. */
class TestPlatform {
  private static final String GLIBC =
      "7f1c0000-7f1d0000 r-xp 00000000 fe:00 11  /usr/lib/x86_64-linux-gnu/libc.so.6\n";
  private static final String MUSL =
      "7f1c0000-7f1d0000 r-xp 00000000 fe:00 11  /lib/ld-musl-x86_64.so.1\n";

  @TempDir Path folder;

  @Test
  void systemsAndProcessorsHaveOneNameEach() throws IOException {
    assertEquals("linux-x86_64-gnu", name("Linux", "amd64", GLIBC));
    assertEquals("linux-aarch64-gnu", name("Linux", "aarch64", GLIBC));
    assertEquals("macos-aarch64", name("Mac OS X", "aarch64", GLIBC));
    assertEquals("macos-aarch64", name("Mac OS X", "arm64", MUSL));
    assertEquals("macos-x86_64", name("Mac OS X", "x86_64", GLIBC));
    assertEquals("windows-x86_64", name("Windows 11", "amd64", MUSL));
    assertEquals("linux-riscv64-gnu", name("Linux", "riscv64", GLIBC));
  }

  @Test
  void theCLibraryIsWhatTheProcessHasLoaded() throws IOException {
    assertEquals("linux-x86_64-musl", name("Linux", "amd64", GLIBC + MUSL));
    assertEquals(
        "linux-aarch64-musl", name("Linux", "aarch64", "7f00-7f01 r /lib/libc.musl-aarch64.so.1"));
    assertEquals(
        "linux-x86_64-gnu", name("Linux", "amd64", "7f00-7f01 r /opt/ld-musl-x86_64/other.so\n"));
    assertEquals("linux-x86_64-gnu", name("Linux", "amd64", "\u00FF\u0080\n" + GLIBC));
    assertEquals(
        "linux-x86_64-gnu",
        Platform.of(properties("Linux", "amd64")::get, folder.resolve("none")).name());
  }

  @Test
  void whatIsMissingIsNamed() {
    assertTrue(
        new Platform("linux-s390x-gnu").lacksLibrary().contains("linux-s390x-gnu was found"));
    assertTrue(new Platform("windows-x86_64").lacksLibrary().contains("the host answers"));
  }

  private String name(String os, String arch, String maps) throws IOException {
    Path file =
        Files.write(
            folder.resolve("maps"), maps.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    return Platform.of(properties(os, arch)::get, file).name();
  }

  private static Map<String, String> properties(String os, String arch) {
    return Map.of("os.name", os, "os.arch", arch);
  }
}
