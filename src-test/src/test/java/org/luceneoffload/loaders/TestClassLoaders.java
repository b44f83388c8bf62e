/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.loaders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.natives.Platform;
import org.luceneoffload.sim.NativeLoader;

/** Applications with this library are loaded and dropped; their class loaders go, as stock's do. */
class TestClassLoaders {
  private static final int LOADERS = QuickRun.times(2, 4);

  @TempDir Path temp;

  private List<String> run(Class<?> application, int atOnce, String... options) throws Exception {
    String launcher = LoaderChild.class.getName().replace('.', '/') + ".class";
    Path copy = temp.resolve("server").resolve(launcher);
    Path classes =
        Path.of(LoaderChild.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.createDirectories(copy.getParent());
    if (Files.notExists(copy)) {
      Files.copy(classes.resolve(launcher), copy);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1"); // it lives too briefly for more
    // The JDK's own soft caches, such as that of what compares records, go at once.
    command.add("-XX:SoftRefLRUPolicyMSPerMB=0");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", temp.resolve("server").toString(), LoaderChild.class.getName()));
    command.add(System.getProperty("java.class.path"));
    command.add(application.getName());
    command.add(Files.createTempDirectory(temp, "indexes").toString());
    command.addAll(List.of("" + LOADERS, "" + atOnce));
    Path errors = Files.createTempFile(temp, "errors", ".txt");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output + Files.readString(errors));
    return output.lines().filter(line -> line.startsWith("> ")).map(l -> l.substring(2)).toList();
  }

  private static int left(List<String> said) {
    return Integer.parseInt(said.get(LOADERS).replace("loaders left ", ""));
  }

  private void assertGone(String... options) throws Exception {
    List<String> stock = run(LoadedApplication.Stock.class, 1, options);
    List<String> ours = run(LoadedApplication.Offloading.class, 1, options);
    assertEquals(Collections.nCopies(LOADERS, "matches 67"), stock.subList(0, LOADERS));
    assertEquals(
        Collections.nCopies(LOADERS, "matches 67 on the device"), ours.subList(0, LOADERS));
    assertTrue(left(ours) <= left(stock), "ours " + ours + ", stock " + stock);
    assertTrue(left(ours) < LOADERS, ours.toString());
  }

  @Test
  void areCollected() throws Exception {
    assertGone();
  }

  @Test
  void areCollectedWhileARecordingRuns() throws Exception {
    assertGone("-XX:StartFlightRecording:filename=" + temp.resolve("all.jfr"));
  }

  /** The library in the jar is unpacked once for each. */
  @Test
  void severalAtOnceWithTheLibraryInTheJar() throws Exception {
    assertEquals(
        Collections.nCopies(LOADERS, "matches 67 on the device"),
        run(LoadedApplication.Offloading.class, LOADERS).subList(0, LOADERS));
  }

  /** The JVM loads a file of native code for one class loader at a time. */
  @Test
  void severalAtOnceWithOneFile() throws Exception {
    Path library = temp.resolve("one.so");
    try (InputStream in = NativeLoader.class.getResourceAsStream(resource())) {
      Files.copy(in, library); // from a folder or from a jar, as the build has it
    }
    List<String> said =
        run(
            LoadedApplication.Offloading.class,
            LOADERS,
            "-D" + NativeLoader.LIBRARY_PROPERTY + "=" + library);
    assertEquals("matches 67 on the device", said.get(0));
    assertEquals(
        Collections.nCopies(LOADERS - 1, "matches 67 on the host"), said.subList(1, LOADERS));
  }

  private static String resource() {
    return "/org/luceneoffload/native/"
        + Platform.here()
        + "/"
        + System.mapLibraryName("luceneoffload");
  }
}
