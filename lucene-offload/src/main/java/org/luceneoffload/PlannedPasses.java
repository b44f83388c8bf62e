/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldDocs;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.config.Placement;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.nested.Passes;

/** The passes of aggregations that take several, as searches of a searcher. For one thread. */
final class PlannedPasses implements Passes {
  private final OffloadIndexSearcher searcher;
  private boolean onDevice;

  PlannedPasses(OffloadIndexSearcher searcher) {
    this.searcher = searcher;
  }

  @Override
  public AggregationResults aggregate(Query query, List<Aggregation<?>> plain) throws IOException {
    PlannedSearch search = new PlannedSearch(searcher, query);
    AggregationResults planned = search.aggregatePlanned(plain);
    onDevice = planned != null;
    return onDevice ? planned : search.onHost(plain);
  }

  @Override
  public boolean wasOnDevice() {
    return onDevice;
  }

  @Override
  public void tally(Query query, Tallies tallies) throws IOException {
    new PlannedSearch(searcher, query).tally(tallies);
  }

  @Override
  public TopFieldDocs sorted(Query query, int n, Sort sort) throws IOException {
    return searcher.search(query, n, sort);
  }

  @Override
  public IndexReader reader() {
    return searcher.getIndexReader();
  }

  @Override
  public boolean hostMayAnswer() {
    return searcher.active() == null
        || (!searcher.host.strict() && searcher.host.placement() != Placement.ALWAYS);
  }
}
