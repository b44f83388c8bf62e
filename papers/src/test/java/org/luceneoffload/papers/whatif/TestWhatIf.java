/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code offload what-if} over a small index and a log of four queries. */
class TestWhatIf {
  private static final String LOG =
      "+w0 +w1\nw3 w50 w120\n"
          + "{\"body\":{\"query\":{\"match\":{\"body\":\"w150\"}}},\"count\":5}\n+w2 -w0\n";

  @TempDir private static Path temp;

  @BeforeAll
  static void index() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    CliRun.of("index", "--index", temp.resolve("index"), "--corpus", corpus, "--threads", 1).ok();
    Files.writeString(temp.resolve("log"), LOG);
  }

  private static CliRun run(Object... more) {
    return CliRun.of(
        Stream.concat(
                Stream.of(
                    "what-if",
                    "--index",
                    temp.resolve("index"),
                    "--queries",
                    temp.resolve("log"),
                    "--json"),
                Stream.of(more))
            .toArray());
  }

  private static JsonNode table(JsonNode report, String title) {
    for (JsonNode table : report.get("papers").get(0).get("tables")) {
      if (table.get("title").asText().startsWith(title)) {
        return table.get("rows");
      }
    }
    throw new AssertionError("no table " + title);
  }

  @Test
  void twoDevicesStandBesideEachOther() {
    JsonNode report =
        run("--profile", "smart-ssd-sas", "--profile", "pcie5-csd", "--out", temp.resolve("out"))
            .ok()
            .json();
    long queries = 0;
    double device = 0;
    double all = 0;
    for (JsonNode row : table(report, "Queries by class")) {
      if (row.get(0).asText().equals("smart-ssd-sas")) {
        if (row.get(1).asText().equals("all")) {
          all = row.get(2).asLong() * row.get(3).asDouble();
        } else {
          queries += row.get(2).asLong();
          device += row.get(2).asLong() * row.get(3).asDouble();
        }
      }
    }
    assertEquals(8, queries, "a query counts as often as the log says");
    assertEquals(all, device, 1e-9 * all);
    JsonNode costs = table(report, "Throughput");
    assertEquals(4, costs.size());
    for (JsonNode row : costs) {
      double sum = row.get(4).asDouble() + row.get(5).asDouble() + row.get(6).asDouble();
      assertEquals(row.get(7).asDouble(), sum, 1e-9 * sum);
    }
    assertTrue(Files.exists(temp.resolve("out/report.html")));
  }

  /** More cores of the device never make it do less, and its host takes no notice. */
  @Test
  void theMapGrowsWithTheCores() {
    JsonNode report = run("--profile", "smart-ssd-sas").ok().json();
    for (JsonNode row : table(report, "Break-even of cores and clock")) {
      for (int i = 2; i < row.size(); i++) {
        assertTrue(row.get(i).asDouble() >= row.get(i - 1).asDouble(), row::toString);
      }
      assertTrue(row.get(1).asDouble() > 0, row::toString);
    }
    assertEquals(5, table(report, "Break-even of cores and clock").size());
    assertEquals(5, table(report, "Break-even of link and channels").size());
  }

  @Test
  void readsAreWrittenAsTraces() throws IOException {
    Path mqsim = temp.resolve("mqsim.txt");
    Path blktrace = temp.resolve("blktrace.txt");
    run("--profile", "smart-ssd-sas", "--mqsim", mqsim, "--blktrace", blktrace).ok();
    List<String> lines = Files.readAllLines(mqsim);
    List<String> others = Files.readAllLines(blktrace);
    assertTrue(lines.size() >= 4, lines::toString);
    assertEquals(lines.size(), others.size());
    long before = 0;
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ");
      assertEquals(5, words.length);
      assertEquals("0 1", words[1] + " " + words[4], "device and kind");
      long ns = Long.parseLong(words[0]);
      assertTrue(ns >= before, lines.get(i));
      before = ns;
      assertEquals(0, Long.parseLong(words[2]) % 8, "LBAs of 4096 bytes");
      String[] same = others.get(i).split(" ");
      assertEquals(words[2] + " + " + words[3], same[7] + " " + same[8] + " " + same[9]);
    }
    assertTrue(lines.stream().anyMatch(line -> !line.split(" ")[2].equals("0")), "LBAs");
  }

  @Test
  void wrongUsageIsNamed() {
    wrong("--use above 0", "--profile", "pcie5-csd", "--use", "0");
    wrong("x is not a field", "--profile", "pcie5-csd", "--set", "x=1");
    wrong("--profile", "--use", "1");
  }

  private static void wrong(String message, Object... more) {
    Object[] all =
        Stream.concat(
                Stream.of(
                    "what-if", "--index", temp.resolve("index"), "--queries", temp.resolve("log")),
                Stream.of(more))
            .toArray();
    CliRun.of(all).fails(ExitCodes.USAGE, message);
  }
}
