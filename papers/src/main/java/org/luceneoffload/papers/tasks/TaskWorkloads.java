/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** The paper's four workloads, run once. */
final class TaskWorkloads {
  /**
   * Comparisons of tokens that a page of the join needs for the paper's 0.93 of the time in which
   * it crosses the link (41 us, 0.63 ns a comparison). As many query records are joined as make it
   * so many.
   */
  static final long COMPARISONS_A_PAGE = 61_000;

  private final List<Workload> all = new ArrayList<>();
  private final TitleJoin join;
  private final int queries;
  private final TitleJoin.Run joined;

  /**
   * Runs the queries over a table, and the join over a text.
   *
   * @param text records, one a line
   * @param tablePages pages of the table that the queries run over
   * @throws IllegalArgumentException if the text has no word
   */
  TaskWorkloads(List<String> text, int tablePages) {
    join = new TitleJoin(text);
    if (join.size() == 0) {
      throw new IllegalArgumentException("there is no word in the text of the similarity join");
    }
    for (LineItemQuery query : LineItemQuery.values()) {
      all.add(new Workload(query.name(), query.run(tablePages).pages()));
    }
    queries = join.queriesFor(COMPARISONS_A_PAGE);
    joined = join.run(queries, TitleJoin.Rule.PUBLISHED);
    all.add(new Workload("join", joined.pages()));
  }

  /** Returns queries 1, 6 and 14, and the join. */
  List<Workload> all() {
    return all;
  }

  Workload of(LineItemQuery query) {
    return all.get(query.ordinal());
  }

  Workload ofJoin() {
    return all.get(all.size() - 1);
  }

  TitleJoin join() {
    return join;
  }

  /** Returns how many query records are joined with all. */
  int queries() {
    return queries;
  }

  /** Returns how many pairs the algorithm as printed finds. */
  int published() {
    return joined.pairs().size();
  }
}
