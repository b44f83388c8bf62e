/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;

/**
 * Files that cannot grow, as on a full disk: a process may have a limit for each of its files,
 * which nobody has to be root for.
 */
class TestFullDisk {
  private static final int BLOCK = 1024; // of "ulimit -f", or half of it

  /** Less than any index of the corpus, more than the JVM's own files. */
  private static final int MIN_BYTES = 64 << 10;

  /** More than Lucene's files of the corpus, less than the place of a store's first image. */
  private static final int FILES_FIT = 2 << 20;

  @TempDir private Path temp;
  private Path index;

  @BeforeEach
  void limitsAreThere() throws Exception {
    index = temp.resolve("index");
    Process limited = new ProcessBuilder(limited(MIN_BYTES, List.of("true"))).start();
    assumeTrue(limited.waitFor() == 0, "sh has no limit for files here");
  }

  private static List<String> limited(int bytes, List<String> command) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("sh", "-c", "ulimit -f " + bytes / BLOCK + " && exec \"$@\"", "sh"));
    words.addAll(command);
    return words;
  }

  private ToolProcess index(int bytes, String device, int threads) throws IOException {
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    List<String> command =
        ToolProcess.command(
            "index",
            "--index",
            index,
            "--device",
            device,
            "--corpus",
            corpus,
            "--threads",
            threads);
    return ToolProcess.startCommand(temp, limited(bytes, command));
  }

  /** One thread's file closes the writer for the others, which may be the first to fail. */
  @Test
  void anIndexThatFindsNoRoom() throws Exception {
    try (ToolProcess run = index(MIN_BYTES, "host", 4)) {
      assertEquals(ExitCodes.FAILURE, run.await(), () -> text(run));
      assertTrue(run.err().contains("offload: " + index + ": File too large"), run.err());
      assertFalse(run.err().contains("\tat "), run.err());
      assertFalse(Files.exists(index), "what it had written stays");
    }
  }

  /** The index is whole without its images. */
  @Test
  void aStoreThatFindsNoRoom() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    try (ToolProcess run = index(FILES_FIT, "sim", 1)) {
      assertEquals(ExitCodes.OK, run.await(), () -> text(run));
      assertTrue(run.err().contains("image given up: NO_SPACE"), run.err());
      assertTrue(run.err().contains("File too large"), run.err());
      assertFalse(run.err().contains("\tat "), run.err());
    }
    CliRun.of("search", "--index", index, "--on", "both", "w1", "+w0 +w3").ok();
    CliRun.of("repair", "--index", index).ok(); // now there is room
    CliRun.of("search", "--index", index, "--strict", "w1").ok();
  }

  private static String text(ToolProcess run) {
    try {
      return run.out() + run.err();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
