/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.device.task.HostProgram;

/**
 * Windows of docs of a segment that stock Lucene does of a plan, where the host has no engine for
 * them in the process. Only for what has the same bits wherever a segment is cut: counts, sort
 * keys, one score for all hits, sums of integers. For one plan and one thread.
 *
 * @param <C> collects what windows come to
 */
public final class StockWindows<C extends Collector> implements HostProgram.Compute {
  private final LeafReaderContext segment;
  private final IOSupplier<Weight> weights;
  private final IOSupplier<C> makers;
  private final List<C> collectors = new ArrayList<>();
  private Weight weight; // null before the first window
  private BulkScorer scorer; // null: nothing matches
  private LeafCollector leaf; // null: no more docs are wanted
  private int upto = Integer.MAX_VALUE;
  private Throwable failure;

  /**
   * @param weights makes the stock weight
   * @param makers makes a collector of ascending docs; more than one are needed if windows that the
   *     device hands back lie before others
   */
  public StockWindows(LeafReaderContext segment, IOSupplier<Weight> weights, IOSupplier<C> makers) {
    this.segment = segment;
    this.weights = weights;
    this.makers = makers;
  }

  /** Computes a window. What stock Lucene throws, {@link #rethrow} throws. */
  @Override
  public void compute(int minDoc, int limitDoc) throws IOException {
    try {
      if (minDoc < upto) {
        begin();
      }
      upto = limitDoc;
      score(minDoc, limitDoc);
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  private void begin() throws IOException {
    finish();
    if (weight == null) {
      weight = weights.get();
    }
    scorer = weight.bulkScorer(segment);
    C collector = makers.get();
    collectors.add(collector);
    try {
      leaf = collector.getLeafCollector(segment);
    } catch (CollectionTerminatedException e) {
      leaf = null;
    }
  }

  private void score(int minDoc, int limitDoc) throws IOException {
    if (scorer == null || leaf == null) {
      return;
    }
    try {
      scorer.score(leaf, segment.reader().getLiveDocs(), minDoc, limitDoc);
    } catch (CollectionTerminatedException e) {
      finish();
    }
  }

  private void finish() throws IOException {
    if (leaf != null) {
      leaf.finish();
      leaf = null;
    }
  }

  /** Ends the work; there are no more windows. */
  void end() throws IOException {
    try {
      finish();
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  /**
   * Returns the collectors of all windows that were done; none: the device has done all of them.
   */
  public List<C> collectors() {
    return collectors;
  }

  /** Returns whether stock Lucene has failed, so that the device is not to blame. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Throws what stock Lucene has thrown, if it has. */
  void rethrow() throws IOException {
    if (failure instanceof IOException io) {
      throw io;
    } else if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (failure instanceof Error error) {
      throw error;
    }
  }
}
