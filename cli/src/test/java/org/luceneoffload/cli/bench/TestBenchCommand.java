/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.bench.machine.Processor;
import org.luceneoffload.cli.bench.machine.StockDirectory;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.workload.BenchClass;

/** Warm-up, threads and classes of bench, on the best device there is. */
class TestBenchCommand {
  private static final String DEVICE = CliRun.devices().getLast();

  /** A query that takes little time: threads run it hundreds of times. */
  private static final String RARE = "+w150 +w190\n";

  /** Groups of shapes of an index without typed fields. */
  private static final List<String> GROUPS =
      List.of(
          "collectors",
          "disjunctions",
          "equal scores",
          "multi-terms",
          "paging",
          "positions",
          "rare words",
          "scores",
          "sets");

  @TempDir private static Path temp;
  private static Path queries;

  @BeforeAll
  static void index() throws IOException {
    SmallCorpus.makeIndex(temp.resolve("i"), DEVICE);
    // w0 is in most documents, w199 in about one in thirty, w3000 in none.
    queries =
        Files.writeString(
            temp.resolve("q.txt"),
            "+w0 +w1\n+w0 +w3000\nw0\nw1 w2 w3\nw5 w6 w7 w8 w9 w10\n+w1 -w3000\n(w3 w4)^2\n");
  }

  private static CliRun bench(Object... more) {
    return benchOf(queries, more);
  }

  private static CliRun benchOf(Path file, Object... more) {
    Object[] common = {
      "bench", "--index", temp.resolve("i"), "--device", DEVICE, "--queries", file
    };
    return CliRun.of(Stream.of(common, more).flatMap(Stream::of).toArray());
  }

  @Test
  void classesAreThoseOfTheQueries() {
    JsonNode report = bench("--rounds", 1, "--warmup", 0, "--json").ok().json();
    List<String> found = new ArrayList<>();
    double least = Double.MAX_VALUE;
    for (JsonNode row : report.get("classes")) {
      if (row.get("kind").asText().equals("COUNT")) {
        found.add(
            row.get("shape").asText()
                + " "
                + row.get("by").asText()
                + " "
                + row.get("name").asText()
                + " "
                + row.get("queries").asInt());
      }
      assertTrue(row.get("lucene_us").asDouble() > 0 && row.get("offload_us").asDouble() > 0);
      least = Math.min(least, row.get("ratio_geomean").asDouble());
    }
    assertEquals(
        List.of(
            "AND terms 2 terms 2",
            "AND frequency FF 1",
            "AND frequency RF 1",
            "OR terms 1 term 1",
            "OR terms 2 terms 1",
            "OR terms 3 terms 1",
            "OR terms 5+ terms 1",
            "OR frequency FF 1",
            "NOT terms 2 terms 1",
            "NOT frequency +F -R 1"),
        found);
    assertEquals(least, report.get("slowest_class").get("ratio_geomean").asDouble());
    assertFalse(report.has("throughput"));
  }

  /** Whatever way our side is asked in, its answers are Lucene's, and the device's. */
  @ParameterizedTest
  @CsvSource({"own", "managers", "query"})
  void everyEntryHasTheSameAnswers(String entry) {
    Object[] options = {"--rounds", 1, "--warmup", 0, "--entry", entry};
    JsonNode report =
        bench(Stream.concat(Stream.of(options), Stream.of("--json")).toArray()).ok().json();
    assertEquals(entry.toUpperCase(Locale.ROOT), report.get("entry").asText());
    assertEquals(0, report.get("differences").asInt());
    for (JsonNode row : report.get("rows")) {
      // Some counts are known without a plan.
      boolean known = row.get("kind").asText().equals("COUNT");
      assertTrue(known || row.get("leaves_offloaded").asInt() > 0, row::toString);
      assertEquals(0, row.get("leaves_on_host").asInt(), row::toString);
    }
    String text = bench(options).ok().out();
    assertEquals(!entry.equals("own"), text.contains("by Lucene's collector managers"), text);
  }

  @Test
  void textNamesTheSlowestClassAndShowsClassesOnRequest() throws IOException {
    String plain = bench("--rounds", 1, "--warmup", 0).ok().out();
    assertTrue(plain.contains("Slowest class against Lucene, of these queries: "), plain);
    assertFalse(plain.contains("+F -R") && plain.contains("5+ terms"), plain);
    String text = bench("--rounds", 1, "--warmup", 0, "--by-class").ok().out();
    assertTrue(text.contains("+F -R") && text.contains("5+ terms"), text);
    Path one = Files.writeString(temp.resolve("one.txt"), RARE);
    text = benchOf(one, "--rounds", 1, "--warmup", 0, "--threads", 2).ok().out();
    assertTrue(text.contains("Queries a second of 1 and of 2 threads"), text);
  }

  @Test
  void medianAndSpreadStandBesideTheBestRound() {
    JsonNode report = bench("--rounds", 5, "--warmup", 0, "--json").ok().json();
    assertFalse(report.get("cpu").asText().isBlank());
    for (JsonNode row : report.get("rows")) {
      assertTrue(
          row.get("lucene_median_us").asDouble() >= row.get("lucene_us").asDouble(), row::toString);
      assertTrue(
          row.get("offload_median_us").asDouble() >= row.get("offload_us").asDouble(),
          row::toString);
      assertTrue(
          row.get("ratio_q1").asDouble() <= row.get("ratio_median").asDouble(), row::toString);
      assertTrue(
          row.get("ratio_median").asDouble() <= row.get("ratio_q3").asDouble(), row::toString);
      assertTrue(row.get("ratio_q1").asDouble() > 0, row::toString);
    }
    String text = bench("--rounds", 1, "--warmup", 1).ok().out();
    assertTrue(text.contains("ratio_median  ") && text.contains("quartiles"), text);
    assertTrue(text.contains("1 round after 1 to warm up"), text);
    assertTrue(text.contains(report.get("cpu").asText()), text);
  }

  @Test
  void quartilesAreBetweenTheNumbers() {
    assertEquals(new Spread(2, 3, 4), Spread.of(new double[] {5, 1, 3, 2, 4}));
    assertEquals(new Spread(7, 7, 7), Spread.of(new double[] {7}));
    assertEquals(new Spread(1.25, 1.5, 1.75), Spread.of(new double[] {2, 1}));
    assertEquals("X 1", Processor.name(List.of("processor : 0", "model name\t: X 1", "")));
    assertEquals(System.getProperty("os.arch"), Processor.name(List.of("processor : 0")));
  }

  @Test
  void stockLuceneOnBothSidesIsSaidToBeThat() {
    CliRun run = bench("--rounds", 1, "--warmup", 0, "--placement", "never");
    assertTrue(
        run.ok().out().contains("Both sides are stock Lucene (--placement never)"), run.out());
    assertFalse(run.out().contains("0/0"), run.out());
    JsonNode json = bench("--rounds", 1, "--warmup", 0, "--placement", "never", "--json").json();
    assertEquals("--placement never", json.get("host_only").asText());
  }

  @Test
  void threadsAreMeasuredAndCompared() throws IOException {
    Path of = QuickRun.QUICK ? Files.writeString(temp.resolve("and.txt"), RARE) : queries;
    JsonNode report =
        benchOf(of, "--rounds", 1, "--warmup", 0, "--threads", 3, "--json").ok().json();
    assertEquals(3, report.get("threads").asInt());
    TreeSet<String> rows = new TreeSet<>();
    for (JsonNode row : report.get("throughput")) {
      rows.add(row.get("kind").asText() + row.get("shape").asText());
      assertEquals(0, row.get("differences").asInt());
      double one = row.get("offload_one_qps").asDouble();
      double all = row.get("offload_qps").asDouble();
      assertTrue(one > 0 && all > 0, row.toString());
      assertEquals(all / one, row.get("offload_scaling").asDouble(), 0.01 * all / one + 0.001);
      double lucene = row.get("lucene_qps").asDouble();
      assertEquals(all / lucene, row.get("ratio").asDouble(), 0.01 * all / lucene + 0.001);
    }
    assertEquals(QuickRun.times(4, 12), rows.size());
  }

  @Test
  void reportSaysHowItWasWarmedUp() {
    JsonNode report = bench("--rounds", 2, "--warmup", 3, "--json").ok().json();
    assertEquals(14, report.get("executions").asInt());
    assertEquals(3, report.get("warmup_rounds").asInt());
    assertEquals(21, report.get("warmup_executions").asInt());
    assertEquals(4, report.get("warmup").size());
    assertFalse(report.get("warmup").get(0).get("limited").asBoolean());
    assertTrue(report.get("jit_ms").asLong() >= 0);
  }

  @ParameterizedTest
  @CsvSource({"899, 23", "400, 50", "1, 20000", "30000, 1"})
  void defaultWarmupCountsExecutions(int queries, int rounds) {
    BenchWarmup warmup = BenchWarmup.untilWarm(queries, 3600, () -> 0);
    for (int i = 0; i < rounds; i++) {
      assertTrue(warmup.next());
    }
    assertFalse(warmup.next());
    BenchReport.Warmup report = warmup.report("COUNT");
    assertEquals(rounds, report.rounds());
    assertEquals((long) rounds * queries, report.executions());
    assertFalse(report.limited());
  }

  @Test
  void defaultWarmupWaitsForTheCompilers() {
    long[] jit = {0};
    BenchWarmup warmup = BenchWarmup.untilWarm(1000, 3600, () -> jit[0]);
    for (int round = 1; round <= 30 + 10; round++) {
      assertTrue(warmup.next(), "round " + round);
      // More in each of 30 rounds than the whole test can take.
      jit[0] += round <= 30 ? 3_600_000 : 0;
    }
    assertFalse(warmup.next());
    assertEquals(40_000, warmup.report("COUNT").executions());
  }

  @Test
  void timeEndsTheDefaultWarmup() {
    BenchWarmup warmup = BenchWarmup.untilWarm(7, -1, () -> 0);
    assertFalse(warmup.next());
    assertTrue(warmup.report("COUNT").limited());
    assertEquals(0, warmup.report("COUNT").rounds());
  }

  private static CliRun shapes(Object... more) {
    Object[] common = {"bench", "--index", temp.resolve("i"), "--device", DEVICE, "--rounds", 1};
    return CliRun.of(Stream.of(common, more).flatMap(Stream::of).toArray());
  }

  @Test
  void sweepComparesEveryShape() {
    List<String> wanted = QuickRun.drawn(1, GROUPS);
    String shapes = "--shapes" + (QuickRun.QUICK ? "=" + wanted.getFirst() : "");
    JsonNode report = shapes("--warmup", 0, shapes, "--json").ok().json();
    assertEquals(0, report.get("differences").asInt(), () -> differing(report));
    TreeSet<String> groups = new TreeSet<>();
    TreeSet<String> names = new TreeSet<>();
    int slower = 0;
    for (JsonNode row : report.get("rows")) {
      groups.add(row.get("group").asText());
      assertTrue(names.add(row.get("shape").asText()), row::toString);
      assertTrue(row.get("ratio_worst").asDouble() <= row.get("ratio_geomean").asDouble() + 0.001);
      assertTrue(row.get("lucene_us").asDouble() > 0 && row.get("offload_us").asDouble() > 0);
      slower += row.get("ratio_geomean").asDouble() < report.get("slower_below").asDouble() ? 1 : 0;
    }
    assertEquals(slower, report.get("slower").asInt());
    assertEquals(names.size(), report.get("warmup").size());
    assertTrue(groups.containsAll(wanted), groups::toString);
    assertFalse(groups.contains("values"), "this index has no typed fields");
    assertTrue(report.has("cpu") && report.has("segments"), report::toString);
  }

  private static String differing(JsonNode report) {
    StringBuilder names = new StringBuilder();
    report
        .get("rows")
        .forEach(row -> names.append(row.get("differences").asInt() > 0 ? row + "\n" : ""));
    return names.toString();
  }

  @Test
  void someShapesCanBeAskedFor() {
    String text = shapes("--warmup", 1, "--shapes", "Fuzzy").ok().out();
    assertTrue(text.contains("fuzzy, 1 edit") && text.contains("ratio_worst"), text);
    assertTrue(text.contains(" of 2 shapes.") && !text.contains("phrase"), text);
    shapes("--shapes", "no such").fails(ExitCodes.USAGE, "--shapes", "no such");
    shapes("--shapes", "fuzzy", "--by-class").fails(ExitCodes.USAGE, "--shapes", "--by-class");
    shapes().fails(ExitCodes.USAGE, "--queries", "--shapes");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, 0",
    "--rounds, 10001",
    "--warmup, -1",
    "--warmup-seconds, 0",
    "--threads, 0",
    "--threads, 1025",
    "--threads, many"
  })
  void wrongNumbersAreRefused(String option, String value) {
    bench(option, value).fails(ExitCodes.USAGE, option, value);
  }

  @Test
  void roundsAndTimeExcludeEachOther() {
    bench("--warmup", 1, "--warmup-seconds", 1).fails(ExitCodes.USAGE, "--warmup-seconds");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "99, 0", "100, 1", "1999, 1", "2000, 2", "100000, 2"})
  void ranksOfFrequencies(int docFreq, int rank) {
    assertEquals(rank, BenchClass.rank(docFreq, 100_000));
  }

  /** Every query is cold on both sides, and its answer the same; the device answers. */
  @Test
  void coldQueriesAreMeasuredBesideLucenesDirectories() {
    JsonNode report = bench("--cold", "--warmup", 1, "--json").ok().json();
    assertEquals(1, report.get("rounds").asInt());
    assertEquals(0, report.get("differences").asInt());
    String method = report.get("method").asText();
    List<String> fastest =
        Stream.of(StockDirectory.values())
            .map(StockDirectory::className)
            .filter(name -> method.contains("Lucene over " + name))
            .toList();
    assertEquals(1, fastest.size(), method);
    Set<String> directories = new HashSet<>();
    for (JsonNode row : report.get("directories")) {
      directories.add(row.get("directory").asText());
      assertTrue(row.get("lucene_us").asDouble() > 0);
      // The rows of the report compare with the fastest.
      for (JsonNode other : report.get("rows")) {
        if (row.get("directory").asText().equals(fastest.get(0))
            && row.get("shape").equals(other.get("shape"))) {
          assertEquals(other.get("lucene_us"), row.get("lucene_us"));
          assertEquals(other.get("ratio_total"), row.get("ratio_total"));
        }
      }
    }
    assertTrue(directories.containsAll(Set.of("MMapDirectory", "NIOFSDirectory")), method);
    // A file system without direct reads, as in memory, is named.
    assertTrue(
        directories.contains("DirectIODirectory") || method.contains("without DirectIODirectory"),
        method);
    assertEquals(report.get("rows").size(), report.get("drive").size());
    for (JsonNode row : report.get("drive")) {
      assertTrue(row.get("pages").asDouble() >= 0); // 0: the files lie in memory
      assertTrue(row.get("drive_us").asDouble() > 0);
      assertTrue(row.get("ours_over_drive").asDouble() > 0);
    }
    int queriesOfRows = 0;
    for (JsonNode row : report.get("rows")) {
      assertEquals("TOP_10", row.get("kind").asText());
      assertTrue(row.get("lucene_us").asDouble() > 0);
      assertTrue(row.get("offload_us").asDouble() > 0);
      queriesOfRows += row.get("queries").asInt();
    }
    assertEquals(report.get("queries").asInt(), queriesOfRows);
    String text = bench("--cold", "--warmup", 1, "--rounds", 2).ok().out();
    assertTrue(text.contains("2 rounds"), text);
    assertTrue(text.contains("NIOFSDirectory"), text);
    assertTrue(text.contains("drive alone"), text);
  }

  @Test
  void coldGoesWithOneThread() {
    CliRun run = bench("--cold", "--threads", 2);
    assertEquals(ExitCodes.USAGE, run.code());
    assertTrue(run.err().contains("--cold"), run.err());
  }

  /** The small index has no typed fields. */
  @Test
  void coldSaysWhichKindsNeedTypedFields() {
    bench("--cold", "--kind", "SORTED_TOP_10")
        .fails(ExitCodes.USAGE, "--kind=SORTED_TOP_10 needs typed fields");
  }
}
