/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.join.JoinUtil;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/**
 * Joins by terms, from another index and from the same one: documents have a key in the field
 * "one", several in "many" or none, and of those of the last segment few have any.
 */
class TestJoins extends SearcherTestCase {
  private static final int KEYS = 120;

  /** Keys of which a plan has not room for all. */
  private static final int ALL_KEYS = 5000;

  private static final int ROUNDS = 3;

  private OffloadDirectory otherDirectory;
  private DirectoryReader other;

  private Document document(int keys) {
    Document document = words.document();
    if (random.nextInt(8) > 0) {
      String key = "k" + random.nextInt(keys);
      document.add(new StringField("one", key, Field.Store.NO));
      document.add(new SortedDocValuesField("one", new BytesRef(key)));
    }
    Set<String> several = new TreeSet<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      several.add("k" + (random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(keys)));
    }
    for (String key : several) {
      document.add(new StringField("many", key, Field.Store.NO));
      document.add(new SortedSetDocValuesField("many", new BytesRef(key)));
    }
    return document;
  }

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      writer.addDocument(document(KEYS));
    }
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    add(writer, 3);
  }

  @BeforeEach
  void openOther() throws IOException {
    otherDirectory = OffloadDirectory.open(home.resolve("other"), DEVICE);
    try (IndexWriter writer = new IndexWriter(otherDirectory, config())) {
      add(writer, 400);
      writer.flush();
      words.add(writer, 50);
      words.delete(writer, 40);
    }
    other = DirectoryReader.open(otherDirectory);
  }

  @AfterEach
  void closeOther() throws IOException {
    other.close();
    assertEquals(0, otherDirectory.stats().get(Counter.LEAVES_FALLEN_BACK));
    otherDirectory.close();
  }

  private static Query join(
      boolean several, String to, Query from, IndexReader reader, ScoreMode mode)
      throws IOException {
    return join(several, to, from, stock(reader), mode);
  }

  private static Query join(
      boolean several, String to, Query from, IndexSearcher searcher, ScoreMode mode)
      throws IOException {
    return JoinUtil.createJoinQuery(several ? "many" : "one", several, to, from, searcher, mode);
  }

  private static Query bool(Query one, Occur occur, Query two) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(two, occur).build();
  }

  private List<Query> places(Query join) {
    Query word = words.query();
    return List.of(
        join,
        new BoostQuery(join, 0.3f),
        new ConstantScoreQuery(join),
        bool(word, Occur.MUST, new BoostQuery(join, 2.5f)),
        bool(word, Occur.SHOULD, join),
        bool(word, Occur.FILTER, join),
        bool(word, Occur.MUST_NOT, join),
        bool(join, Occur.FILTER, join),
        bool(join, Occur.SHOULD, word),
        new DisjunctionMaxQuery(List.of(join, word), 0.4f),
        new BooleanQuery.Builder()
            .add(join, Occur.SHOULD)
            .add(word, Occur.SHOULD)
            .add(Words.term("w1"), Occur.SHOULD)
            .setMinimumNumberShouldMatch(2)
            .build());
  }

  private boolean hasJoin(Query query) throws IOException {
    return always().explainPlan(query).leaves().stream()
        .map(PlanExplanation.Leaf::plan)
        .anyMatch(plan -> plan != null && plan.op().equals("JOIN"));
  }

  @Test
  void everyModeSaysWhatStockSays() throws IOException {
    for (ScoreMode mode : ScoreMode.values()) {
      for (boolean several : new boolean[] {false, true}) {
        for (String to : new String[] {"one", "many"}) {
          Query join = join(several, to, Words.bool("w0 w1 w2"), other, mode);
          List<Query> places = places(join);
          assertTrue(stock(reader).count(join) > 100, mode.toString());
          onDevice(
              () -> {
                for (Query query : places) {
                  Answers.same(stock(reader), query, always(), query);
                }
              });
          same(reader, places.get(random.nextInt(places.size())));
          assertEquals(mode != ScoreMode.None, hasJoin(join), mode.toString());
        }
      }
    }
  }

  @Test
  void anyQueryMayBeJoined() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      Query from = words.query();
      ScoreMode mode = ScoreMode.values()[random.nextInt(ScoreMode.values().length)];
      for (String to : new String[] {"one", "many", "body", "nowhere"}) {
        same(reader, join(random.nextBoolean(), to, from, other, mode));
      }
    }
  }

  /** Of several keys of a document the first counts, or the last: whatever joins are equal. */
  @Test
  void equalQueriesMayScoreOtherwise() throws IOException {
    Query from = Words.bool("w0 w1 w2 w3");
    Query last = join(false, "many", from, other, ScoreMode.Max);
    Query first = join(true, "many", from, other, ScoreMode.Max);
    IndexSearcher one = always();
    Answers.same(stock(reader), last, one, last);
    Answers.same(stock(reader), first, one, first);
    Answers.same(stock(reader), last, one, last);
    assertTrue(hasJoin(first) && hasJoin(last));
  }

  @Test
  void oneScoreForAllIsASet() throws IOException {
    Query from = new ConstantScoreQuery(Words.bool("w0 w1"));
    Query join = new BoostQuery(join(true, "many", from, other, ScoreMode.Avg), 1.7f);
    assertFalse(hasJoin(join));
    onDevice(() -> Answers.same(stock(reader), join, always(), join));
    for (Query query : places(join)) {
      same(reader, query);
    }
  }

  /** Both sides of a join run on devices: that it is from, when the join is made. */
  @Test
  void bothSidesAreOffloaded() throws IOException {
    OffloadIndexSearcher ours = new OffloadIndexSearcher(other);
    ours.setQueryCache(null);
    for (ScoreMode mode : ScoreMode.values()) {
      for (String text : new String[] {"w0 w1", "+w0 w2", "w0 w1 -w3"}) {
        Query from = Words.bool(text);
        boolean several = random.nextBoolean();
        long before = otherDirectory.stats().get(Counter.LEAVES_OFFLOADED);
        Query join = join(several, "many", from, ours, mode);
        assertTrue(otherDirectory.stats().get(Counter.LEAVES_OFFLOADED) > before);
        Query expected = join(several, "many", from, other, mode);
        Answers.same(stock(reader), expected, always(), join);
      }
    }
  }

  @Test
  void anIndexJoinsItself() throws IOException {
    for (ScoreMode mode : ScoreMode.values()) {
      Query from = Words.bool("w2 w3 w4");
      Query join = join(true, "one", from, always(), mode);
      Query again = join(false, "many", bool(join, Occur.SHOULD, from), always(), mode);
      same(reader, join);
      same(reader, again);
    }
  }

  @Test
  void joinsAreSortedAndCounted() throws IOException {
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG), SortField.FIELD_SCORE);
    for (ScoreMode mode : ScoreMode.values()) {
      Query join = join(true, "many", Words.bool("w0 w1 w2"), other, mode);
      onDevice(
          () -> {
            assertEquals(stock(reader).count(join), always().count(join));
            assertEquals(
                Answers.hits(stock(reader).search(join, 300, sort, true)),
                Answers.hits(always().search(join, 300, sort, true)));
          });
    }
  }

  /** Sums of scores may be above all numbers. */
  @Test
  void scoresThatAreNoNumbersAreForStock() throws IOException {
    Query from = new BoostQuery(new ConstantScoreQuery(Words.bool("w0 w1 w2")), Float.MAX_VALUE);
    Query join = join(true, "many", from, other, ScoreMode.Total);
    assertEquals(Refusal.Reason.UNSUPPORTED_QUERY, always().explainPlan(join).refusal().reason());
    onHost(() -> assertEquals(hits(stock(reader), join), hits(always(), join)));
    Query filter = bool(Words.term("w1"), Occur.FILTER, join);
    Answers.same(stock(reader), filter, always(), filter);
  }

  private static List<String> hits(IndexSearcher searcher, Query query) throws IOException {
    return Answers.hits(searcher.search(query, 50));
  }

  @Test
  void noTermsMatchNothing() throws IOException {
    Query none = Words.bool("+absent");
    for (ScoreMode mode : ScoreMode.values()) {
      for (Query query : places(join(true, "many", none, other, mode))) {
        same(reader, query);
      }
    }
  }

  /** Without scores, or at one, many terms are a set; with scores a plan has no room for them. */
  @Test
  void manyTerms() throws IOException {
    try (OffloadDirectory large = OffloadDirectory.open(home.resolve("large"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(large, config())) {
        for (int i = 0; i < ALL_KEYS; i++) {
          writer.addDocument(document(ALL_KEYS));
        }
      }
      try (DirectoryReader keys = DirectoryReader.open(large)) {
        OffloadIndexSearcher ours = new OffloadIndexSearcher(keys);
        ours.setQueryCache(null);
        Query all = Words.bool("w0 w1 w2 w3 w4 w5");
        for (ScoreMode mode : ScoreMode.values()) {
          Query scored = join(true, "many", all, keys, mode);
          Query constant = join(true, "many", new ConstantScoreQuery(all), keys, mode);
          for (Query query : List.of(scored, constant)) {
            for (int turn = 0; turn < 2; turn++) {
              Answers.same(stock(keys), query, ours, query);
            }
          }
          Refusal refusal = ours.explainPlan(scored).leaves().get(0).refusal();
          if (mode == ScoreMode.None) {
            assertEquals(null, refusal);
          } else {
            assertEquals(Refusal.Reason.PLAN_LIMIT, refusal.reason());
          }
        }
        assertTrue(large.stats().get(Counter.UNION_SETS_HIT) > 0, large.stats().toString());
        assertEquals(0, large.stats().get(Counter.LEAVES_FALLEN_BACK));
      }
    }
  }
}
