/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

/** Clients that share a simulator. */
class TestBenchClients {
  @TempDir private static Path temp;

  @BeforeAll
  static void index() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    CliRun.of("index", "--index", temp.resolve("i"), "--device", "sim", "--corpus", corpus).ok();
    Files.writeString(temp.resolve("q.txt"), "+w0 +w1\nw1 w2 w3\n+w1 -w3000\n");
  }

  private static CliRun bench(Object... more) {
    Object[] all = new Object[7 + more.length];
    Object[] common = {
      "bench", "--index", temp.resolve("i"), "--queries", temp.resolve("q.txt"), "--rounds", 2
    };
    System.arraycopy(common, 0, all, 0, common.length);
    System.arraycopy(more, 0, all, common.length, more.length);
    return CliRun.of(all);
  }

  @Test
  void everySideIsMeasured() {
    JsonNode report = bench("--clients", "1,3", "--json").ok().json();
    assertEquals("TOP_10", report.get("kind").asText());
    assertEquals(0, report.get("differences").asInt());
    assertEquals(2, report.get("rows").size());
    for (JsonNode row : report.get("rows")) {
      for (String side : new String[] {"stock", "host", "device", "dynamic"}) {
        assertTrue(row.get(side + "_rate").asDouble() > 0, row::toString);
        assertTrue(row.get(side + "_p99").asDouble() > 0, row::toString);
      }
    }
  }

  @Test
  void anyKindOfWorkCanBeAskedFor() {
    String text = bench("--clients", "2", "--kind", "COUNT").ok().out();
    assertTrue(text.contains("99th percentiles in microseconds, COUNT, medians of 2 rounds"), text);
  }

  @Test
  void saysWhatCannotBeMeasured() {
    CliRun run = bench("--clients", "2", "--kind", "AGGREGATE");
    run.fails(
        ExitCodes.USAGE,
        "--kind=AGGREGATE needs typed fields, and " + temp.resolve("i") + " has none");
    bench("--kind", "COUNT").fails(ExitCodes.USAGE, "--kind goes with --clients or --cold");
  }
}
