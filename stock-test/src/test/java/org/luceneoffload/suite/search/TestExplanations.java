/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.search;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.tests.search.BaseExplanationTestCase;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.suite.SuiteDevice;

/** Lucene's checks that explanations, hits and scores agree, with our searcher. */
public class TestExplanations extends BaseExplanationTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withSearches();

  /** Puts our searcher under. */
  @BeforeClass
  public static void putSearcherUnder() {
    searcher = new OffloadIndexSearcher(reader);
    searcher.setSimilarity(new BM25Similarity());
  }

  private static Query term(String text) {
    return new TermQuery(new Term(FIELD, text));
  }

  private static Query bool(Object... clauses) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < clauses.length; i += 2) {
      builder.add(
          clauses[i + 1] instanceof String text ? term(text) : (Query) clauses[i + 1],
          (Occur) clauses[i]);
    }
    return builder.build();
  }

  private void both(Query query, int... docs) throws Exception {
    qtest(query, docs);
    bqtest(query, docs);
  }

  /** Terms. */
  public void testTerms() throws Exception {
    both(term("w1"), 0, 1, 2, 3);
    both(term("w4"), 0);
    both(term("xx"), 2, 3);
    both(new BoostQuery(term("yy"), 100), 2, 3);
    both(term("nowhere"));
  }

  /** AND, OR and NOT. */
  public void testFlat() throws Exception {
    both(bool(Occur.MUST, "w2", Occur.MUST, "xx"), 2, 3);
    both(bool(Occur.SHOULD, "w4", Occur.SHOULD, "zz"), 0, 1, 3);
    both(bool(Occur.MUST, "w1", Occur.MUST_NOT, "xx"), 0, 1);
    both(bool(Occur.MUST, "w1", Occur.SHOULD, "zz"), 0, 1, 2, 3);
    both(bool(Occur.MUST, "w1", Occur.FILTER, "zz"), 1, 3);
    both(bool(Occur.FILTER, "w1", Occur.MUST_NOT, "zz"), 0, 2);
    both(bool(Occur.MUST, "w1", Occur.MUST_NOT, "w1"));
  }

  /** Trees. */
  public void testNested() throws Exception {
    both(bool(Occur.MUST, "w1", Occur.MUST, bool(Occur.SHOULD, "w5", Occur.SHOULD, "yy")), 0, 2, 3);
    both(
        bool(
            Occur.SHOULD,
            bool(Occur.MUST, "w2", Occur.MUST_NOT, "xx"),
            Occur.SHOULD,
            new BoostQuery(bool(Occur.MUST, "yy", Occur.MUST, "w3"), 3)),
        0,
        1,
        2,
        3);
    both(
        bool(Occur.MUST, new ConstantScoreQuery(bool(Occur.SHOULD, "w4", Occur.SHOULD, "zz"))),
        0,
        1,
        3);
    both(bool(Occur.MUST, MatchAllDocsQuery.INSTANCE, Occur.MUST_NOT, "zz"), 0, 2);
  }

  /** At least n of them. */
  public void testAtLeast() throws Exception {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String text : new String[] {"w2", "w3", "zz", "yy"}) {
      builder.add(term(text), Occur.SHOULD);
    }
    both(builder.setMinimumNumberShouldMatch(3).build(), 1, 2, 3);
  }

  /** Explanations are those of the stock searcher. */
  public void testSameAsStock() throws Exception {
    IndexSearcher stock = new IndexSearcher(reader);
    stock.setSimilarity(searcher.getSimilarity());
    QueryShapes shapes =
        new QueryShapes(random(), () -> new Term(FIELD, "w" + (1 + random().nextInt(5))));
    for (int i = 0; i < 30; i++) {
      Query query = shapes.any();
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        assertEquals(stock.explain(query, doc).toString(), searcher.explain(query, doc).toString());
      }
    }
  }
}
