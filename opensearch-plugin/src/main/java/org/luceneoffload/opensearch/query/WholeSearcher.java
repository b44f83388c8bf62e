/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.opensearch.search.internal.ContextIndexSearcher;

/**
 * The searcher of requests that the device answers as a whole. Statistics are those of the search,
 * which may be the whole cluster's.
 */
final class WholeSearcher extends OffloadIndexSearcher {
  private final ContextIndexSearcher context;

  WholeSearcher(ContextIndexSearcher context, IndexOffload index) {
    super(context.getTopReaderContext());
    this.context = context;
    setSimilarity(context.getSimilarity());
    setQueryCache(null);
    setPlacement(index.placement());
    if (context.hasCancellations()) {
      setTimeout(context.getTimeout());
    }
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    return context.termStatistics(term, docFreq, totalTermFreq);
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    return context.collectionStatistics(field);
  }
}
