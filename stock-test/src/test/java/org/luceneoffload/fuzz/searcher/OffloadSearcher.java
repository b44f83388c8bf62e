/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.searcher;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.luceneoffload.OffloadIndexSearcher;

/** An application's subclass: cuts segments into partitions, or has statistics of its own. */
public final class OffloadSearcher extends OffloadIndexSearcher {
  // Slices are made on the first search; by then the constructor is through.
  private final int partitionDocs;
  private final boolean distributed;

  /**
   * @param partitionDocs most documents of a partition; 0: slices are stock's
   */
  public OffloadSearcher(
      IndexReader reader, Executor executor, int partitionDocs, boolean distributed) {
    super(reader, executor);
    this.partitionDocs = partitionDocs;
    this.distributed = distributed;
  }

  @Override
  protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
    return partitionDocs == 0 ? super.slices(leaves) : StockSearcher.cut(leaves, partitionDocs);
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics own = super.collectionStatistics(field);
    return distributed ? StockSearcher.ofMany(own) : own;
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    TermStatistics own = super.termStatistics(term, docFreq, totalTermFreq);
    return distributed ? StockSearcher.ofMany(own) : own;
  }
}
