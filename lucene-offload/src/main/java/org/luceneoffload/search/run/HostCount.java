/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.Weight;
import org.luceneoffload.report.Refusal;

/** Counts live matches as stock does, on the calling thread. */
public final class HostCount {
  private HostCount() {}

  /** Returns the number of matches in all segments of a query that stock is to answer, and why. */
  public static int of(OffloadContext offload, HostSearcher.Whole host, Query query, Refusal reason)
      throws IOException {
    List<LeafReaderContext> segments = host.searcher().getLeafContexts();
    segments.forEach(segment -> offload.leafOnHost(reason));
    return of(host, query, segments);
  }

  /**
   * Returns the number of matches in some segments, whole, of a query that is rewritten for no
   * scores.
   */
  public static int of(HostSearcher.Whole host, Query query, List<LeafReaderContext> segments)
      throws IOException {
    TotalHitCountCollector collector = new TotalHitCountCollector();
    Weight weight = host.createStockWeight(query, collector.scoreMode(), 1f, true);
    collector.setWeight(weight);
    for (LeafReaderContext segment : segments) {
      host.searchLeafStock(segment, 0, segment.reader().maxDoc(), weight, collector);
    }
    return collector.getTotalHits();
  }
}
