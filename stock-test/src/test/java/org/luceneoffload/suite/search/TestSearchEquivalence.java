/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.search;

import java.util.HashSet;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.tests.search.SearchEquivalenceTestBase;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.suite.Sampling;
import org.luceneoffload.suite.SuiteDevice;

/**
 * Lucene's laws of Boolean search, with our searcher on the left and stock's on the right: what
 * holds between two queries must hold between the two searchers.
 */
public class TestSearchEquivalence extends SearchEquivalenceTestBase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withSearches();

  /** Puts the searchers under. */
  @BeforeClass
  public static void putSearchersUnder() {
    s1 = new OffloadIndexSearcher(reader);
    s2 = new IndexSearcher(reader);
    for (IndexSearcher searcher : new IndexSearcher[] {s1, s2}) {
      searcher.setSimilarity(new BM25Similarity());
      searcher.setQueryCache(null);
    }
  }

  private static Query bool(Object... clauses) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < clauses.length; i += 2) {
      Object query = clauses[i + 1];
      builder.add(
          query instanceof Term term ? new TermQuery(term) : (Query) query, (Occur) clauses[i]);
    }
    return builder.build();
  }

  private static Query atLeast(int matching, Object... clauses) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Object term : clauses) {
      builder.add(new TermQuery((Term) term), Occur.SHOULD);
    }
    return builder.setMinimumNumberShouldMatch(matching).build();
  }

  /** Every query equals itself. */
  public void testRandomTreesEqualThemselves() throws Exception {
    QueryShapes shapes = new QueryShapes(random(), this::randomTerm);
    int rounds = Sampling.LONG ? atLeast(100) : 15;
    for (int i = 0; i < rounds; i++) {
      Query query = shapes.any();
      assertSameScores(query, query);
      SameAnswers.check(s2, s1, query, 1 + random().nextInt(20));
      SameAnswers.check(s2, s1, query, reader.maxDoc());
    }
  }

  /** A AND B is in A. */
  public void testConjunctionNarrows() throws Exception {
    Term a = randomTerm();
    assertSubsetOf(bool(Occur.MUST, a, Occur.MUST, randomTerm()), new TermQuery(a));
  }

  /** A is in A OR B. */
  public void testDisjunctionWidens() throws Exception {
    Term a = randomTerm();
    assertSubsetOf(new TermQuery(a), bool(Occur.SHOULD, a, Occur.SHOULD, randomTerm()));
  }

  /** A NOT B is in A. */
  public void testExclusionNarrows() throws Exception {
    Term a = randomTerm();
    assertSubsetOf(bool(Occur.MUST, a, Occur.MUST_NOT, randomTerm()), new TermQuery(a));
  }

  /** A AND B is A with B as a filter. */
  public void testFilterIsMustWithoutScore() throws Exception {
    Term a = randomTerm();
    Term b = randomTerm();
    assertSameSet(bool(Occur.MUST, a, Occur.MUST, b), bool(Occur.MUST, a, Occur.FILTER, b));
    assertSameScores(
        bool(Occur.MUST, a, Occur.FILTER, b),
        bool(Occur.MUST, a, Occur.MUST, new BoostQuery(new TermQuery(b), 0)));
  }

  /** Clauses commute. */
  public void testOrderOfClauses() throws Exception {
    Term a = randomTerm();
    Term b = randomTerm();
    Term c = randomTerm();
    assertSameScores(bool(Occur.MUST, a, Occur.MUST, b), bool(Occur.MUST, b, Occur.MUST, a));
    assertSameScores(
        bool(Occur.SHOULD, a, Occur.SHOULD, b, Occur.SHOULD, c),
        bool(Occur.SHOULD, c, Occur.SHOULD, a, Occur.SHOULD, b));
  }

  /** A required clause and an optional one, and the same nested. */
  public void testRequiredAndOptional() throws Exception {
    Term a = randomTerm();
    Term b = randomTerm();
    assertSameSet(bool(Occur.MUST, a, Occur.SHOULD, b), new TermQuery(a));
    assertSameScores(
        bool(Occur.MUST, a, Occur.SHOULD, b),
        bool(Occur.MUST, a, Occur.SHOULD, bool(Occur.SHOULD, b)));
  }

  /** (A AND B) AND C is A AND B AND C; and with OR. */
  public void testNesting() throws Exception {
    Term a = randomTerm();
    Term b = randomTerm();
    Term c = randomTerm();
    assertSameSet(
        bool(Occur.MUST, bool(Occur.MUST, a, Occur.MUST, b), Occur.MUST, c),
        bool(Occur.MUST, a, Occur.MUST, b, Occur.MUST, c));
    assertSameSet(
        bool(Occur.SHOULD, bool(Occur.SHOULD, a, Occur.SHOULD, b), Occur.SHOULD, c),
        bool(Occur.SHOULD, a, Occur.SHOULD, b, Occur.SHOULD, c));
    assertSameSet(
        bool(Occur.MUST, a, Occur.MUST, bool(Occur.SHOULD, b, Occur.SHOULD, c)),
        bool(
            Occur.SHOULD,
            bool(Occur.MUST, a, Occur.MUST, b),
            Occur.SHOULD,
            bool(Occur.MUST, a, Occur.MUST, c)));
  }

  /** At least one is OR, all is AND, and each step narrows. */
  public void testAtLeast() throws Exception {
    Term[] terms = new Term[2 + random().nextInt(4)];
    for (int i = 0; i < terms.length; i++) {
      terms[i] = randomTerm();
    }
    for (int matching = 1; matching < terms.length; matching++) {
      assertSubsetOf(atLeast(matching + 1, (Object[]) terms), atLeast(matching, (Object[]) terms));
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (Term term : terms) {
      all.add(new TermQuery(term), Occur.MUST);
    }
    if (distinct(terms).length == terms.length) {
      assertSameSet(atLeast(terms.length, (Object[]) terms), all.build());
    }
  }

  private static Object[] distinct(Term[] terms) {
    return new HashSet<>(List.of(terms)).toArray();
  }

  /** A constant score changes no match, and is that score. */
  public void testConstantScore() throws Exception {
    QueryShapes shapes = new QueryShapes(random(), this::randomTerm);
    for (int i = 0; i < 5; i++) {
      Query query = shapes.any();
      assertSameSet(new ConstantScoreQuery(query), query);
      assertSameScores(
          new ConstantScoreQuery(query), new BoostQuery(new ConstantScoreQuery(query), 1));
    }
  }
}
