/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.opensearch.search.internal.ContextIndexSearcher;

/**
 * The searcher for which weights are made that the device, or both sides, answer. Statistics are
 * those of the search, which may be the whole cluster's.
 */
final class PartSearcher extends IndexSearcher {
  private final ContextIndexSearcher context;

  PartSearcher(ContextIndexSearcher context) {
    super(context.getTopReaderContext());
    this.context = context;
    setSimilarity(context.getSimilarity());
    // Weights are cached by the searcher around this one, and under the query that it knows.
    setQueryCache(null);
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
