/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.luceneoffload.OffloadIndexSearcher;

/** Stock Lucene and the device over the same reader, both without query cache. */
public final class BenchSides {
  private final IndexSearcher lucene;
  private final OffloadIndexSearcher offload;
  // Every result is put here, so that no run can be optimised away.
  private volatile Object sink;

  /** Two searchers over a reader, without executor. */
  public BenchSides(IndexReader reader) {
    lucene = new IndexSearcher(reader);
    lucene.setQueryCache(null);
    offload = new OffloadIndexSearcher(reader);
    offload.setQueryCache(null);
  }

  /**
   * Runs a query on one side; from any thread.
   *
   * @param stock whether stock Lucene is to run it, not the device
   * @return the hits, the count, the doc IDs or the numbers, to be compared by {@link
   *     BenchKind#same}
   */
  public Object run(BenchKind kind, BenchTask task, boolean stock) throws IOException {
    return stock ? kind.lucene(lucene, task) : kind.offload(offload, task);
  }

  /** The microseconds that a query takes. */
  public double time(BenchKind kind, BenchTask task, boolean stock) throws IOException {
    long start = System.nanoTime();
    Object result = run(kind, task, stock);
    long end = System.nanoTime();
    sink = result;
    // The clock ticks in nanoseconds: nothing takes none.
    return Math.max(1, end - start) / 1e3;
  }
}
