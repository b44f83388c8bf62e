/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Devices;

/** Each example, from its entry to what it prints. */
class TestExamples {
  private static final Path CSD_TARGET =
      Path.of("..", "device-sim", "target", "cmake", "csd-target", "csd-target");

  @TempDir Path folder;

  /** An entry of a program. */
  private interface Program {
    void main(String[] args) throws IOException;
  }

  private static List<String> run(Program program, String argument) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.main(new String[] {argument});
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> run(Program program) throws IOException {
    return run(program, folder.toString());
  }

  /** Without it all examples but the one of a node would pass on the host alone. */
  @Test
  void theDeviceIsThere() {
    assertNull(Devices.provider("sim").unavailableReason());
  }

  @Test
  void threeLines() throws IOException {
    assertEquals(List.of("a fast engine"), run(ThreeLines::main));
    assertTrue(Files.exists(folder.resolve("offload.vol")));
  }

  @Test
  void nearRealTime() throws IOException {
    assertEquals(List.of("open: 1", "open: 2"), run(NearRealTime::main));
  }

  @Test
  void ownDirectory() throws IOException {
    assertEquals(List.of("open: 1"), run(OwnDirectory::main));
    assertTrue(Files.exists(folder.resolve("offload.vol")));
    assertTrue(Files.notExists(folder.resolve("segments_1")), "in memory");
  }

  @Test
  void ownSearcher() throws IOException {
    assertEquals(List.of("open: 1"), run(OwnSearcher::main));
  }

  @Test
  void filterSortAggregateFacet() throws IOException {
    assertEquals(
        List.of(
            "bolt 7",
            "acme 3",
            "matches 10, sum of prices 550",
            "latest 1",
            "dim=price path=[] value=10 childCount=2",
            "  cheap (5)",
            "  dear (5)",
            "dim=brand path=[] value=10 childCount=2",
            "  bolt (7)",
            "  acme (3)"),
        run(FilterSortAggregateFacet::main).stream().filter(line -> !line.isBlank()).toList());
  }

  @Test
  void importAndDetach() throws IOException {
    assertEquals(
        List.of("1 lists, left out: []", "open: 3", "store removed: true"),
        run(ImportAndDetach::main));
  }

  @Test
  void springBoot() throws IOException {
    assertEquals(List.of("open: 1"), run(SpringBoot::main));
    assertTrue(Files.exists(folder.resolve("offload.vol")));
  }

  /** The profile "full" compiles it. */
  @Test
  void inKotlin() throws Exception {
    Method main;
    try {
      main =
          Class.forName("org.luceneoffload.examples.InKotlinKt").getMethod("main", String[].class);
    } catch (ClassNotFoundException e) {
      assumeTrue(false, "not compiled: mvn -Pfull does it");
      return;
    }
    Program program =
        args -> {
          try {
            main.invoke(null, (Object) args);
          } catch (ReflectiveOperationException e) {
            throw new IOException(e);
          }
        };
    assertEquals(List.of("3 prices, sum 6"), run(program));
  }

  @Test
  void storageNode() throws Exception {
    assumeTrue(Files.isExecutable(CSD_TARGET), "no " + CSD_TARGET + ": device-sim is not built");
    Process process =
        new ProcessBuilder(
                CSD_TARGET.toString(),
                "--store",
                folder.resolve("csd.vol").toString(),
                "--port",
                "0",
                "--log-level",
                "error")
            .redirectError(folder.resolve("csd.log").toFile())
            .start();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      assertNotNull(line, "csd-target did not start, see " + folder.resolve("csd.log"));
      Matcher port = Pattern.compile(" port (\\d+)").matcher(line);
      assertTrue(port.find(), line);
      assertEquals(List.of("open: 1"), run(StorageNode::main, "127.0.0.1:" + port.group(1)));
    } finally {
      process.destroy();
      process.waitFor();
    }
  }
}
