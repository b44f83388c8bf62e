/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar that somebody has signed, and somebody else changed: the JVM refuses what was changed. */
class TestSignedJar {
  private static final String PASSWORD = "changeit";

  @TempDir private Path temp;

  /** A class of the jar. */
  public static final class Home {}

  private static String library() {
    return "org/luceneoffload/native/" + Platform.here() + "/" + System.mapLibraryName("signed");
  }

  private void run(String tool, String... arguments) throws Exception {
    Path program = Path.of(System.getProperty("java.home"), "bin", tool);
    assumeTrue(Files.isExecutable(program), program + " is missing");
    List<String> command =
        Stream.concat(Stream.of(program.toString()), Stream.of(arguments)).toList();
    Path log = temp.resolve(tool + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertEquals(0, process.waitFor(), () -> tool + " failed: " + log);
  }

  private Path jar() throws Exception {
    Path jar = temp.resolve("signed.jar");
    String name = Home.class.getName().replace('.', '/') + ".class";
    try (FileSystem files = FileSystems.newFileSystem(jar, java.util.Map.of("create", "true"));
        InputStream home = Home.class.getClassLoader().getResourceAsStream(name)) {
      for (String entry : List.of(name, library())) {
        Files.createDirectories(files.getPath(entry).getParent());
      }
      Files.copy(home, files.getPath(name));
      Files.writeString(files.getPath(library()), "no library");
    }
    String store = temp.resolve("keys").toString();
    run(
        "keytool",
        "-genkeypair",
        "-keystore",
        store,
        "-storepass",
        PASSWORD,
        "-alias",
        "key",
        "-keyalg",
        "EC",
        "-dname",
        "CN=test");
    run("jarsigner", "-keystore", store, "-storepass", PASSWORD, jar.toString(), "key");
    return jar;
  }

  private static URLClassLoader loader(Path jar) throws Exception {
    return new URLClassLoader(
        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }

  private static String failure(Path jar) throws Exception {
    try (URLClassLoader loader = loader(jar)) {
      Class<?> home = loader.loadClass(Home.class.getName());
      NativeLibrary library =
          new NativeLibrary("signed", "no.such.property", home, () -> 0, () -> "");
      return assertThrows(IllegalStateException.class, library::load).getMessage();
    }
  }

  @Test
  void aChangedLibraryIsNamedAndNotLoaded() throws Exception {
    Path jar = jar();
    try (URLClassLoader loader = loader(jar);
        InputStream in = loader.getResourceAsStream(library())) {
      assertEquals("no library", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
    try (FileSystem files = FileSystems.newFileSystem(jar)) {
      Files.writeString(files.getPath(library()), "another one");
    }
    String changed = failure(jar);
    assertTrue(
        changed.startsWith(
            "the native library /"
                + library()
                + " was changed after the jar that has it was signed: "),
        changed);
  }
}
