/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.CountedIndex;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** A runtime image without the module jdk.jfr: everything works, and nothing is told. */
class TestWithoutRecorder {
  /** Indexes and searches, and says what came of it. */
  static final class Child {
    public static void main(String[] args) throws IOException {
      RamBlockDevice device = new RamBlockDevice(1 << 16, new ReferenceProgram());
      try (OffloadDirectory directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
        CountedIndex.write(directory);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          CountedIndex.searcher(reader).search(CountedIndex.all("all", "even"), 10);
          CountedIndex.searcher(reader).search(CountedIndex.phrase(), 10);
        }
        System.out.println(
            "module "
                + ModuleLayer.boot().findModule("jdk.jfr").isPresent()
                + ", events "
                + OffloadEvents.available()
                + ", leaves "
                + directory.stats().get(Counter.LEAVES_OFFLOADED)
                + ", devices "
                + OffloadStats.ofOpenDevices().keySet());
      }
    }
  }

  private static String run(String... options) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new java.util.ArrayList<>(List.of(java));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    return output.lines().filter(line -> line.startsWith("module ")).findFirst().orElse(output);
  }

  @Test
  void theModuleIsMissing() throws Exception {
    assertEquals(
        "module false, events false, leaves 3, devices [ram]",
        run("--limit-modules", "java.base,java.logging,jdk.unsupported"));
  }

  @Test
  void theModuleIsThere() throws Exception {
    assertEquals("module true, events true, leaves 3, devices [ram]", run());
  }
}
