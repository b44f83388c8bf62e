/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.config.Placement;

/** Stock Lucene and the device over the same reader, both without query cache. */
public final class BenchSides {
  private final IndexSearcher lucene;
  private final OffloadIndexSearcher offload;
  // Every result is put here, so that no run can be optimised away.
  private volatile Object sink;

  private final BenchEntry entry;

  /** Two searchers over a reader, without executor. */
  public BenchSides(IndexReader reader) {
    this(reader, BenchEntry.OWN);
  }

  /**
   * Two searchers over a reader, without executor.
   *
   * @param entry how kinds of work are asked for on our side
   */
  public BenchSides(IndexReader reader, BenchEntry entry) {
    this.entry = entry;
    lucene = new IndexSearcher(reader);
    lucene.setQueryCache(null);
    offload = new OffloadIndexSearcher(reader);
    offload.setQueryCache(null);
  }

  /** Says who answers on our side what the device can; before anything runs. Returns these. */
  public BenchSides placed(Placement placement) {
    offload.setPlacement(placement);
    return this;
  }

  /**
   * Runs a query on one side; from any thread.
   *
   * @param stock whether stock Lucene is to run it, not the device
   * @return the hits, the count, the doc IDs or the numbers, to be compared by {@link
   *     BenchKind#same}
   */
  public Object run(BenchKind kind, BenchTask task, boolean stock) throws IOException {
    if (stock) {
      return kind.lucene(lucene, task);
    }
    return switch (entry) {
      case OWN -> kind.offload(offload, task);
      case MANAGERS -> kind.managed(offload, task.query(), task);
      case QUERY -> kind.managed(lucene, new OffloadQuery(task.query()), task);
    };
  }

  /** Runs work that is asked for in the same words on both sides. */
  public Object run(BenchWork work, boolean stock) throws IOException {
    return work.run(stock ? lucene : offload);
  }

  /** Runs a query, and returns the microseconds that it takes. */
  public double time(BenchKind kind, BenchTask task, boolean stock) throws IOException {
    return timed(side -> run(kind, task, side), stock);
  }

  /** Runs some work, and returns the microseconds that it takes. */
  public double time(BenchWork work, boolean stock) throws IOException {
    return timed(side -> run(work, side), stock);
  }

  private double timed(IOFunction<Boolean, Object> timed, boolean stock) throws IOException {
    long start = System.nanoTime();
    Object result = timed.apply(stock);
    long end = System.nanoTime();
    sink = result;
    // The clock ticks in nanoseconds: nothing takes none.
    return Math.max(1, end - start) / 1e3;
  }
}
