/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;

/** A searcher of stock Lucene, perhaps with the statistics of many indexes. */
final class StockSearcher extends IndexSearcher {
  private final boolean distributed;

  StockSearcher(IndexReader reader, boolean distributed) {
    super(reader);
    this.distributed = distributed;
  }

  boolean isDistributed() {
    return distributed;
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics own = super.collectionStatistics(field);
    return distributed ? ofMany(own) : own;
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    TermStatistics own = super.termStatistics(term, docFreq, totalTermFreq);
    return distributed ? ofMany(own) : own;
  }

  /** What a field would be like if there were more indexes like this. */
  static CollectionStatistics ofMany(CollectionStatistics own) {
    return own == null
        ? null
        : new CollectionStatistics(
            own.field(),
            own.maxDoc() * 10,
            own.docCount() * 9,
            own.sumTotalTermFreq() * 11,
            own.sumDocFreq() * 10);
  }

  /** What a term would be like if there were more indexes like this. */
  static TermStatistics ofMany(TermStatistics own) {
    return new TermStatistics(own.term(), own.docFreq() * 3, own.totalTermFreq() * 5);
  }
}
