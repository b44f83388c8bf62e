/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.tasks.RowStore.Extent;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** The paper's four workloads: stored, and run once by the engine. */
final class TaskWorkloads {
  /**
   * Comparisons of tokens that a page of the join needs for the paper's 0.93 of the time in which
   * it crosses the link. As many query records are joined as make it so many. The paper does not
   * say how many there are; {@link TaskFit} fits this.
   */
  static final long COMPARISONS_A_PAGE = 22_100;

  /** Bytes of an entry of the hash table. */
  private static final int ENTRY_BYTES = 8;

  private final List<Workload> all = new ArrayList<>();
  private final List<RowRun> runs = new ArrayList<>();
  private final int records;
  private final int queries;
  private final long pairs;
  private final long exactPairs;

  /**
   * Runs the queries over the tables, and the join over a text.
   *
   * @param text records, one a line
   * @param scale of the tables
   * @throws IllegalArgumentException if the text has no word
   */
  TaskWorkloads(List<String> text, double scale) throws IOException {
    JoinRecords join = new JoinRecords(text);
    records = join.size();
    try (RowStore store = new RowStore()) {
      runTables(store, scale);
      Extent pages = store.store(join.pages());
      queries = join.queriesFor(store, pages, COMPARISONS_A_PAGE);
      int[] words = join.queries(0, queries);
      RowRun run = RowRun.of(store, pages, Program.JOIN, Extent.NONE, words);
      pairs = run.whole().get(0)[0];
      exactPairs =
          RowRun.of(store, pages, Program.JOIN_EXACT, Extent.NONE, words).whole().get(0)[0];
      runs.add(run);
      all.add(new Workload("join", run.pages()));
    }
  }

  private void runTables(RowStore store, double scale) throws IOException {
    for (Workload workload : tables(store, scale, runs)) {
      all.add(workload);
    }
  }

  /** Runs the queries over the tables, and adds what was found to {@code runs}. */
  static List<Workload> tables(RowStore store, double scale, List<RowRun> runs) throws IOException {
    TpchTables tables = new TpchTables(scale);
    Extent items = store.store(tables.itemPages());
    Extent parts = store.store(tables.partPages());
    List<Workload> workloads = new ArrayList<>();
    for (TpchQuery query : TpchQuery.values()) {
      boolean joins = query == TpchQuery.Q14;
      RowRun run = RowRun.of(store, items, query.program(), joins ? parts : Extent.NONE);
      runs.add(run);
      long rows = run.build().stream().mapToLong(page -> page.all().rows()).sum();
      workloads.add(
          new Workload(
              query.name(), run.pages(), run.build(), Math.toIntExact(rows * ENTRY_BYTES)));
    }
    return workloads;
  }

  /** Returns queries 1, 6 and 14, and the join. */
  List<Workload> all() {
    return all;
  }

  Workload of(TpchQuery query) {
    return all.get(query.ordinal());
  }

  /**
   * Returns whether a filter with its rest, and both sides with shared pages, have found what the
   * whole program has, everywhere.
   */
  boolean sidesAgree() {
    return runs.stream()
        .allMatch(
            run ->
                RowRun.same(run.whole(), run.filtered()) && RowRun.same(run.whole(), run.shared()));
  }

  /** Returns what a query has found. */
  RowRun run(TpchQuery query) {
    return runs.get(query.ordinal());
  }

  Workload ofJoin() {
    return all.get(all.size() - 1);
  }

  /** Returns how many records are joined. */
  int records() {
    return records;
  }

  /** Returns how many query records are joined with all. */
  int queries() {
    return queries;
  }

  /** Returns how many pairs the algorithm as printed finds. */
  long pairs() {
    return pairs;
  }

  /** Returns how many pairs there are. */
  long exactPairs() {
    return exactPairs;
  }
}
