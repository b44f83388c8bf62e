/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.luceneoffload.papers.classic.Recording;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.classic.RowTask.Counts;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.tasks.RowStore.Extent;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire.ModelWork;
import org.luceneoffload.wire.OffloadWire.TaskMode;

/**
 * A program of the engine over stored pages, run whole, and as a filter with its rest: the device
 * runs it as tasks, page by page, and counts what it does.
 *
 * @param pages what was done with each
 * @param build what was done before with each page of PART
 * @param whole result of the program
 * @param filtered result of the rest, over what the filter has let through
 * @param shared result of both sides, if the host does what the device's queue refuses
 */
record RowRun(
    List<TaskPage> pages,
    List<TaskPage> build,
    Map<Integer, long[]> whole,
    Map<Integer, long[]> filtered,
    Map<Integer, long[]> shared) {
  /**
   * Runs a program.
   *
   * @param store has the pages
   * @param parts pages of PART, of which a hash table is built first; none without a join
   * @param queries query records of a join
   */
  static RowRun of(RowStore store, Extent extent, Program program, Extent parts, int... queries)
      throws IOException {
    Map<Integer, long[]> whole;
    List<Work> all;
    try (RowSession task =
        new RowSession(store, program, extent, parts, TaskMode.STATIC, queries)) {
      for (int i = 0; i < extent.pages(); i++) {
        if (!task.process(i)) {
          throw new IllegalStateException("a task of mode STATIC has refused page " + i);
        }
      }
      whole = task.result();
      all = work(task.recorded());
    }
    List<TaskPage> build =
        all.subList(0, parts.pages()).stream()
            .map(work -> new TaskPage(work, work, Work.NONE, 0))
            .toList();
    List<TaskPage> pages = new ArrayList<>();
    Map<Integer, long[]> filtered =
        filter(
            store, extent, program, parts, all.subList(parts.pages(), all.size()), pages, queries);
    Map<Integer, long[]> shared = share(store, extent, program, parts, queries);
    return new RowRun(pages, build, whole, filtered, shared);
  }

  /** Begins the host's half, with the hash table built. */
  private static RowTask host(RowStore store, Extent parts, int... queries) throws IOException {
    RowTask host = new RowTask(RowTask.capacity(parts.pages()), queries);
    for (int i = 0; i < parts.pages(); i++) {
      host.process(Program.BUILD, store.read(parts, i));
    }
    return host;
  }

  /** Has the device do what its queue takes, and the host the rest: dynamic placement. */
  private static Map<Integer, long[]> share(
      RowStore store, Extent extent, Program program, Extent parts, int... queries)
      throws IOException {
    try (RowSession device =
            new RowSession(store, program, extent, parts, TaskMode.DYNAMIC, queries);
        RowTask host = host(store, parts, queries)) {
      for (int i = 0; i < extent.pages(); i++) {
        if (!device.process(i)) {
          host.process(program, store.read(extent, i));
        }
      }
      Map<Integer, long[]> all = device.result();
      host.result()
          .forEach(
              (group, sums) ->
                  all.merge(
                      group,
                      sums,
                      (one, other) -> {
                        long[] both = one.clone();
                        Arrays.setAll(both, k -> one[k] + other[k]);
                        return both;
                      }));
      return all;
    }
  }

  /** Has the device filter all pages, and the host do the rest, which has built the hash table. */
  private static Map<Integer, long[]> filter(
      RowStore store,
      Extent extent,
      Program program,
      Extent parts,
      List<Work> all,
      List<TaskPage> pages,
      int... queries)
      throws IOException {
    try (RowSession device =
            new RowSession(store, program, extent, Extent.NONE, TaskMode.HAND, queries);
        RowTask host = host(store, parts, queries)) {
      List<Work> rests = new ArrayList<>();
      for (int i = 0; i < extent.pages(); i++) {
        rests.add(work(host.rest(program, device.filter(i))));
      }
      device.result();
      List<Recording.Task> recorded = device.recorded();
      List<Work> filters = work(recorded);
      for (int i = 0; i < extent.pages(); i++) {
        pages.add(
            new TaskPage(all.get(i), filters.get(i), rests.get(i), recorded.get(i).restBytes()));
      }
      return host.result();
    }
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

  private static List<Work> work(List<Recording.Task> tasks) {
    return tasks.stream()
        .map(
            task ->
                new Work(
                    task.work()[ModelWork.TUPLE_READ],
                    task.work()[ModelWork.COLUMN_READ],
                    task.work()[ModelWork.TOKEN_COMPARE]))
        .toList();
  }

  private static Work work(Counts counts) {
    return new Work(counts.rows(), counts.values(), counts.tokens());
  }
}
