/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.classic.RowTask.Counts;
import org.luceneoffload.papers.classic.RowTask.Filtered;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.tasks.RowStore.Extent;
import org.luceneoffload.papers.tasks.TaskPage.Work;

/**
 * A program of the engine over stored pages, run in both ways, whole and as a filter with its rest,
 * page by page.
 *
 * @param pages what was done with each
 * @param whole result of the program
 * @param filtered result of the rest, over what the filter has let through
 */
record RowRun(List<TaskPage> pages, Map<Integer, long[]> whole, Map<Integer, long[]> filtered) {
  /**
   * Runs a program.
   *
   * @param store has the pages
   * @param parts pages of PART, of which a hash table is built first; null: none
   * @param queries query records of a join
   */
  static RowRun of(RowStore store, Extent extent, Program program, Extent parts, int... queries)
      throws IOException {
    List<TaskPage> pages = new ArrayList<>();
    try (RowTask one = task(store, parts, queries);
        RowTask device = new RowTask(0, queries);
        RowTask host = task(store, parts, queries)) {
      for (int i = 0; i < extent.pages(); i++) {
        Counts all = one.process(program, store.read(extent, i));
        Filtered filtered = device.filter(program, store.read(extent, i));
        Counts rest = host.rest(program, filtered.rows());
        pages.add(
            new TaskPage(work(all), work(filtered.counts()), work(rest), filtered.rows().limit()));
      }
      return new RowRun(pages, one.result(), host.result());
    }
  }

  private static RowTask task(RowStore store, Extent parts, int... queries) throws IOException {
    RowTask task = new RowTask(parts == null ? 0 : capacity(parts), queries);
    if (parts != null) {
      build(store, parts, task);
    }
    return task;
  }

  /** Returns whether two results have the same groups and sums; sums that one lacks are 0. */
  static boolean same(Map<Integer, long[]> one, Map<Integer, long[]> other) {
    boolean same = one.keySet().equals(other.keySet());
    for (Map.Entry<Integer, long[]> group : one.entrySet()) {
      long[] sums = other.getOrDefault(group.getKey(), new long[0]);
      int count = Math.max(sums.length, group.getValue().length);
      same &= Arrays.equals(Arrays.copyOf(sums, count), Arrays.copyOf(group.getValue(), count));
    }
    return same;
  }

  /** Returns an upper bound of the rows on the pages. */
  private static int capacity(Extent parts) {
    return Math.min(1 << 20, parts.pages() * RowTask.PAGE_BYTES / Long.BYTES);
  }

  /** Builds the hash table of a task, and returns what was done with each page. */
  private static List<Work> build(RowStore store, Extent parts, RowTask task) throws IOException {
    List<Work> work = new ArrayList<>();
    for (int i = 0; i < parts.pages(); i++) {
      work.add(work(task.process(Program.BUILD, store.read(parts, i))));
    }
    return work;
  }

  /** Returns what the build phase does with each page. */
  static List<TaskPage> build(RowStore store, Extent parts) throws IOException {
    try (RowTask task = new RowTask(capacity(parts))) {
      return build(store, parts, task).stream()
          .map(work -> new TaskPage(work, work, Work.NONE, 0))
          .toList();
    }
  }

  private static Work work(Counts counts) {
    return new Work(counts.rows(), counts.values(), counts.tokens());
  }
}
