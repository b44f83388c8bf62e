/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trino.tpch.LineItem;
import io.trino.tpch.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.config.Placement;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.tasks.RowStore.Extent;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** The programs whose pages are played: what they find, and what they count. */
class TestTaskWorkloads {
  private static final double SCALE = 0.01;

  @BeforeEach
  void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static int day(int year, int month, int day) {
    return (int) LocalDate.of(year, month, day).toEpochDay();
  }

  /** Sums of the generator's rows, without pages and programs. */
  private static Map<TpchQuery, Map<Integer, long[]>> expected(TpchTables tables) {
    Map<Long, String> types = new HashMap<>();
    for (Part part : tables.parts()) {
      types.put(part.getPartKey(), part.getType());
    }
    Map<Integer, long[]> summary = new TreeMap<>();
    long[] forecast = new long[RowTask.SUMS];
    long[] promotion = new long[RowTask.SUMS];
    for (LineItem row : tables.items()) {
      long price = row.getExtendedPriceInCents();
      long left = price * (100 - row.getDiscountPercent());
      int shipped = row.getShipDate();
      if (shipped <= day(1998, 12, 1) - 90) {
        int key = row.getReturnFlag().charAt(0) << 8 | row.getStatus().charAt(0);
        long[] sums = summary.computeIfAbsent(key, k -> new long[RowTask.SUMS]);
        long[] values = {
          row.getQuantity(),
          price,
          left,
          left * (100 + row.getTaxPercent()),
          row.getDiscountPercent(),
          1
        };
        Arrays.setAll(sums, i -> sums[i] + values[i]);
      }
      if (shipped >= day(1994, 1, 1)
          && shipped < day(1995, 1, 1)
          && Math.abs(row.getDiscountPercent() - 6) <= 1
          && row.getQuantity() < 24) {
        forecast[0] += price * row.getDiscountPercent();
      }
      if (shipped >= day(1995, 9, 1) && shipped < day(1995, 10, 1)) {
        promotion[0] += types.get(row.getPartKey()).startsWith("PROMO") ? left : 0;
        promotion[1] += left;
      }
    }
    return Map.of(
        TpchQuery.Q1,
        summary,
        TpchQuery.Q6,
        Map.of(0, forecast),
        TpchQuery.Q14,
        Map.of(0, promotion));
  }

  private static void same(Map<Integer, long[]> expected, Map<Integer, long[]> found, Object what) {
    assertEquals(expected.keySet(), found.keySet(), what::toString);
    expected.forEach(
        (group, sums) ->
            assertArrayEquals(
                sums, Arrays.copyOf(found.get(group), sums.length), what + ", group " + group));
  }

  /** Over rows, whole and filtered; over columns, whoever answers, and in windows. */
  @Test
  void queriesFindWhatAPassOverAllRowsFinds() throws IOException {
    TpchTables tables = new TpchTables(SCALE);
    Map<TpchQuery, Map<Integer, long[]>> expected = expected(tables);
    assertEquals(4, expected.get(TpchQuery.Q1).size());
    assertTrue(expected.get(TpchQuery.Q14).get(0)[0] > 0);
    List<RowRun> runs = new ArrayList<>();
    try (RowStore store = new RowStore()) {
      TaskWorkloads.tables(store, SCALE, runs);
    }
    try (ColumnTable columns = new ColumnTable(tables)) {
      for (TpchQuery query : TpchQuery.values()) {
        RowRun run = runs.get(query.ordinal());
        same(expected.get(query), run.whole(), query);
        same(expected.get(query), run.shared(), query);
        same(expected.get(query), run.filtered(), query + ", filtered");
        for (Placement placement : Placement.values()) {
          same(expected.get(query), columns.run(query, placement), query + ", " + placement);
        }
        ColumnTable.Windows windows =
            columns.windows(Profiles.load(Papers.profileOf(Papers.TASKS)), query, 5_000);
        same(expected.get(query), windows.result(), query + " in windows");
        assertTrue(windows.reports().size() >= columns.rows() / 5_000, query.name());
        assertTrue(windows.reports().stream().mapToLong(ModelReport::pageLoads).sum() > 0);
      }
    }
  }

  /** Selectivities of the benchmark, which the answer of a filter shows; one part of six. */
  @Test
  void filtersLeaveWhatTheBenchmarkSays() throws IOException {
    double[] expected = {0.98 * 12, 0.019 * 8, 0.0125 * 12};
    try (RowStore store = new RowStore()) {
      List<Workload> workloads = TaskWorkloads.tables(store, SCALE, new ArrayList<>());
      for (TpchQuery query : TpchQuery.values()) {
        Workload workload = workloads.get(query.ordinal());
        double bytes = workload.pages().stream().mapToLong(TaskPage::restBytes).sum();
        double rows = workload.pages().stream().mapToLong(page -> page.all().rows()).sum();
        assertEquals(60_175, rows);
        double wanted = expected[query.ordinal()];
        assertEquals(wanted, bytes / rows, 0.25 * wanted, query.name());
        for (TaskPage page : workload.pages()) {
          assertEquals(page.all().rows(), page.filter().rows());
          assertEquals(0, page.rest().rows());
          assertTrue(page.filter().values() <= page.all().values());
        }
        assertEquals(query == TpchQuery.Q14, !workload.build().isEmpty(), query.name());
      }
      Workload joins = workloads.get(TpchQuery.Q14.ordinal());
      assertEquals(2_000, joins.build().stream().mapToLong(page -> page.all().rows()).sum());
    }
  }

  @Test
  void theTablesAreTheBenchmarks() {
    assertEquals(10.7e6, new TpchTables(SCALE).textBytes(), 0.3e6);
  }

  private static Set<Long> bruteForce(JoinRecords join, int queries) {
    Set<Long> pairs = new HashSet<>();
    for (int number = 0; number < queries; number++) {
      Set<Integer> q =
          Arrays.stream(join.record(join.query(number))).boxed().collect(Collectors.toSet());
      for (int i = 0; i < join.size(); i++) {
        int[] x = join.record(i);
        long common = Arrays.stream(x).filter(q::contains).count();
        if (100 * common >= (long) JoinRecords.THRESHOLD_PCT * Math.min(q.size(), x.length)) {
          pairs.add((long) join.query(number) << 32 | i);
        }
      }
    }
    return pairs;
  }

  private static long[] run(JoinRecords join, int queries, Program program) throws IOException {
    try (RowStore store = new RowStore()) {
      Extent pages = store.store(join.pages());
      RowRun run = RowRun.of(store, pages, program, Extent.NONE, join.queries(0, queries));
      same(run.whole(), run.filtered(), program);
      same(run.whole(), run.shared(), program);
      return run.whole().get(0);
    }
  }

  /** The engine gives the number of pairs and their sum, as programs over all pairs do. */
  @Test
  void theJoinFindsWhatComparingAllPairsFinds() throws IOException {
    for (List<String> text :
        List.of(TaskText.drawn().titles().subList(0, 3_000), drawn(2_000), List.of("one"))) {
      JoinRecords join = new JoinRecords(text);
      int queries = Math.min(60, join.size());
      Set<Long> pairs = bruteForce(join, queries);
      long[] exact = run(join, queries, Program.JOIN_EXACT);
      assertEquals(pairs.size(), exact[0]);
      assertEquals(pairs.stream().mapToLong(Long::longValue).sum(), exact[1]);
      long published = run(join, queries, Program.JOIN)[0];
      assertTrue(published >= queries && published <= exact[0], "each query finds itself");
    }
  }

  /** The algorithm as printed looks at too short a prefix if one record is much shorter. */
  @Test
  void theAlgorithmAsPrintedLosesPairs() throws IOException {
    List<String> text = new ArrayList<>(drawn(50));
    text.add("zz yy a b c d e f g h i j k l m n o p");
    text.add("n o p");
    JoinRecords join = new JoinRecords(text);
    long exact = run(join, join.size(), Program.JOIN_EXACT)[0];
    assertTrue(run(join, join.size(), Program.JOIN)[0] < exact);
  }

  /** Records of one to thirty of few words, so that many share some. */
  private static List<String> drawn(int count) {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder line = new StringBuilder();
      for (int words = 1 + random.nextInt(30); words > 0; words--) {
        line.append(' ').append((char) ('a' + random.nextInt(26)));
        line.append((char) ('a' + random.nextInt(3)));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Test
  void comparisonsDecideHowManyQueriesThereAre() throws IOException {
    JoinRecords join = new JoinRecords(drawn(3_000));
    try (RowStore store = new RowStore()) {
      Extent pages = store.store(join.pages());
      int some = join.queriesFor(store, pages, 200_000);
      int more = join.queriesFor(store, pages, 400_000);
      assertTrue(some > 1 && more > some, some + ", " + more);
      double mean =
          RowRun.of(store, pages, Program.JOIN, Extent.NONE, join.queries(0, more)).pages().stream()
              .mapToLong(page -> page.all().tokens())
              .average()
              .orElseThrow();
      assertEquals(400_000, mean, 0.1 * 400_000);
    }
  }

  @Test
  void textsAreReadAndEmptyOnesRefused(@TempDir Path dir) throws IOException {
    Path lines = Files.writeString(dir.resolve("a.txt"), "one\ntwo three\n");
    assertEquals(List.of("one", "two three"), TaskText.read(lines).titles());
    Path corpus =
        Files.writeString(
            dir.resolve("a.jsonl"), "{\"id\":\"i\",\"title\":\"t\",\"body\":\"b c\"}\n");
    assertEquals(List.of("t i"), TaskText.read(corpus).titles());
    assertThrows(IllegalArgumentException.class, () -> new JoinRecords(List.of("", " - ")));
    assertEquals(TaskText.drawn(), TaskText.drawn());
  }
}
