/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.MatchesIterator;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** A query that is offloaded under searchers that know nothing of it. */
class TestOffloadQuery extends SearcherTestCase {
  /** Stands where an OffloadQuery stands, and does nothing: what it must be the same as. */
  private static class Opaque extends Query {
    private final Query in;

    Opaque(Query in) {
      this.in = in;
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
      Query rewritten = in.rewrite(searcher);
      return rewritten == in
          ? this
          : rewritten instanceof MatchNoDocsQuery ? rewritten : new Opaque(rewritten);
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
        throws IOException {
      return in.createWeight(searcher, scoreMode, boost);
    }

    @Override
    public void visit(QueryVisitor visitor) {
      in.visit(visitor);
    }

    @Override
    public String toString(String field) {
      return "Opaque(" + in.toString(field) + ")";
    }

    @Override
    public boolean equals(Object other) {
      return sameClassAs(other) && in.equals(((Opaque) other).in);
    }

    @Override
    public int hashCode() {
      return 31 * classHash() + in.hashCode();
    }
  }

  @Test
  void randomQueriesUnderAStockSearcher() throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < 15; i++) {
            same(reader, words.query());
          }
        });
  }

  @Test
  void equalsHashCodeAndText() {
    Query query = Words.bool("+w1 w2");
    OffloadQuery wrapped = new OffloadQuery(query);
    assertEquals(wrapped, new OffloadQuery(Words.bool("+w1 w2")));
    assertEquals(wrapped.hashCode(), new OffloadQuery(Words.bool("+w1 w2")).hashCode());
    assertNotEquals(wrapped, query);
    assertNotEquals(query, wrapped);
    assertNotEquals(wrapped, new OffloadQuery(Words.bool("+w1 w3")));
    assertEquals("OffloadQuery(+w1 w2)", wrapped.toString("body"));
    assertEquals("OffloadQuery(+body:w1 body:w2)", wrapped.toString());
    assertSame(query, wrapped.getQuery());
    assertThrows(NullPointerException.class, () -> new OffloadQuery(null));
  }

  @Test
  void rewrites() throws IOException {
    IndexSearcher searcher = stock(reader);
    OffloadQuery flat = new OffloadQuery(Words.bool("w1 w2"));
    assertSame(flat, searcher.rewrite(flat));
    assertEquals(flat, searcher.rewrite(new OffloadQuery(flat)));
    Query nested =
        new BooleanQuery.Builder()
            .add(Words.bool("w1 w2"), Occur.SHOULD)
            .add(Words.term("w3"), Occur.SHOULD)
            .build();
    Query rewritten = searcher.rewrite(new OffloadQuery(nested));
    assertEquals(new OffloadQuery(searcher.rewrite(nested)), rewritten);
    assertSame(rewritten, rewritten.rewrite(searcher));
    Query nothing = new BooleanQuery.Builder().build();
    assertEquals(MatchNoDocsQuery.class, searcher.rewrite(new OffloadQuery(nothing)).getClass());
    MemoryIndex memory = new MemoryIndex();
    memory.addField("body", "w1 w2", config().getAnalyzer());
    assertEquals(Words.bool("w1 w2"), memory.createSearcher().rewrite(flat));
  }

  /** Stock drops such a clause unseen; it may be one that cannot be run. */
  @Test
  void withoutScoresOptionalClausesAreDropped() throws IOException {
    Query failing =
        new Opaque(Words.term("w3")) {
          @Override
          public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
            throw new AssertionError("asked for");
          }
        };
    IndexSearcher stock = stock(reader);
    for (Query required : List.of(Words.term("w1"), new PhraseQuery(70_000, "body", "w1", "w2"))) {
      Query query =
          new BooleanQuery.Builder().add(required, Occur.MUST).add(failing, Occur.SHOULD).build();
      Query wrapped = new OffloadQuery(query);
      assertThrows(AssertionError.class, () -> stock.search(wrapped, 10));
      assertEquals(stock.count(query), stock.count(wrapped));
      assertEquals(stock.count(query), new OffloadIndexSearcher(reader).count(wrapped));
      assertEquals(
          Answers.hits(stock.search(filtered(query), 10)),
          Answers.hits(stock.search(filtered(wrapped), 10)));
    }
  }

  /** Stock drops such a clause before the words in it are asked for, which are too many. */
  @Test
  void withoutScoresOptionalClausesAreNotRewritten() throws IOException {
    Query words = new PrefixQuery(new Term("body", "w"), MultiTermQuery.SCORING_BOOLEAN_REWRITE);
    Query query =
        new BooleanQuery.Builder()
            .add(Words.term("w1"), Occur.MUST)
            .add(new BooleanQuery.Builder().add(words, Occur.FILTER).build(), Occur.SHOULD)
            .build();
    Query wrapped = new OffloadQuery(query);
    IndexSearcher stock = stock(reader);
    int most = IndexSearcher.getMaxClauseCount();
    IndexSearcher.setMaxClauseCount(2);
    try {
      assertEquals(stock.count(query), stock.count(wrapped));
      assertEquals(stock.count(query), new OffloadIndexSearcher(reader).count(wrapped));
      assertEquals(
          Answers.hits(stock.search(filtered(query), 10)),
          Answers.hits(stock.search(filtered(wrapped), 10)));
      assertThrows(IndexSearcher.TooManyClauses.class, () -> stock.search(query, 10));
      assertThrows(IndexSearcher.TooManyClauses.class, () -> stock.search(wrapped, 10));
    } finally {
      IndexSearcher.setMaxClauseCount(most);
    }
  }

  /** Stock rewrites all clauses once before it drops any. */
  @Test
  void clausesThatAreTooLargeAtOnceAreRefusedWithoutScoresToo() throws IOException {
    Query words = new PrefixQuery(new Term("body", "w"), MultiTermQuery.SCORING_BOOLEAN_REWRITE);
    Query query =
        new BooleanQuery.Builder()
            .add(Words.term("w1"), Occur.MUST)
            .add(words, Occur.SHOULD)
            .build();
    int most = IndexSearcher.getMaxClauseCount();
    IndexSearcher.setMaxClauseCount(2);
    try {
      for (IndexSearcher searcher : List.of(stock(reader), new OffloadIndexSearcher(reader))) {
        for (Query asked : List.of(query, new OffloadQuery(query))) {
          assertThrows(IndexSearcher.TooManyClauses.class, () -> searcher.count(asked));
          assertThrows(IndexSearcher.TooManyClauses.class, () -> searcher.search(asked, 10));
        }
      }
    } finally {
      IndexSearcher.setMaxClauseCount(most);
    }
  }

  /** A highlighter makes a weight without scores, and marks the matches of optional clauses. */
  @Test
  void withoutScoresOptionalClausesMatch() throws IOException {
    IndexSearcher stock = stock(reader);
    Query phrase = new PhraseQuery(70_000, "body", "w1", "w2");
    for (Query required : List.of(Words.term("w1"), phrase)) {
      for (Query optional : List.of(Words.term("w0"), phrase)) {
        Query query =
            new BooleanQuery.Builder()
                .add(required, Occur.FILTER)
                .add(optional, Occur.SHOULD)
                .build();
        assertEquals(matches(stock, query), matches(stock, new OffloadQuery(query)));
      }
    }
  }

  /** How many matches each doc of the first segment has. */
  private List<Integer> matches(IndexSearcher searcher, Query query) throws IOException {
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    LeafReaderContext leaf = reader.leaves().get(0);
    List<Integer> counts = new ArrayList<>();
    for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
      Matches matches = weight.matches(leaf, doc);
      MatchesIterator at = matches == null ? null : matches.getMatches("body");
      int count = matches == null ? -1 : 0;
      while (at != null && at.next()) {
        count++;
      }
      counts.add(count);
    }
    return counts;
  }

  private static Query filtered(Query filter) {
    return new BooleanQuery.Builder()
        .add(Words.term("w2"), Occur.MUST)
        .add(filter, Occur.FILTER)
        .build();
  }

  @Test
  void visitsTheWrappedQuery() {
    Set<Term> terms = new HashSet<>();
    new OffloadQuery(Words.bool("+w1 w2 -w3")).visit(QueryVisitor.termCollector(terms));
    assertEquals(Set.of(new Term("body", "w1"), new Term("body", "w2")), terms);
  }

  @Test
  void asAClause() throws IOException {
    for (int shape = 0; shape < 6; shape++) {
      int form = shape;
      onDevice(
          () -> {
            for (int i = 0; i < 4; i++) {
              Query inner = i == 0 ? Words.bool("w0 w1") : words.query();
              Query expected = parent(new Opaque(inner), form);
              Query asked = parent(new OffloadQuery(inner), form);
              Answers.same(stock(reader), expected, stock(reader), asked);
              Answers.same(stock(reader), expected, new OffloadIndexSearcher(reader), asked);
            }
          });
    }
  }

  private static Query parent(Query clause, int shape) {
    return switch (shape) {
      case 0 -> new BoostQuery(clause, 2.5f);
      case 1 -> new ConstantScoreQuery(clause);
      case 2 -> and(clause, Words.term("w2"), Occur.MUST);
      case 3 -> and(clause, new PhraseQuery(70_000, "body", "w0", "w1"), Occur.SHOULD);
      case 4 -> and(clause, IntPoint.newRangeQuery("point", 20, 80), Occur.FILTER);
      default -> new DisjunctionMaxQuery(List.of(clause, Words.term("w3")), 0.3f);
    };
  }

  private static Query and(Query clause, Query other, Occur occur) {
    return new BooleanQuery.Builder().add(clause, Occur.SHOULD).add(other, occur).build();
  }

  /** A wrapped query that the device can answer in part, or not at all. */
  @Test
  void whatPlansCannotExpress() throws IOException {
    Query phrase = new PhraseQuery(70_000, "body", "w0", "w1");
    onHost(() -> same(reader, phrase));
    Query common = Words.bool("+w0 w1");
    Query pair =
        new BooleanQuery.Builder().add(phrase, Occur.SHOULD).add(common, Occur.SHOULD).build();
    onDevice(() -> stock(reader).search(new OffloadQuery(pair), 10));
    for (int i = 0; i < 5; i++) {
      Query part = words.query();
      same(
          reader,
          new BooleanQuery.Builder().add(phrase, Occur.SHOULD).add(part, Occur.MUST).build());
      same(reader, new DisjunctionMaxQuery(List.of(phrase, part), 0.1f));
    }
  }

  @Test
  void explainsAsStockDoes() throws IOException {
    IndexSearcher stock = new IndexSearcher(reader);
    for (int i = 0; i < 4; i++) {
      Query query = words.query();
      for (Way way : Way.values()) {
        IndexSearcher searcher = way.searcher(reader);
        // Hits and others alike.
        for (int doc = 0; doc < reader.maxDoc(); doc += 1 + random.nextInt(150)) {
          assertEquals(
              stock.explain(query, doc).toString(),
              searcher.explain(way.query(query), doc).toString());
        }
        for (ScoreDoc hit : stock.search(query, 3).scoreDocs) {
          float score = searcher.explain(way.query(query), hit.doc).getValue().floatValue();
          assertEquals(Answers.bits(hit.score), Answers.bits(score));
        }
      }
    }
  }

  @Test
  void onAnExecutor() throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      for (int i = 0; i < 4; i++) {
        Query query = words.query();
        Answers.same(
            stock(reader), query, new IndexSearcher(reader, executor), new OffloadQuery(query));
        Answers.same(stock(reader), query, new Partitioned(reader), new OffloadQuery(query));
      }
    } finally {
      executor.shutdown();
    }
  }

  private static final class Partitioned extends IndexSearcher {
    Partitioned(IndexReader reader) {
      super(reader, Runnable::run);
    }

    @Override
    protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
      return slices(leaves, 90, 2, true);
    }
  }

  /** Statistics of a larger collection, of which this index is a part. */
  private static final class Distributed extends IndexSearcher {
    Distributed(IndexReader reader) {
      super(reader);
      setQueryCache(null);
    }

    @Override
    public CollectionStatistics collectionStatistics(String field) throws IOException {
      CollectionStatistics own = super.collectionStatistics(field);
      return own == null
          ? null
          : new CollectionStatistics(
              field,
              own.maxDoc() * 10,
              own.docCount() * 9,
              own.sumTotalTermFreq() * 11,
              own.sumDocFreq() * 8);
    }

    @Override
    public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq) {
      return new TermStatistics(term.bytes(), docFreq * 3L, totalTermFreq * 5);
    }
  }

  @Test
  void statisticsOfTheSearcher() throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < 5; i++) {
            Query query = i == 0 ? Words.bool("+w0 w1") : words.query();
            IndexSearcher distributed = new Distributed(reader);
            Answers.same(distributed, query, new Distributed(reader), new OffloadQuery(query));
          }
        });
    Query query = Words.bool("w1 w2");
    assertNotEquals(
        Answers.hits(stock(reader).search(query, 3)),
        Answers.hits(new Distributed(reader).search(new OffloadQuery(query), 3)));
  }

  @Test
  void similarityOfTheSearcher() throws IOException {
    IndexSearcher stock = stock(reader);
    IndexSearcher searcher = stock(reader);
    Query query = Words.bool("w1 w2 w5");
    for (int i = 0; i < 3; i++) {
      // Set after the searcher was used.
      var similarity = i == 1 ? new ClassicSimilarity() : new BM25Similarity(0.9f + i, 0.4f);
      stock.setSimilarity(similarity);
      searcher.setSimilarity(similarity);
      Answers.same(stock, query, searcher, new OffloadQuery(query));
    }
  }
}
