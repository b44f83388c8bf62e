/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.bench.machine.QueryLog;
import org.luceneoffload.cli.command.Failure;

/** The log of queries in a process whose memory is limited. */
class TestBenchMemory {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"1,1", "700m,734003200", "2G,2147483648", "64k,65536"})
  void sizes(String text, long bytes) {
    assertEquals(bytes, MemoryChild.size(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1", "1.5g", "1t", "1 g", "9999999999999"})
  void noSizes(String text) {
    Failure refused = assertThrows(Failure.class, () -> MemoryChild.size(text));
    assertTrue(refused.getMessage().contains("'" + text + "'"), refused.getMessage());
  }

  @Test
  void tooLittleMemoryIsRefused() {
    Failure refused =
        assertThrows(Failure.class, () -> MemoryChild.run(1 << 20, getClass(), List.of("bench")));
    assertTrue(refused.getMessage().contains("128m"), refused.getMessage());
  }

  /** The query of rank r comes in proportion to 1/r, whichever query that is. */
  @Test
  void logsRepeat() {
    int length = 200_000;
    int[] log = QueryLog.of(50, length, 3);
    int[] counts = new int[50];
    for (int query : log) {
      counts[query]++;
    }
    int[] sorted = counts.clone();
    Arrays.sort(sorted);
    double first = length / 4.499205338; // the sum of 1/r up to 50
    assertEquals(first, sorted[49], first / 20);
    assertEquals(first / 2, sorted[48], first / 20);
    assertEquals(first / 50, sorted[0], first / 100);
    assertArrayEquals(log, QueryLog.of(50, length, 3));
    assertArrayEquals(new int[] {0, 0, 0}, QueryLog.of(1, 3, 9));
  }

  /** What the child does, in this process: with all the memory that it has. */
  @Test
  void everySideIsMeasured() throws Exception {
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    String device = CliRun.devices().getLast();
    CliRun.of("index", "--index", temp.resolve("i"), "--device", device, "--corpus", corpus).ok();
    Path queries = Files.writeString(temp.resolve("q.txt"), "+w0 +w1\nw0 w2\n+w1 -w3000\n");
    Object[] bench = {
      "bench",
      "--index",
      temp.resolve("i"),
      "--device",
      device,
      "--queries",
      queries,
      "--memory",
      "1g",
      "--log",
      10,
      "--json"
    };
    System.setProperty(MemoryChild.PROPERTY, "1000000");
    JsonNode report;
    try {
      report = CliRun.of(bench).ok().json();
    } finally {
      System.clearProperty(MemoryChild.PROPERTY);
    }
    assertEquals(1000000, report.get("memory_bytes").asLong());
    assertEquals(10, report.get("log").asInt());
    assertEquals(3, report.get("queries").asInt());
    assertEquals(0, report.get("differences").asInt());
    int ours = 0;
    for (JsonNode row : report.get("rows")) {
      assertTrue(row.get("qps").asDouble() > 0, row.toString());
      assertTrue(row.get("p99_us").asDouble() >= row.get("p50_us").asDouble(), row.toString());
      if (row.get("side").asText().equals("offload")) {
        ours++;
        assertTrue(row.get("ratio").asDouble() > 0, row.toString());
        assertTrue(row.get("best").asText().endsWith("Directory"), row.toString());
      }
    }
    assertEquals(3, ours); // 1, 4 and 16 threads
    assertTrue(report.get("rows").size() >= 3 * 3, report.get("rows").toString());
  }
}
