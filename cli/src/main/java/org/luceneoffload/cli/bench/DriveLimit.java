/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.luceneoffload.cli.bench.machine.PageCache;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.workload.QueryShape;

/**
 * The least time that the drive takes for what cold queries read: the same pages once more, after
 * they were dropped from the system's cache, {@value #DEPTH} of them at once.
 */
final class DriveLimit {
  /** Pages asked for at once. */
  static final int DEPTH = 32;

  private final PageCache cache;
  private final int[] pages;
  private final double[] micros; // of the best round, at least 1
  private Set<PageCache.Page> before = Set.of();

  DriveLimit(PageCache cache, int queries) {
    this.cache = cache;
    pages = new int[queries];
    micros = new double[queries];
    Arrays.fill(micros, Double.MAX_VALUE);
  }

  /** Notes what is in the cache before a query runs: a program may have mapped it. */
  void begin() {
    before = cache.cached();
  }

  /** Reads again what a query has brought into the cache; its reader must be closed by now. */
  void end(int query) {
    List<PageCache.Page> read = new ArrayList<>(cache.cached());
    read.removeAll(before);
    cache.drop();
    double took = Math.max(1, cache.read(read, DEPTH));
    if (took < micros[query]) {
      micros[query] = took;
      pages[query] = read.size();
    }
  }

  /**
   * Returns a row over the queries of a shape.
   *
   * @param offloadMicros what each query took on our side, its best round
   */
  BenchReport.DriveRow row(QueryShape shape, int[] queries, double[] offloadMicros) {
    double limit = BenchTimes.mean(micros, queries);
    return new BenchReport.DriveRow(
        shape.name(),
        queries.length,
        Figures.round(Arrays.stream(queries).mapToDouble(i -> pages[i]).average().orElse(0)),
        Figures.round(limit),
        Figures.round(BenchTimes.mean(offloadMicros, queries) / limit));
  }
}
