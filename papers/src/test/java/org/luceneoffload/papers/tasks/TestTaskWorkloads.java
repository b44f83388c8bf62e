/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.demo.DemoFiles;

/** The programs whose pages are played: what they find, and what they count. */
class TestTaskWorkloads {
  private static final int PAGES = 40;

  /** Every row of the first pages, each with the table's columns by number. */
  private static List<int[]> rows() {
    LineItem page = new LineItem();
    List<int[]> rows = new ArrayList<>();
    for (int number = 0; number < PAGES; number++) {
      page.fill(number);
      for (int row = 0; row < LineItem.ROWS_A_PAGE; row++) {
        int[] values = new int[LineItem.RECEIVED + 1];
        for (int column = 0; column < values.length; column++) {
          values[column] = page.value(row, column);
        }
        rows.add(values);
      }
    }
    return rows;
  }

  private static void check(LineItemQuery query, Map<Integer, long[]> expected) {
    Map<Integer, long[]> found = query.run(PAGES).result().groups;
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach((group, sums) -> assertArrayEquals(sums, found.get(group), query.name()));
  }

  @Test
  void queriesFindWhatAPassOverAllRowsFinds() {
    Map<Integer, long[]> summary = new TreeMap<>();
    long revenue = 0;
    long[] promotion = new long[2];
    for (int[] r : rows()) {
      long price = r[LineItem.PRICE];
      long left = price * (100 - r[LineItem.DISCOUNT]);
      if (r[LineItem.SHIPPED] <= LineItem.day(1998, 12, 1) - 90) {
        long[] sums =
            summary.computeIfAbsent(
                r[LineItem.RETURNED] << 8 | r[LineItem.STATUS], g -> new long[6]);
        long[] values = {
          r[LineItem.QUANTITY], price, left, left * (100 + r[LineItem.TAX]), r[LineItem.DISCOUNT], 1
        };
        Arrays.setAll(sums, i -> sums[i] + values[i]);
      }
      boolean year =
          r[LineItem.SHIPPED] >= LineItem.day(1994, 1, 1)
              && r[LineItem.SHIPPED] < LineItem.day(1995, 1, 1);
      if (year && Math.abs(r[LineItem.DISCOUNT] - 6) <= 1 && r[LineItem.QUANTITY] < 24) {
        revenue += price * r[LineItem.DISCOUNT];
      }
      if (r[LineItem.SHIPPED] >= LineItem.day(1995, 9, 1)
          && r[LineItem.SHIPPED] < LineItem.day(1995, 10, 1)) {
        promotion[0] += LineItem.promoted(r[LineItem.PARTKEY]) ? left : 0;
        promotion[1] += left;
      }
    }
    assertEquals(4, summary.size());
    check(LineItemQuery.Q1, summary);
    check(LineItemQuery.Q6, Map.of(0, new long[] {revenue}));
    check(LineItemQuery.Q14, Map.of(0, promotion));
  }

  /** Selectivities of the benchmark: 98 %, 2 %, a month of seven years; one part of six. */
  @Test
  void theTableIsLikeTheBenchmarks() {
    double[] expected = {0.98, 0.019, 0.0125};
    for (LineItemQuery query : LineItemQuery.values()) {
      long bytes = 0;
      for (TaskPage page : query.run(PAGES).pages()) {
        bytes += page.restBytes();
        assertEquals(LineItem.ROWS_A_PAGE, page.all().rows());
        assertEquals(page.all().values(), page.filter().values() + page.rest().values());
      }
      double share =
          (double) bytes / (query.restValues() * Integer.BYTES * PAGES * LineItem.ROWS_A_PAGE);
      double wanted = expected[query.ordinal()];
      assertEquals(wanted, share, 0.25 * wanted, query.name());
    }
    long promoted = IntStream.range(0, 6000).filter(LineItem::promoted).count();
    assertEquals(1000, promoted, 100);
  }

  private static Set<Long> bruteForce(TitleJoin join, int queries) {
    Set<Long> pairs = new HashSet<>();
    for (int number = 0; number < queries; number++) {
      Set<Integer> q =
          Arrays.stream(join.record(join.query(number))).boxed().collect(Collectors.toSet());
      for (int i = 0; i < join.size(); i++) {
        int[] x = join.record(i);
        long common = Arrays.stream(x).filter(q::contains).count();
        if (100 * common >= (long) TitleJoin.THRESHOLD_PCT * Math.min(q.size(), x.length)) {
          pairs.add((long) join.query(number) * join.size() + i);
        }
      }
    }
    return pairs;
  }

  @Test
  void theJoinFindsWhatComparingAllPairsFinds() throws IOException {
    List<List<String>> texts =
        List.of(TaskText.documents(DemoFiles.home()).titles(), drawn(2_000), List.of("one"));
    for (List<String> text : texts) {
      TitleJoin join = new TitleJoin(text);
      int queries = Math.min(60, join.size());
      Set<Long> expected = bruteForce(join, queries);
      List<Long> exact = join.run(queries, TitleJoin.Rule.EXACT).pairs();
      assertEquals(expected, new HashSet<>(exact));
      assertEquals(expected.size(), exact.size());
      List<Long> published = join.run(queries, TitleJoin.Rule.PUBLISHED).pairs();
      assertTrue(expected.containsAll(published));
      assertTrue(published.size() >= queries, "each query record finds itself");
    }
  }

  /** The algorithm as printed looks at too short a prefix if one record is much shorter. */
  @Test
  void theAlgorithmAsPrintedLosesPairs() {
    List<String> text = new ArrayList<>(drawn(50));
    text.add("zz yy a b c d e f g h i j k l m n o p");
    text.add("n o p");
    TitleJoin join = new TitleJoin(text);
    int all = join.size();
    Set<Long> exact = new HashSet<>(join.run(all, TitleJoin.Rule.EXACT).pairs());
    Set<Long> published = new HashSet<>(join.run(all, TitleJoin.Rule.PUBLISHED).pairs());
    assertEquals(bruteForce(join, all), exact);
    assertTrue(published.size() < exact.size(), published.size() + " of " + exact.size());
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
  void comparisonsDecideHowManyQueriesThereAre() {
    TitleJoin join = new TitleJoin(drawn(3_000));
    int some = join.queriesFor(200_000);
    int more = join.queriesFor(400_000);
    assertTrue(some > 1 && more > some, some + ", " + more);
    double mean =
        join.run(more, TitleJoin.Rule.PUBLISHED).pages().stream()
            .mapToLong(page -> page.all().tokens())
            .average()
            .orElseThrow();
    assertEquals(400_000, mean, 0.1 * 400_000);
  }

  @Test
  void textsAreReadAndEmptyOnesRefused(@TempDir Path dir) throws IOException {
    Path lines = Files.writeString(dir.resolve("a.txt"), "one\ntwo three\n");
    assertEquals(List.of("one", "two three"), TaskText.read(lines).titles());
    Path corpus =
        Files.writeString(
            dir.resolve("a.jsonl"), "{\"id\":\"i\",\"title\":\"t\",\"body\":\"b c\"}\n");
    TaskText read = TaskText.read(corpus);
    assertEquals(List.of("t i"), read.titles());
    assertThrows(IllegalArgumentException.class, () -> new TaskWorkloads(List.of("", " - "), 1));
  }
}
