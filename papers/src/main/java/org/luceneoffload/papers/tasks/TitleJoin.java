/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.papers.tasks.TaskPage.Work;

/**
 * The paper's similarity join (algorithms 4 and 5): all records of a text that are similar to query
 * records. Records are sets of tokens, rare tokens first, in the order of their lengths; similar
 * are two whose overlap is at least a share of the shorter one. A prefix filter comes first: two
 * similar records share a token near their beginnings.
 *
 * <p>The algorithm as it is printed loses pairs. It takes a prefix from the record's own length,
 * which is too short if the other record is shorter, and compares only as many tokens of the longer
 * record as the shorter one has. {@link Rule#EXACT} is the algorithm without these two faults.
 */
final class TitleJoin {
  /** Share of the shorter record that similar ones have in common, in percent. */
  static final int THRESHOLD_PCT = 80;

  /** Which form of the algorithm runs. */
  enum Rule {
    PUBLISHED,
    EXACT
  }

  /**
   * What a run did.
   *
   * @param pages work of each page
   * @param pairs (query, record) that are similar, as query * records + record
   */
  record Run(List<TaskPage> pages, List<Long> pairs) {}

  private static final int TOKEN_BYTES = 4;
  private static final int HEAD_BYTES = 2;
  private static final int PERCENT = 100;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final List<int[]> records = new ArrayList<>();

  /** First record of each page, and the number of records at the end. */
  private final List<Integer> pageStarts = new ArrayList<>();

  /** Makes records of lines. */
  TitleJoin(List<String> lines) {
    List<List<String>> all = new ArrayList<>();
    Map<String, Integer> frequency = new HashMap<>();
    for (String line : lines) {
      List<String> tokens =
          Arrays.stream(line.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"))
              .filter(token -> !token.isEmpty())
              .distinct()
              .toList();
      if (!tokens.isEmpty()) {
        all.add(tokens);
        tokens.forEach(token -> frequency.merge(token, 1, Integer::sum));
      }
    }
    Map<String, Integer> numbers = new HashMap<>();
    frequency.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
        .forEach(entry -> numbers.put(entry.getKey(), numbers.size()));
    for (List<String> tokens : all) {
      records.add(tokens.stream().mapToInt(numbers::get).sorted().toArray());
    }
    records.sort(Comparator.<int[]>comparingInt(r -> r.length).thenComparing(Arrays::compare));
    layOut();
  }

  private void layOut() {
    int room = 0;
    for (int i = 0; i < records.size(); i++) {
      int bytes = HEAD_BYTES + TOKEN_BYTES * records.get(i).length;
      if (bytes > room) {
        pageStarts.add(i);
        room = LineItem.PAGE_BYTES;
      }
      room -= bytes;
    }
    pageStarts.add(records.size());
  }

  /** Returns how many records there are. */
  int size() {
    return records.size();
  }

  /** Returns the tokens of a record, ascending: rare ones first. */
  int[] record(int number) {
    return records.get(number);
  }

  int pages() {
    return pageStarts.size() - 1;
  }

  /** Returns the query record of a number: spread evenly over all lengths. */
  int query(int number) {
    return (int) Math.unsignedMultiplyHigh((number + 1) * GOLDEN, records.size());
  }

  /**
   * Returns with how many query records the work of a page reaches a number of comparisons, on
   * average; at most as many as there are records.
   */
  int queriesFor(long comparisonsAPage) {
    long wanted = comparisonsAPage * pages();
    int queries = 0;
    while (wanted > 0 && queries < records.size()) {
      for (TaskPage page : run(queries, queries + 1, Rule.PUBLISHED).pages()) {
        wanted -= page.all().tokens();
      }
      queries++;
    }
    return queries;
  }

  /** Joins the first query records with all records. */
  Run run(int queries, Rule rule) {
    return run(0, queries, rule);
  }

  private Run run(int from, int to, Rule rule) {
    List<TaskPage> work = new ArrayList<>();
    List<Long> pairs = new ArrayList<>();
    for (int page = 0; page < pages(); page++) {
      long filter = 0;
      long verify = 0;
      int bytes = 0;
      for (int i = pageStarts.get(page); i < pageStarts.get(page + 1); i++) {
        int[] x = records.get(i);
        boolean candidate = false;
        for (int number = from; number < to; number++) {
          int[] q = records.get(query(number));
          filter += (long) prefix(q, x, rule) * prefix(x, q, rule);
          if (!share(q, x, rule)) {
            continue;
          }
          candidate = true;
          verify += compared(q, x, rule);
          if (similar(q, x, rule)) {
            pairs.add((long) query(number) * records.size() + i);
          }
        }
        bytes += candidate ? HEAD_BYTES + TOKEN_BYTES * x.length : 0;
      }
      work.add(
          new TaskPage(
              new Work(0, 0, filter + verify),
              new Work(0, 0, filter),
              new Work(0, 0, verify),
              bytes));
    }
    return new Run(work, pairs);
  }

  private static int needed(int length) {
    return (length * THRESHOLD_PCT + PERCENT - 1) / PERCENT;
  }

  /** Returns how many tokens the prefix has of a record that is compared with another one. */
  private static int prefix(int[] record, int[] other, Rule rule) {
    int of = rule == Rule.PUBLISHED ? record.length : Math.min(record.length, other.length);
    return record.length - needed(of) + 1;
  }

  private static boolean share(int[] q, int[] x, Rule rule) {
    return common(q, prefix(q, x, rule), x, prefix(x, q, rule)) > 0;
  }

  /** Counts the comparisons of Verify, whose two loops end at the shorter record's length. */
  private static long compared(int[] q, int[] x, Rule rule) {
    long least = Math.min(q.length, x.length);
    return rule == Rule.PUBLISHED ? least * least : (long) q.length * x.length;
  }

  private static boolean similar(int[] q, int[] x, Rule rule) {
    int least = Math.min(q.length, x.length);
    int common =
        rule == Rule.PUBLISHED ? common(q, least, x, least) : common(q, q.length, x, x.length);
    return common * PERCENT >= least * THRESHOLD_PCT;
  }

  /** Counts the first tokens that two records have in common, by a merge, as both are sorted. */
  private static int common(int[] q, int qEnd, int[] x, int xEnd) {
    int i = 0;
    int j = 0;
    int common = 0;
    while (i < qEnd && j < xEnd) {
      int difference = Integer.compare(q[i], x[j]);
      common += difference == 0 ? 1 : 0;
      i += difference <= 0 ? 1 : 0;
      j += difference >= 0 ? 1 : 0;
    }
    return common;
  }
}
