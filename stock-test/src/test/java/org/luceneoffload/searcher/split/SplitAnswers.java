/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.config.Placement;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** What plans that are split have to answer, in all modes that may be. */
final class SplitAnswers {
  private static final Sort BY_NUMBER = new Sort(new SortField("number", SortField.Type.LONG));

  private static final List<Aggregation<?>> AGGREGATIONS =
      List.of(
          Aggregation.stats("number"),
          Aggregation.histogram("number", 7),
          Aggregation.terms("group", 3),
          Aggregation.distinctTerms("group"));

  private SplitAnswers() {}

  static OffloadIndexSearcher searcher(IndexReader reader, Placement placement) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(placement);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** Compares all modes of plans with stock, and aggregations with the host. */
  static void same(OffloadIndexSearcher ours, Query query) throws IOException {
    IndexReader reader = ours.getIndexReader();
    IndexSearcher stock = SearcherTestCase.stock(reader);
    Answers.same(stock, query, ours, query);
    assertEquals(
        Answers.hits(stock.search(query, 30, BY_NUMBER)),
        Answers.hits(ours.search(query, 30, BY_NUMBER)),
        query.toString());
    Aggregation<?>[] asked = AGGREGATIONS.toArray(Aggregation<?>[]::new);
    AggregationResults expected = searcher(reader, Placement.NEVER).aggregate(query, asked);
    AggregationResults got = ours.aggregate(query, asked);
    assertEquals(stock.count(query), got.matches(), query.toString());
    for (Aggregation<?> aggregation : asked) {
      assertEquals(expected.get(aggregation), got.get(aggregation), query + " " + aggregation);
    }
  }
}
