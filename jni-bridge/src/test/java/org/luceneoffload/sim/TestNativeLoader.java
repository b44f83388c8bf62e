/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.natives.Platform;

/** Where the native library comes from, and what is said when it does not come. */
class TestNativeLoader {
  private static final String NAME = System.mapLibraryName("luceneoffload");

  @TempDir Path folder;

  /** Loads the library in a JVM of its own; its main method prints what came of it. */
  static final class Child {
    public static void main(String[] args) {
      try {
        NativeLoader.load();
        System.out.println("loaded");
      } catch (IllegalStateException first) {
        try {
          NativeLoader.load();
        } catch (IllegalStateException second) {
          System.out.println(first.getMessage().equals(second.getMessage()) ? "failed" : "changed");
        }
        System.out.println(first.getMessage());
      }
    }
  }

  private static String child(String classPath, String... properties) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(properties));
    command.addAll(List.of("-cp", classPath, Child.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    // The JVM itself may warn before: of a library of another make, or of a folder that is absent.
    return output
        .lines()
        .dropWhile(line -> !List.of("loaded", "failed", "changed").contains(line))
        .collect(Collectors.joining("\n"));
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private Path unpack(Path to) throws IOException {
    String resource = "/org/luceneoffload/native/" + Platform.here() + "/" + NAME;
    try (InputStream in = NativeLoader.class.getResourceAsStream(resource)) {
      Files.createDirectories(to.getParent());
      Files.copy(in, to);
    }
    return to;
  }

  @Test
  void thePackagedLibraryLoadsAndItsCopyIsDeleted() throws Exception {
    assertEquals("loaded", child(classPath(), "-Djava.io.tmpdir=" + folder).strip());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.filter(p -> p.toString().contains("lucene-offload")).toList());
    }
  }

  @Test
  void anExplicitPathIsLoaded() throws Exception {
    Path library = unpack(folder.resolve("my.so"));
    // Nowhere to unpack to: the packaged copy cannot have been the one.
    assertEquals(
        "loaded",
        child(
                classPath(),
                "-Dorg.luceneoffload.library=" + library,
                "-Djava.io.tmpdir=" + folder.resolve("missing"))
            .strip());
  }

  @Test
  void aWrongExplicitPathFailsWithoutFallback() throws Exception {
    String output = child(classPath(), "-Dorg.luceneoffload.library=/no/such/library.so");
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains("/no/such/library.so"), output);
    assertTrue(output.contains("org.luceneoffload.library"), output);
  }

  @Test
  void aLibraryOfAnotherMakeIsRefused() throws Exception {
    Path junk = Files.writeString(folder.resolve("junk.so"), "no library");
    String output = child(classPath(), "-Dorg.luceneoffload.library=" + junk);
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains(junk.toString()), output);

    Path other = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("net"));
    output = child(classPath(), "-Dorg.luceneoffload.library=" + other);
    assertTrue(output.contains("no library of lucene-offload"), output);
  }

  @Test
  void aLibraryOfAnotherVersionIsNamed() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("org/luceneoffload/natives"));
    Files.writeString(classes.resolve("build.properties"), "version=0.0.1-other");
    String output = child(folder + File.pathSeparator + classPath());
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains(" is of version "), output);
    assertTrue(output.endsWith(", these classes are of 0.0.1-other"), output);
  }

  @Test
  void theLibraryPathComesBeforeTheJar() throws Exception {
    Path junk = folder.resolve("lib").resolve(NAME);
    Files.createDirectories(junk.getParent());
    Files.writeString(junk, "no library");
    String output = child(classPath(), "-Djava.library.path=/nowhere:" + junk.getParent());
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains(junk.toString()), output);

    Files.delete(junk);
    unpack(junk);
    output =
        child(
            classPath(),
            "-Djava.library.path=/nowhere:" + junk.getParent(),
            "-Djava.io.tmpdir=" + folder.resolve("missing"));
    assertEquals("loaded", output.strip());
  }

  @Test
  void withoutALibraryTheMessageNamesEverythingSought() throws Exception {
    String output = child(classPath(), "-Djava.library.path=/one:/two", "-Dos.arch=sparc64");
    assertTrue(output.startsWith("failed"), output);
    for (String part : List.of("/one/" + NAME, "/two/" + NAME, "for linux-sparc64-", "/" + NAME)) {
      assertTrue(output.contains(part), part + " in " + output);
    }
  }

  @Test
  void onWindowsItSaysThatTheHostAnswers() throws Exception {
    String output = child(classPath(), "-Dos.name=Windows 11");
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains("for Windows, where the host answers; sought: "), output);
    assertTrue(output.contains("native/windows-"), output);
  }

  @Test
  void anUnwritableTemporaryFolderIsNamed() throws Exception {
    String output = child(classPath(), "-Djava.io.tmpdir=/no/such/folder");
    assertTrue(output.startsWith("failed"), output);
    assertTrue(output.contains("/no/such/folder"), output);
  }

  @Test
  void findsNothingWhereNothingIs() {
    List<String> sought = new ArrayList<>();
    Map<String, String> properties =
        Map.of("java.library.path", folder + File.pathSeparator + "/nowhere");
    assertNull(NativeLoader.LIBRARY.find(properties::get, sought));
    assertEquals(2, sought.size());
  }

  @Test
  void loadingTwiceIsHarmless() {
    assertDoesNotThrow(NativeLoader::load);
    assertDoesNotThrow(NativeLoader::load);
    assertThrows(
        IllegalStateException.class,
        () -> NativeLoader.LIBRARY.find(p -> "/no/such", new ArrayList<>()));
  }
}
