/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/**
 * Stock answers where it is led to a few docs by points, the device where it would have to look at
 * more. Which of them is quicker by how much is not looked at.
 */
class TestPointsLead extends SearcherTestCase {
  private static final int VALUES = 60_000;

  @Override
  public int documents() {
    return 120_000;
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < documents(); i++) {
      Document document = new Document();
      document.add(new TextField("body", i % 4000 == 0 ? "often seldom" : "often", Field.Store.NO));
      document.add(new LongField("some", random.nextInt(VALUES), Field.Store.NO));
      document.add(new LongField("wide", wide(i), Field.Store.NO));
      document.add(new LongField("common", i % 5 == 0 ? i : 7, Field.Store.NO));
      for (int n = random.nextInt(3); n > 0; n--) {
        document.add(new LongField("several", random.nextInt(VALUES), Field.Store.NO));
      }
      document.add(new LongField("rising", i / 30 + random.nextInt(100), Field.Store.NO));
      writer.addDocument(document);
    }
    writer.forceMerge(1);
    writer.deleteDocuments(LongPoint.newRangeQuery("some", 50, 99));
  }

  /** Numbers far apart, in no order. */
  private static long wide(long i) {
    return i * 0x9E3779B97F4A7C15L;
  }

  private static Query text(String word) {
    return new TermQuery(new Term("body", word));
  }

  private static Query both(Query text, Query filter) {
    return new BooleanQuery.Builder().add(text, Occur.MUST).add(filter, Occur.FILTER).build();
  }

  private static Query required(Query text, Query clause) {
    return new BooleanQuery.Builder().add(text, Occur.SHOULD).add(clause, Occur.MUST).build();
  }

  private static final Query FEW = LongField.newSetQuery("some", 40, 70, 9000);
  private static final Query NARROW = LongField.newRangeQuery("wide", 0, 1L << 50);

  /** Clauses whose docs are few, and found by points. */
  private static List<Query> led() {
    return List.of(
        FEW,
        LongField.newSetQuery("wide", wide(4000), wide(8000), wide(8001), 3),
        LongField.newSetQuery("several", 3, 5000, 5001),
        NARROW);
  }

  /**
   * Clauses of which that is not so: too many leaves, too many docs, pages that have few of the
   * values each, no points.
   */
  private static List<Query> notLed() {
    return List.of(
        LongField.newSetQuery("wide", LongStream.range(0, 300).map(i -> wide(40 * i)).toArray()),
        LongField.newSetQuery("common", 7, 1000),
        LongField.newSetQuery("rising", LongStream.range(0, 16).map(i -> 500 + 250 * i).toArray()),
        LongField.newRangeQuery("some", 0, VALUES / 2),
        SortedNumericDocValuesField.newSlowSetQuery("some", 40, 70, 9000));
  }

  private void sameSorted(Query query) throws IOException {
    Sort sort = new Sort(new SortedNumericSortField("wide", SortField.Type.LONG, true));
    TopDocs expected = stock(reader).search(query, 10, sort);
    TopDocs actual = new OffloadIndexSearcher(reader).search(query, 10, sort);
    assertEquals(Answers.hits(expected), Answers.hits(actual), query::toString);
  }

  /** What points are like is not asked of them the first times that a plan is weighed. */
  private void weighTwice() throws IOException {
    for (String field : List.of("some", "wide", "several", "common", "rising")) {
      sameCount(LongField.newSetQuery(field, 40, 9000));
      sameCount(LongField.newSetQuery(field, 40, 9000));
    }
  }

  // Few tests, each of several things: the index takes its time.

  private void sameCount(Query query) throws IOException {
    assertEquals(stock(reader).count(query), new OffloadIndexSearcher(reader).count(query));
  }

  /** Points of a reader that was just opened are not waited for. */
  @Test
  void theFirstPlanOfAFieldIsTheDevices() throws IOException {
    onDevice(() -> sameCount(FEW));
    onHost(() -> sameCount(FEW));
    Query beside = both(text("often"), NARROW);
    onDevice(() -> sameCount(beside));
    onDevice(() -> sameCount(beside));
    onHost(() -> sameCount(beside));
  }

  @Test
  void pointsLeadToFewDocs() throws IOException {
    weighTwice();
    assertTrue(reader.hasDeletions());
    for (Query clause : led()) {
      for (Query query :
          List.of(
              both(text("often"), clause),
              required(text("seldom"), clause),
              both(text("often"), new ConstantScoreQuery(clause)),
              both(both(text("often"), text("often")), clause))) {
        onHost(() -> same(reader, query));
        onHost(() -> sameSorted(query));
      }
    }
    for (Query alone : List.of(FEW, new ConstantScoreQuery(FEW))) {
      onHost(() -> same(reader, alone));
    }
  }

  @Test
  void deviceFindsOtherDocs() throws IOException {
    weighTwice();
    for (Query clause : notLed()) {
      onDevice(() -> same(reader, both(text("often"), clause)));
      onDevice(() -> sameSorted(both(text("often"), clause)));
    }
    for (Query clause : led()) {
      onDevice(() -> same(reader, both(text("seldom"), clause)));
    }
    Query common = LongField.newSetQuery("common", 7, 1000);
    Query prohibited =
        new BooleanQuery.Builder().add(text("seldom"), Occur.MUST).add(FEW, Occur.MUST_NOT).build();
    Query optional =
        new BooleanQuery.Builder().add(text("seldom"), Occur.SHOULD).add(FEW, Occur.SHOULD).build();
    for (Query query : List.of(common, prohibited, optional)) {
      onDevice(() -> same(reader, query));
    }
  }

  /** A disjunction has docs, too: a clause beside it does not stand alone. */
  @Test
  void disjunctionsAreNotLedToSoManyDocs() throws IOException {
    weighTwice();
    Query any =
        new BooleanQuery.Builder()
            .add(text("often"), Occur.SHOULD)
            .add(text("seldom"), Occur.SHOULD)
            .build();
    // Values that are no random ones: how many docs points promise depends on their leaves.
    onHost(() -> same(reader, both(text("often"), NARROW)));
    onDevice(() -> same(reader, both(any, NARROW)));
    onDevice(() -> sameSorted(both(any, NARROW)));
    onHost(() -> same(reader, both(new ConstantScoreQuery(any), NARROW))); // one clause of two
    Query far = LongField.newSetQuery("wide", wide(4000), wide(8000), wide(8001), 3);
    onHost(() -> same(reader, both(any, far)));
    onHost(() -> same(reader, required(any, far))); // which matches whatever `any` does
    for (Query clause : notLed()) {
      onDevice(() -> same(reader, both(any, clause)));
    }
  }

  /** Of a few values stock is asked at once, whatever is wanted of them. */
  @Test
  void fewValuesAreNotPlanned() throws IOException {
    weighTwice();
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    long compiled = stats().get(Counter.QUERIES_COMPILED);
    Query one = LongField.newExactQuery("some", 9000);
    for (Query query : List.of(FEW, new ConstantScoreQuery(FEW), one)) {
      assertEquals(stock(reader).count(query), searcher.count(query));
      TopDocs expected = stock(reader).search(query, 10);
      TopDocs hits = searcher.search(query, 10);
      assertEquals(Answers.hits(expected), Answers.hits(hits));
      assertEquals(expected.totalHits, hits.totalHits);
    }
    assertEquals(compiled, stats().get(Counter.QUERIES_COMPILED));
    searcher.setPlacement(Placement.ALWAYS);
    onDevice(() -> assertEquals(stock(reader).count(FEW), searcher.count(FEW)));
    searcher.setPlacement(Placement.AUTO);
    // Values that are in few pages each: the device is done with these sooner.
    for (Query query :
        List.of(
            LongField.newExactQuery("rising", 700), LongField.newSetQuery("rising", 700, 2500))) {
      onDevice(() -> same(reader, query));
    }
    Query many = LongField.newSetQuery("some", LongStream.range(0, 500).map(i -> 7 * i).toArray());
    assertEquals(stock(reader).count(many), searcher.count(many));
    assertTrue(stats().get(Counter.QUERIES_COMPILED) > compiled + 1);
  }

  @Test
  void applicationsAreToldAndDecide() throws IOException {
    weighTwice();
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query few = both(text("often"), FEW);
    PlanExplanation.Leaf led = searcher.explainPlan(few).leaves().get(0);
    assertEquals(PlanExplanation.Place.HOST, led.place());
    assertEquals(Refusal.Reason.PLANNER, led.refusal().reason());
    assertTrue(led.refusal().detail().contains("\"some\""), led::toString);
    PlanExplanation.Leaf other = searcher.explainPlan(both(text("seldom"), FEW)).leaves().get(0);
    assertNull(other.refusal());
    searcher.setPlacement(Placement.ALWAYS);
    for (Query query : List.of(FEW, few, both(text("often"), NARROW))) {
      onDevice(() -> assertEquals(stock(reader).count(query), searcher.count(query)));
      onDevice(() -> Answers.same(stock(reader), query, searcher, query));
    }
  }
}
