/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.searcher;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;

/**
 * A searcher of stock Lucene, as a rule on one thread, perhaps with the statistics of many indexes.
 * It makes slices and cuts segments as the one under test does, since that shows: the frequency of
 * a synonym is a sum of floats, in an order that depends on where the scorer began, and sorting
 * over a sorted index may leave hits out for what was found in the same slice.
 */
public final class StockSearcher extends IndexSearcher {
  // Slices are made on the first search; by then the constructor is through.
  private final Executor executor;
  private final int partitionDocs;
  private final Predicate<LeafReaderContext> isCut;
  private final boolean distributed;

  /**
   * @param executor runs slices; null: there are none
   * @param partitionDocs most documents of a partition; 0: segments stay whole
   */
  public StockSearcher(
      IndexReader reader, Executor executor, int partitionDocs, boolean distributed) {
    this(reader, executor, partitionDocs, context -> partitionDocs > 0, distributed);
  }

  private StockSearcher(
      IndexReader reader,
      Executor executor,
      int partitionDocs,
      Predicate<LeafReaderContext> isCut,
      boolean distributed) {
    super(reader, executor);
    this.executor = executor;
    this.partitionDocs = partitionDocs;
    this.isCut = isCut;
    this.distributed = distributed;
  }

  /** Another one that is set up the same way, without a cache. */
  public StockSearcher another() {
    return another(executor, isCut);
  }

  /** The same for one that does not cut segments. */
  public StockSearcher whole() {
    return cutting(context -> false);
  }

  /** The same for one that cuts only some of the segments. */
  public StockSearcher cutting(Predicate<LeafReaderContext> some) {
    return another(executor, some);
  }

  /** The same for one that searches slices at the same time. */
  public StockSearcher in(Executor pool) {
    return another(pool, isCut);
  }

  private StockSearcher another(Executor runner, Predicate<LeafReaderContext> some) {
    StockSearcher other =
        new StockSearcher(getIndexReader(), runner, partitionDocs, some, distributed);
    other.setSimilarity(getSimilarity());
    other.setQueryCache(null);
    return other;
  }

  @Override
  protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
    Map<Boolean, List<LeafReaderContext>> byCut =
        leaves.stream().collect(Collectors.partitioningBy(isCut));
    LeafSlice[] parts = cut(byCut.get(true), partitionDocs);
    LeafSlice[] wholes = super.slices(byCut.get(false));
    return Stream.of(parts, wholes).flatMap(Stream::of).toArray(LeafSlice[]::new);
  }

  /** Slices of at most two segments or parts of so many documents. */
  public static LeafSlice[] cut(List<LeafReaderContext> leaves, int partitionDocs) {
    return slices(leaves, partitionDocs, 2, true);
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

  /** Returns a field's statistics as they would be if there were more indexes like this. */
  public static CollectionStatistics ofMany(CollectionStatistics own) {
    return own == null
        ? null
        : new CollectionStatistics(
            own.field(),
            own.maxDoc() * 10,
            own.docCount() * 9,
            own.sumTotalTermFreq() * 11,
            own.sumDocFreq() * 10);
  }

  /** Returns a term's statistics as they would be if there were more indexes like this. */
  public static TermStatistics ofMany(TermStatistics own) {
    return new TermStatistics(own.term(), own.docFreq() * 3, own.totalTermFreq() * 5);
  }
}
