/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.tasks.RowStore.Extent;

/**
 * Records of the similarity join (section 4.2): sets of tokens, rare tokens first, in the order of
 * their lengths.
 */
final class JoinRecords {
  /** Share of the shorter record that similar ones have in common, in percent: the engine's. */
  static final int THRESHOLD_PCT = 80;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final List<int[]> records = new ArrayList<>();

  /**
   * Makes records of lines.
   *
   * @throws IllegalArgumentException if these have no word
   */
  JoinRecords(List<String> lines) {
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
    if (records.isEmpty()) {
      throw new IllegalArgumentException("there is no word in the text of the similarity join");
    }
    records.sort(Comparator.<int[]>comparingInt(r -> r.length).thenComparing(Arrays::compare));
  }

  /** Returns how many records there are. */
  int size() {
    return records.size();
  }

  /** Returns the tokens of a record, ascending: rare ones first. */
  int[] record(int number) {
    return records.get(number);
  }

  /** Returns all records in pages. */
  List<ByteBuffer> pages() {
    RowPages pages = new RowPages();
    for (int i = 0; i < records.size(); i++) {
      ByteBuffer row = pages.row();
      row.putInt(i).putInt(records.get(i).length);
      Arrays.stream(records.get(i)).forEach(row::putInt);
      pages.add();
    }
    return pages.end();
  }

  /** Returns the record that is a query's: spread evenly over all lengths. */
  int query(int number) {
    return (int) Math.unsignedMultiplyHigh((number + 1) * GOLDEN, records.size());
  }

  /** Returns query records from one number up to another, as a task takes them. */
  int[] queries(int from, int to) {
    return IntStream.range(from, to)
        .map(this::query)
        .flatMap(
            record ->
                IntStream.concat(
                    IntStream.of(record, records.get(record).length),
                    Arrays.stream(records.get(record))))
        .toArray();
  }

  /**
   * Returns with how many query records the work of a page reaches a number of comparisons, on
   * average; at most as many as there are records.
   */
  int queriesFor(RowStore store, Extent pages, long comparisonsAPage) throws IOException {
    long wanted = comparisonsAPage * pages.pages();
    int queries = 0;
    while (wanted > 0 && queries < records.size()) {
      try (RowTask task = new RowTask(0, queries(queries, queries + 1))) {
        for (int i = 0; i < pages.pages(); i++) {
          wanted -= task.process(Program.JOIN, store.read(pages, i)).tokens();
        }
      }
      queries++;
    }
    return queries;
  }
}
