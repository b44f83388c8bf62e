/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Operations;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.QuickRun;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Queries for many terms run on the device as one union, and say what stock says. */
class TestTermUnions extends SearcherTestCase {
  private static final List<MultiTermQuery.RewriteMethod> METHODS =
      List.of(
          MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE,
          MultiTermQuery.CONSTANT_SCORE_REWRITE,
          MultiTermQuery.CONSTANT_SCORE_BOOLEAN_REWRITE,
          MultiTermQuery.SCORING_BOOLEAN_REWRITE,
          new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(7),
          new MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite(7),
          new MultiTermQuery.TopTermsBlendedFreqScoringRewrite(7));

  /** Terms of the field "rare", most of them in one doc of each segment. */
  private static final int RARE = 5000;

  private static final int PLACES = QuickRun.times(1, 3);

  private int next;

  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    writer.flush();
    for (int segment = 0; segment < 2; segment++) {
      for (int i = 0; i < 2000; i++) {
        Document document = words.document();
        for (int n = 0; n < 3; n++) {
          document.add(new StringField("rare", rare(next++ % RARE), Field.Store.NO));
        }
        if (i % 2 == 0) {
          document.add(new KeywordField("same", new BytesRef("x" + segment), Field.Store.NO));
          document.add(
              new KeywordField("keys", rare(random.nextInt(300)).utf8ToString(), Field.Store.NO));
        }
        writer.addDocument(document);
      }
      words.delete(writer, 60);
      writer.flush();
    }
  }

  private static BytesRef rare(int i) {
    return new BytesRef("r" + i);
  }

  private List<BytesRef> bodySet(int size) {
    return IntStream.range(0, size)
        .mapToObj(i -> new BytesRef(i % 5 == 0 ? "absent" + i : words.word()))
        .toList();
  }

  private List<BytesRef> rareSet(int size) {
    return random.ints(size, 0, RARE).mapToObj(TestTermUnions::rare).toList();
  }

  /** Queries of every kind that end in a rewrite method. */
  private List<Query> kinds(MultiTermQuery.RewriteMethod method) {
    BytesRef low = new BytesRef("w2");
    BytesRef high = new BytesRef("w5");
    List<Query> kinds = new ArrayList<>();
    for (String prefix : new String[] {"w", "w1", "w77", "x"}) {
      kinds.add(new PrefixQuery(new Term("body", prefix), method));
    }
    kinds.add(new WildcardQuery(new Term("body", "w*" + random.nextInt(10)), 10_000, method));
    kinds.add(new WildcardQuery(new Term("body", "*?3"), 10_000, method));
    kinds.add(
        new RegexpQuery(new Term("body", "w[1-3][0-9]?"), 0, 0, name -> null, 10_000, method));
    kinds.add(new TermRangeQuery("body", low, high, true, false, method));
    kinds.add(new TermRangeQuery("body", high, low, true, false, method));
    kinds.add(new TermRangeQuery("body", null, high, true, true, method));
    kinds.add(new TermRangeQuery("body", null, null, true, true, method));
    kinds.add(new FuzzyQuery(new Term("body", "w12"), 1, 1, 50, true, method));
    kinds.add(new FuzzyQuery(new Term("body", "w12"), 2, 0, 50, true, method));
    kinds.add(new TermInSetQuery(method, "body", bodySet(1)));
    kinds.add(new TermInSetQuery(method, "body", bodySet(9)));
    kinds.add(new TermInSetQuery(method, "body", bodySet(60)));
    kinds.add(new TermInSetQuery(method, "body", List.of()));
    kinds.add(new TermInSetQuery(method, "rare", rareSet(40)));
    kinds.add(new TermInSetQuery(method, "same", List.of(new BytesRef("x0"), rare(1))));
    kinds.add(new TermInSetQuery(method, "none", bodySet(9)));
    kinds.add(new PrefixQuery(new Term("none", "w"), method));
    kinds.add(
        new AutomatonQuery(
            new Term("body"),
            Operations.concatenate(List.of(Automata.makeString("w4"), Automata.makeAnyString())),
            false,
            method));
    return kinds;
  }

  private static Query bool(Query one, Occur occur, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(other, occur).build();
  }

  /** A union in the places that it can have in a query. */
  private List<Query> places(Query union) {
    Query text = Words.bool("w0 w3");
    Query word = words.query();
    return List.of(
        union,
        new BoostQuery(union, 2.5f),
        new ConstantScoreQuery(union),
        bool(text, Occur.FILTER, union),
        bool(word, Occur.FILTER, union),
        bool(text, Occur.MUST, new BoostQuery(union, 0.3f)),
        bool(text, Occur.SHOULD, union),
        bool(word, Occur.MUST_NOT, union),
        bool(union, Occur.SHOULD, text),
        bool(union, Occur.FILTER, new PrefixQuery(new Term("body", "w2"))),
        new BooleanQuery.Builder()
            .add(union, Occur.SHOULD)
            .add(text, Occur.SHOULD)
            .add(new PrefixQuery(new Term("body", "w3")), Occur.SHOULD)
            .setMinimumNumberShouldMatch(2)
            .build());
  }

  private <T> T anyOf(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  @Test
  void unionsSayWhatStockSays() throws IOException {
    for (MultiTermQuery.RewriteMethod method : QuickRun.drawn(3, METHODS)) {
      onDevice(
          () -> {
            for (Query union : kinds(method)) {
              for (int i = 0; i < PLACES; i++) {
                Query query = anyOf(places(union));
                Answers.same(stock(reader), query, always(), query);
              }
            }
          });
    }
  }

  @Test
  void everyWayToAskSaysTheSame() throws IOException {
    for (Query union : kinds(METHODS.get(random.nextInt(2)))) {
      same(reader, anyOf(places(union)));
    }
  }

  @Test
  void setsOfAnySize() throws IOException {
    for (int size : new int[] {1, 16, 17, 128, 129, 500, 2048, RARE}) {
      Query set =
          new TermInSetQuery("rare", IntStream.range(0, size).mapToObj(i -> rare(i)).toList());
      for (Query query : List.of(places(set).get(0), anyOf(places(set)), anyOf(places(set)))) {
        Answers.same(stock(reader), query, always(), query);
        same(reader, query);
      }
    }
  }

  private static Query ids(int... ids) {
    return new TermInSetQuery(
        "id", IntStream.of(ids).mapToObj(id -> new BytesRef(String.valueOf(id))).toList());
  }

  /** Neither the set is compiled nor what stock makes of its terms in each segment. */
  @Test
  void idsAloneAreForTheHost() throws IOException {
    IndexSearcher stock = stock(reader);
    OffloadIndexSearcher ours = new OffloadIndexSearcher(reader);
    ours.setQueryCache(null);
    for (int size : new int[] {1, 5, 16, 40}) {
      Query ids = ids(random.ints(size, 0, documents()).toArray());
      for (Query query : List.of(ids, new BoostQuery(ids, 2), new ConstantScoreQuery(ids))) {
        long before = stats().get(Counter.QUERIES_COMPILED);
        List<String> hits = Answers.hits(stock.search(query, 10));
        assertEquals(hits, Answers.hits(ours.search(query, 10)));
        assertEquals(hits, Answers.hits(stock.search(new OffloadQuery(query), 10)));
        int count = stock.count(query);
        assertEquals(count, ours.count(query));
        assertEquals(
            count, ours.search(query, new TotalHitCountCollectorManager(ours.getSlices())));
        assertEquals(count, stock.count(new OffloadQuery(query)));
        assertEquals(before, stats().get(Counter.QUERIES_COMPILED), query.toString());
        onHost(() -> Answers.hits(ours.search(query, 10)));
      }
    }
    Query ids = ids(IntStream.range(0, 40).toArray());
    onDevice(() -> Answers.same(stock, ids, always(), ids));
  }

  @Test
  void setsOfKeywords() throws IOException {
    for (int size : new int[] {1, 5, 64, 200}) {
      List<BytesRef> keys = IntStream.range(0, size).mapToObj(i -> rare(i)).toList();
      for (Query query : places(KeywordField.newSetQuery("keys", keys))) {
        Answers.same(stock(reader), query, always(), query);
      }
      same(reader, anyOf(places(KeywordField.newSetQuery("keys", keys))));
    }
    same(reader, KeywordField.newExactQuery("keys", "r3"));
  }

  @Test
  void cachesOfLuceneMakeNoDifference() throws IOException {
    LRUQueryCache cache = new LRUQueryCache(100, 1 << 24, leaf -> true, Float.MAX_VALUE);
    UsageTrackingQueryCachingPolicy policy = new UsageTrackingQueryCachingPolicy();
    for (Query union : kinds(MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE)) {
      for (Query query : List.of(anyOf(places(union)))) {
        for (Way way : Way.values()) {
          IndexSearcher searcher = way.searcher(reader);
          searcher.setQueryCache(cache);
          searcher.setQueryCachingPolicy(policy);
          Answers.same(stock(reader), query, searcher, way.query(query));
        }
      }
    }
  }

  @Test
  void unionIsOneDisjunctionAtOneScore() throws IOException {
    Query prefix = new BoostQuery(new PrefixQuery(new Term("body", "w1")), 3);
    PlanExplanation.Node root = always().explainPlan(prefix).leaves().get(0).plan();
    assertEquals("CONST", root.op());
    assertEquals(3f, root.weight());
    assertEquals("BOOL", root.children().get(0).op());
    assertTrue(root.children().get(0).children().size() > 2, root::toString);
  }

  @Test
  void fewKeywordsAloneAreTheirLists() throws IOException {
    Query set =
        KeywordField.newSetQuery("keys", IntStream.range(0, 30).mapToObj(i -> rare(i)).toList());
    assertEquals("CONST", plan(set).op());
    assertEquals("BOOL", plan(set).children().get(0).op());
    Query beside = bool(Words.term("w1"), Occur.FILTER, set);
    assertTrue(plan(beside).children().stream().anyMatch(node -> node.range() != null));
  }

  private PlanExplanation.Node plan(Query query) throws IOException {
    return always().explainPlan(query).leaves().stream()
        .map(PlanExplanation.Leaf::plan)
        .filter(plan -> plan != null)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void limitsOfClausesStay() {
    int before = IndexSearcher.getMaxClauseCount();
    IndexSearcher.setMaxClauseCount(10);
    try {
      for (MultiTermQuery.RewriteMethod method : METHODS.subList(2, 4)) {
        Query prefix = new PrefixQuery(new Term("body", "w"), method);
        assertThrows(IndexSearcher.TooManyClauses.class, () -> stock(reader).count(prefix));
        assertThrows(IndexSearcher.TooManyClauses.class, () -> always().count(prefix));
      }
    } finally {
      IndexSearcher.setMaxClauseCount(before);
    }
  }

  /** Leaves one term of another query out, and shows visitors that one. */
  private static final class AllButOne extends MultiTermQuery {
    private final MultiTermQuery other;

    AllButOne(MultiTermQuery other) {
      super(other.getField(), CONSTANT_SCORE_BLENDED_REWRITE);
      this.other = other;
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      TermsEnum all = other.getTermsEnum(terms);
      all.next();
      return all;
    }

    @Override
    public void visit(QueryVisitor visitor) {
      other.visit(visitor);
    }

    @Override
    public String toString(String name) {
      return "all but one of " + other.toString(name);
    }

    @Override
    public boolean equals(Object that) {
      return sameClassAs(that) && other.equals(((AllButOne) that).other);
    }

    @Override
    public int hashCode() {
      return 31 * classHash() + other.hashCode();
    }
  }

  @Test
  void queriesThatShowOthersStayWithStock() throws IOException {
    Query odd = new AllButOne(new PrefixQuery(new Term("body", "w1")));
    assertEquals(Refusal.Reason.UNSUPPORTED_QUERY, always().explainPlan(odd).refusal().reason());
    Answers.same(stock(reader), odd, always(), odd);
  }
}
