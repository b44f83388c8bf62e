/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.MatchesIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.apache.lucene.search.Weight;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Flat Boolean queries of which plans can express some clauses. */
class TestMixedClauses extends SearcherTestCase {
  private static final int QUERIES = 40;
  private static final int MAX_POINT = 100;

  /** Whatever is expected of the host: the index is small. */
  @Override
  @BeforeEach
  public void open() throws IOException {
    super.open();
    reader.close();
    directory.close();
    OffloadOptions always = OffloadOptions.DEFAULT.withPlacement(Placement.ALWAYS);
    directory = OffloadDirectory.open(home, DEVICE, always);
    reader = DirectoryReader.open(directory);
  }

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(40) > 0) {
        document.add(new IntPoint("only", random.nextInt(MAX_POINT)));
      }
      writer.addDocument(document);
    }
  }

  /** A clause that no plan expresses: points of a field without doc values, or a function. */
  private Query foreign(boolean scored) {
    if (scored && random.nextBoolean()) {
      return FunctionScoreQuery.boostByValue(
          Words.term(words.word()), DoubleValuesSource.fromIntField("number"));
    }
    int from = random.nextInt(MAX_POINT);
    return IntPoint.newRangeQuery("only", from, from + random.nextInt(MAX_POINT));
  }

  private static BooleanQuery.Builder builder(BooleanQuery query) {
    BooleanQuery.Builder builder =
        new BooleanQuery.Builder().setMinimumNumberShouldMatch(query.getMinimumNumberShouldMatch());
    query.clauses().forEach(builder::add);
    return builder;
  }

  /** A query with clauses of both kinds, at most one level down. */
  private Query mixed(boolean nested) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int optional = 0;
    for (int i = random.nextInt(3) + 2; i > 0; i--) {
      Occur occur = Occur.values()[random.nextInt(4)];
      optional += occur == Occur.SHOULD ? 1 : 0;
      Query clause =
          nested && random.nextInt(4) == 0
              ? mixed(false)
              : new TermQuery(new Term("body", words.word()));
      builder.add(random.nextInt(5) == 0 ? new BoostQuery(clause, 2.5f) : clause, occur);
    }
    for (int i = random.nextInt(2) + 1; i > 0; i--) {
      Occur occur = Occur.values()[random.nextInt(4)];
      optional += occur == Occur.SHOULD ? 1 : 0;
      builder.add(foreign(occur == Occur.MUST || occur == Occur.SHOULD), occur);
    }
    if (optional > 1 && random.nextInt(3) == 0) {
      builder.setMinimumNumberShouldMatch(1 + random.nextInt(optional - 1));
    }
    return random.nextInt(6) == 0 ? new BoostQuery(builder.build(), 0.3f) : builder.build();
  }

  @Test
  void anyQuery() throws IOException {
    for (int i = 0; i < QUERIES; i++) {
      same(reader, mixed(true));
    }
  }

  /** Of each of these the device finds a part, which leads, in each way to ask. */
  @Test
  void groups() throws IOException {
    Query points = IntPoint.newRangeQuery("only", 0, MAX_POINT);
    for (String terms :
        List.of("+w0 +w1", "+w0 +w2 -w3", "#w0 #w1", "+w0 +w1 w2", "+w0 #w1 w2", "+w0 -w5")) {
      for (Occur occur : List.of(Occur.FILTER, Occur.MUST_NOT)) {
        for (Way way : Way.values()) {
          BooleanQuery query = builder(Words.bool(terms)).add(points, occur).build();
          onDevice(() -> sameIn(way, query));
          onDevice(() -> sameIn(way, new BoostQuery(query, 3)));
          onDevice(() -> sameIn(way, new ConstantScoreQuery(query)));
        }
      }
    }
    BooleanQuery anyOf =
        builder(Words.bool("w1 w2 w3"))
            .add(points, Occur.FILTER)
            .setMinimumNumberShouldMatch(1)
            .build();
    for (Way way : Way.values()) {
      onDevice(() -> sameIn(way, anyOf));
      onDevice(() -> sameIn(way, builder(Words.bool("w1 w2")).add(points, Occur.MUST_NOT).build()));
    }
  }

  /** By itself a searcher leaves clauses that are rare to stock. */
  @Test
  void fewDocuments() throws IOException {
    Query points = IntPoint.newRangeQuery("only", 0, MAX_POINT);
    Query query = builder(Words.bool("+w0 +w1")).add(points, Occur.FILTER).build();
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    onDevice(() -> Answers.same(stock(reader), query, searcher, query));
    searcher.setPlacement(Placement.AUTO);
    onHost(() -> Answers.same(stock(reader), query, searcher, query));
  }

  /** Nor does it need statistics to see that, which terms have that are only matched. */
  @Test
  void anyQueryByItself() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setPlacement(Placement.AUTO);
    for (int i = 0; i < QUERIES; i++) {
      Query query = i % 2 == 0 ? mixed(true) : new ConstantScoreQuery(mixed(true));
      Answers.same(stock(reader), query, searcher, query);
    }
  }

  private void sameIn(Way way, Query query) throws IOException {
    IndexSearcher searcher = way.searcher(reader);
    searcher.setQueryCache(null);
    Answers.same(stock(reader), query, searcher, way.query(query));
  }

  /** A score of the host's is one term of a sum, which is rounded once. */
  @Test
  void scoresOfTheHost() throws IOException {
    Query score =
        FunctionScoreQuery.boostByValue(
            Words.term("w2"), DoubleValuesSource.fromIntField("number"));
    for (Occur occur : List.of(Occur.MUST, Occur.SHOULD)) {
      same(reader, builder(Words.bool("+w0 +w1")).add(score, occur).build());
      same(reader, builder(Words.bool("w0 w1")).add(score, occur).build());
    }
  }

  @Test
  void explanationsAndMatches() throws IOException {
    Query points = IntPoint.newRangeQuery("only", 10, 80);
    Query query = builder(Words.bool("+w0 +w1 -w7")).add(points, Occur.FILTER).build();
    IndexSearcher stock = stock(reader);
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      searcher.setQueryCache(null);
      Weight expected = stock.createWeight(stock.rewrite(query), ScoreMode.COMPLETE, 1);
      Weight got = searcher.createWeight(searcher.rewrite(way.query(query)), ScoreMode.COMPLETE, 1);
      for (LeafReaderContext leaf : reader.leaves()) {
        for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
          String what = way + " " + leaf.ord + " " + doc;
          assertEquals(
              expected.explain(leaf, doc).toString(), got.explain(leaf, doc).toString(), what);
          assertEquals(ends(expected.matches(leaf, doc)), ends(got.matches(leaf, doc)), what);
        }
      }
    }
  }

  private static int ends(Matches matches) throws IOException {
    int sum = matches == null ? -1 : 0;
    MatchesIterator found = matches == null ? null : matches.getMatches("body");
    while (found != null && found.next()) {
      sum += found.endPosition() + 1;
    }
    return sum;
  }

  /** The cache knows the query as the application asked it. */
  @Test
  void caches() throws IOException {
    Query points = IntPoint.newRangeQuery("only", 10, 80);
    Query query = builder(Words.bool("#w0 #w1")).add(points, Occur.FILTER).build();
    int expected = stock(reader).count(query);
    LRUQueryCache cache = new LRUQueryCache(100, 1 << 20, leaf -> true, 1);
    for (IndexSearcher searcher : List.of(Way.OWN_SEARCHER.searcher(reader), stock(reader))) {
      searcher.setQueryCache(cache);
      searcher.setQueryCachingPolicy(new UsageTrackingQueryCachingPolicy());
      long hits = cache.getHitCount();
      for (int i = 0; i < 12; i++) {
        assertEquals(expected, searcher.count(query));
      }
      assertTrue(cache.getHitCount() > hits, "the cache was never asked with success");
    }
  }
}
