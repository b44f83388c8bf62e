/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.config.Placement;

/** The part of a searcher that a weight that offloads calls back. */
public interface HostSearcher {
  /** Returns the searcher itself. */
  IndexSearcher searcher();

  /**
   * Creates the stock weight of a rewritten query and of all its parts.
   *
   * @param cached whether the query cache may take part, if no scores are needed
   */
  Weight createStockWeight(Query query, ScoreMode scoreMode, float boost, boolean cached)
      throws IOException;

  /** Returns who answers what the device can. */
  Placement placement();

  /** Returns whether trouble is an error. */
  boolean strict();

  /** The part that whole searches need besides, which only a searcher of ours has to give. */
  interface Whole extends HostSearcher {
    /** Searches a range of a segment as {@link IndexSearcher} does, timeouts included. */
    void searchLeafStock(
        LeafReaderContext context, int minDoc, int maxDoc, Weight weight, Collector collector)
        throws IOException;

    /** Makes {@link IndexSearcher#timedOut()} true. */
    void markTimedOut();
  }
}
