/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.Weight;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/** What a search knows of a query that plans cannot express is not found out a second time. */
class TestHandovers extends SearcherTestCase {
  /** A query of a kind of its own that counts how often it is rewritten. */
  private static final class Own extends Query {
    private final Query inner = Words.term("w3");
    private int rewrites;

    @Override
    public Query rewrite(IndexSearcher searcher) {
      rewrites++;
      return this;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
        throws IOException {
      return inner.createWeight(searcher, scoreMode, boost);
    }

    @Override
    public void visit(QueryVisitor visitor) {
      visitor.visitLeaf(this);
    }

    @Override
    public String toString(String field) {
      return "own";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Own;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static final Sort BY_NUMBER =
      new Sort(new SortField("number", SortField.Type.LONG), SortField.FIELD_SCORE);

  @Test
  void rewrittenOnce() throws IOException {
    Own own = new Own();
    stock(reader).search(own, 10);
    int once = own.rewrites;
    assertTrue(once > 0);
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.search(own, 10);
    assertEquals(2 * once, own.rewrites);
    searcher.search(own, 10, BY_NUMBER);
    assertTrue(own.rewrites <= 4 * once, own.rewrites + " times");
  }

  @Test
  void refusedOnce() throws IOException {
    Query sloppy = new PhraseQuery(70_000, "body", "w0", "w1");
    Query both =
        new BooleanQuery.Builder()
            .add(Words.term("w2"), Occur.SHOULD)
            .add(sloppy, Occur.SHOULD)
            .build();
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    for (Query query : new Query[] {sloppy, both, new Own()}) {
      long before = stats().get(Counter.QUERIES_REFUSED);
      assertEquals(
          Answers.hits(stock(reader).search(query, 10)), Answers.hits(searcher.search(query, 10)));
      assertEquals(before + 1, stats().get(Counter.QUERIES_REFUSED), query::toString);
      same(reader, query);
      assertEquals(
          Answers.hits(stock(reader).search(query, 10, BY_NUMBER)),
          Answers.hits(searcher.search(query, 10, BY_NUMBER)));
    }
  }
}
