/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.JoinUtil;
import org.apache.lucene.search.join.ScoreMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/**
 * Joins by numbers, from another index: its documents have a number of each type or none, and
 * several; those that are joined to have one to three in a field of the type, or none.
 */
class TestNumberJoins extends SearcherTestCase {
  private static final int KEYS = 90;

  /** Of more numbers that are not adjacent no plan has a set. */
  private static final int MANY_KEYS = 5000;

  private static final Map<String, Class<? extends Number>> TYPES =
      Map.of(
          "int", Integer.class, "long", Long.class, "float", Float.class, "double", Double.class);

  private OffloadDirectory otherDirectory;
  private DirectoryReader other;

  /** Numbers that are not adjacent. JoinUtil orders negative floating-point numbers wrongly. */
  private static long bits(String type, int key) {
    return switch (type) {
      case "int" -> 7L * key - 100;
      case "long" -> (7L * key - 100) << 40;
      case "float" -> Float.floatToRawIntBits(key * 1.5f);
      default -> Double.doubleToRawLongBits(key * 1.5);
    };
  }

  private static Field to(String type, int key) {
    return switch (type) {
      case "int" -> new IntField(type, (int) bits(type, key), Field.Store.NO);
      case "long" -> new LongField(type, bits(type, key), Field.Store.NO);
      case "float" -> new FloatField(type, key * 1.5f, Field.Store.NO);
      default -> new DoubleField(type, key * 1.5, Field.Store.NO);
    };
  }

  private Document document(int keys) {
    Document document = words.document();
    for (String type : TYPES.keySet()) {
      if (random.nextInt(8) > 0) {
        document.add(new NumericDocValuesField("one-" + type, bits(type, random.nextInt(keys))));
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        long bits = bits(type, random.nextInt(keys));
        document.add(new SortedNumericDocValuesField("many-" + type, bits));
        document.add(to(type, random.nextInt(keys)));
      }
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
      add(writer, 60);
      writer.flush();
      words.add(writer, 50);
      words.delete(writer, 10);
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
      String type, boolean several, Query from, IndexSearcher searcher, ScoreMode mode)
      throws IOException {
    return JoinUtil.createJoinQuery(
        (several ? "many-" : "one-") + type, several, type, TYPES.get(type), from, searcher, mode);
  }

  private static Query bool(Query one, Occur occur, Query two) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(two, occur).build();
  }

  private static List<Query> filters(Query join, Query word) {
    return List.of(
        new ConstantScoreQuery(join),
        new BoostQuery(new ConstantScoreQuery(join), 0.3f),
        bool(word, Occur.FILTER, join),
        bool(word, Occur.MUST_NOT, join),
        bool(word, Occur.MUST, new ConstantScoreQuery(join)));
  }

  private static List<Query> scored(Query join, Query word) {
    return List.of(
        join,
        new BoostQuery(join, 0.3f),
        bool(word, Occur.MUST, new BoostQuery(join, 2.5f)),
        bool(word, Occur.SHOULD, join),
        bool(join, Occur.FILTER, join),
        new DisjunctionMaxQuery(List.of(join, word), 0.4f));
  }

  private boolean hasSet(Query query) throws IOException {
    return always().explainPlan(query).leaves().stream()
        .map(PlanExplanation.Leaf::plan)
        .anyMatch(plan -> plan != null && plan.toString().contains("COLUMN_IN"));
  }

  private void sameOnDevice(List<Query> expected, List<Query> actual) throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < actual.size(); i++) {
            Answers.same(stock(reader), expected.get(i), always(), actual.get(i));
          }
        });
  }

  @Test
  void everyModeIsASetWhereNoScoreIsNeeded() throws IOException {
    for (ScoreMode mode : ScoreMode.values()) {
      for (String type : TYPES.keySet()) {
        Query join = join(type, random.nextBoolean(), Words.bool("w0 w1"), stock(other), mode);
        Query ours = OffloadQuery.overDocValues(join);
        Query word = words.query();
        assertTrue(stock(reader).count(join) > 10, mode + " " + type);
        assertTrue(hasSet(new ConstantScoreQuery(ours)), mode + " " + type);
        sameOnDevice(filters(join, word), filters(ours, word));
        onDevice(() -> assertEquals(stock(reader).count(join), always().count(ours)));
        List<Query> expected = scored(join, word);
        List<Query> actual = scored(ours, word);
        for (int i = 0; i < actual.size(); i++) {
          Answers.same(stock(reader), expected.get(i), always(), actual.get(i));
        }
      }
    }
  }

  /** Whatever the boost: JoinUtil's joins do not use it. */
  @Test
  void oneScoreForAllIsASet() throws IOException {
    Query from = new BoostQuery(new ConstantScoreQuery(Words.bool("w0 w1")), 2f); // sums are exact
    for (ScoreMode mode : List.of(ScoreMode.Avg, ScoreMode.Max, ScoreMode.Min)) {
      for (String type : TYPES.keySet()) {
        Query join = join(type, random.nextBoolean(), from, stock(other), mode);
        Query ours = OffloadQuery.overDocValues(join);
        Query word = words.query();
        assertTrue(hasSet(ours), mode + " " + type);
        sameOnDevice(scored(join, word), scored(ours, word));
      }
    }
  }

  /** Of several numbers of a document the first counts or the last, which no set tells. */
  @Test
  void severalScoresAreForStock() throws IOException {
    Query join = join("long", true, Words.bool("w0 w1 w2"), stock(other), ScoreMode.Max);
    Query ours = OffloadQuery.overDocValues(join);
    assertEquals(Refusal.Reason.UNSUPPORTED_QUERY, always().explainPlan(ours).refusal().reason());
    onHost(
        () ->
            assertEquals(
                Answers.hits(stock(reader).search(join, 50)),
                Answers.hits(always().search(ours, 50))));
  }

  @Test
  void joinsThatAskForNothingOrTooMuchAreLeftAsTheyAre() throws IOException {
    for (ScoreMode mode : ScoreMode.values()) {
      Query none = join("long", true, Words.bool("+absent"), stock(other), mode);
      assertSame(none, OffloadQuery.overDocValues(none));
    }
    try (OffloadDirectory large = OffloadDirectory.open(home.resolve("large"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(large, config())) {
        for (int i = 0; i < MANY_KEYS; i++) {
          Document document = words.document();
          document.add(new NumericDocValuesField("one-long", bits("long", i)));
          writer.addDocument(document);
        }
      }
      try (DirectoryReader keys = DirectoryReader.open(large)) {
        Query all = Words.bool("w0 w1 w2 w3 w4 w5 w6 w7");
        Query join = join("long", false, all, stock(keys), ScoreMode.Total);
        Query ours = OffloadQuery.overDocValues(join);
        Answers.same(stock(reader), join, always(), ours);
        Query filter = bool(Words.term("w1"), Occur.FILTER, join);
        Answers.same(stock(reader), filter, always(), bool(Words.term("w1"), Occur.FILTER, ours));
      }
    }
  }

  @Test
  void equalJoinsAreEqual() throws IOException {
    for (ScoreMode mode : ScoreMode.values()) {
      Query one = join("int", true, Words.bool("w0 w1"), stock(other), mode);
      Query same = join("int", true, Words.bool("w0 w1"), stock(other), mode);
      Query two = join("int", true, Words.bool("w1"), stock(other), mode);
      Query ours = OffloadQuery.overDocValues(one);
      assertEquals(ours, OffloadQuery.overDocValues(same));
      assertEquals(ours.hashCode(), OffloadQuery.overDocValues(same).hashCode());
      assertTrue(!ours.equals(OffloadQuery.overDocValues(two)) && !ours.equals(one));
    }
  }

  @Test
  void otherQueriesAreRefused() {
    Query word = Words.term("w0");
    assertThrows(IllegalArgumentException.class, () -> OffloadQuery.overDocValues(word));
  }
}
