/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.MetricHits;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.config.Placement;
import org.luceneoffload.fuzz.probe.PlainAggregates;
import org.luceneoffload.fuzz.probe.PlainValues;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.nested.AutoInterval;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.workload.DocIds;

/** Buckets inside others, combinations and first hits are those of loops over the doc values. */
class TestNestedAggregations extends SearcherTestCase {
  private static final Query ALL = MatchAllDocsQuery.INSTANCE;
  private static final CombinedField KIND = CombinedField.keywords("kind");
  private static final CombinedField TAGS = CombinedField.keywords("tags");
  private static final CombinedField NUMBERS = CombinedField.numbers("numbers");

  private static final List<Aggregation<?>> NESTED =
      List.of(
          Aggregation.inside(Aggregation.terms("kind", 3), Aggregation.stats("number")),
          Aggregation.inside(
              Aggregation.terms("tags", 40),
              Aggregation.stats("numbers"),
              Aggregation.terms("kind", 2)),
          Aggregation.inside(Aggregation.values("number", 5), Aggregation.terms("tags", 3)),
          Aggregation.inside(
              Aggregation.histogram("numbers", 7), Aggregation.distinctValues("number")),
          Aggregation.inside(
              Aggregation.dates("time", interval(CalendarInterval.Unit.MONTH)),
              Aggregation.terms("kind", 2)),
          Aggregation.inside(
              Aggregation.ranges(
                  "numbers",
                  new ValueRange(-5, 5),
                  new ValueRange(0, Long.MAX_VALUE),
                  new ValueRange(90, 95)),
              Aggregation.autoDates("time", 5)),
          Aggregation.inside(
              Aggregation.autoDates("time", 8),
              Aggregation.inside(Aggregation.terms("kind", 2), Aggregation.stats("number"))),
          Aggregation.inside(Aggregation.terms("nowhere", 3), Aggregation.stats("number")),
          Aggregation.autoDates("time", 1),
          Aggregation.autoDates("time", 30),
          Aggregation.autoDates("nowhere", 3),
          Aggregation.combinations(7, KIND, TAGS),
          Aggregation.combinations(1000, TAGS, NUMBERS, KIND),
          Aggregation.combinationsByKey(10, null, TAGS),
          Aggregation.combinationsByKey(
              4, List.of(new BytesRef("k1"), new BytesRef("t5")), KIND, TAGS),
          Aggregation.combinationsByKey(9, List.of(3L, new BytesRef("k1")), NUMBERS, KIND));

  private static CalendarInterval interval(CalendarInterval.Unit unit) {
    return new CalendarInterval(unit, 1, ZoneOffset.UTC);
  }

  @Override
  public int documents() {
    return 480;
  }

  /** The last segment has none of the fields. */
  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(8) > 0) {
        document.add(new SortedDocValuesField("kind", new BytesRef("k" + random.nextInt(4))));
        document.add(new NumericDocValuesField("time", random.nextInt(900) * 86_399_999L));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        document.add(new SortedNumericDocValuesField("numbers", random.nextInt(200) - 100));
        document.add(new SortedSetDocValuesField("tags", new BytesRef("t" + random.nextInt(30))));
      }
      writer.addDocument(document);
    }
  }

  private List<Query> queries() {
    return List.of(
        ALL,
        new TermQuery(new Term("body", "nowhere")),
        new TermQuery(new Term("body", words.word())),
        words.query(),
        NumericDocValuesField.newSlowRangeQuery("number", 3, 11));
  }

  private PlainValues matches(Query query) throws IOException {
    Set<Integer> docs = new TreeSet<>();
    Arrays.stream(stock(reader).search(query, DocIds.manager())).forEach(docs::add);
    return new PlainValues(reader, docs);
  }

  private void sameAsLoops(OffloadIndexSearcher searcher, Query query, List<Aggregation<?>> asked)
      throws IOException {
    PlainValues matches = matches(query);
    AggregationResults got = searcher.aggregate(query, asked.toArray(Aggregation<?>[]::new));
    assertEquals(matches.docs().size(), got.matches(), query.toString());
    for (Aggregation<?> one : asked) {
      assertEquals(
          PlainAggregates.of(one, matches).toString(), got.get(one).toString(), query + " " + one);
    }
  }

  /** Placement ALWAYS makes a plan for each bucket; with AUTO the host does what is quicker so. */
  @Test
  void sameNumbersAsLoops() throws IOException {
    for (Placement placement : Placement.values()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(placement);
      for (Query query : queries()) {
        sameAsLoops(searcher, query, NESTED);
      }
    }
  }

  @Test
  void sameNumbersInSlices() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      OffloadIndexSearcher searcher = sliced(reader, executor);
      sameAsLoops(searcher, ALL, NESTED);
    }
  }

  @Test
  void theDeviceDoesIt() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    for (Aggregation<?> one : NESTED) {
      long host = stats().get(Counter.LEAVES_ON_HOST);
      Query query = new TermQuery(new Term("body", "w0"));
      onDevice(() -> sameAsLoops(searcher, query, List.of(one)));
      assertEquals(host, stats().get(Counter.LEAVES_ON_HOST), one.toString());
    }
  }

  /** A pass for each of a thousand buckets would take longer than one over the documents. */
  @Test
  void theHostDoesManyBuckets() throws IOException {
    Aggregation<?> many =
        Aggregation.inside(Aggregation.values("numbers", 1000), Aggregation.stats("number"));
    long plans = stats().get(Counter.PLANS_EXECUTED);
    new OffloadIndexSearcher(reader).aggregate(ALL, many);
    assertEquals(reader.leaves().size() - 1, stats().get(Counter.PLANS_EXECUTED) - plans, "plans");
  }

  @Test
  void firstHitsHaveTheirNumbers() throws IOException {
    SortField byTime = new SortField("time", SortField.Type.LONG, true);
    Aggregation<MetricHits> asked = Aggregation.topMetrics(byTime, 5, "number", "numbers");
    for (Query query : queries()) {
      List<String> expected = new ArrayList<>();
      for (ScoreDoc hit : stock(reader).search(query, 5, new Sort(byTime)).scoreDocs) {
        PlainValues one = new PlainValues(reader, Set.of(hit.doc));
        expected.add(
            ((FieldDoc) hit).fields[0]
                + " "
                + PlainAggregates.of(Aggregation.stats("number"), one)
                + " "
                + PlainAggregates.of(Aggregation.stats("numbers"), one));
      }
      MetricHits got = new OffloadIndexSearcher(reader).aggregate(query, asked).get(asked);
      assertEquals(expected.size(), got.hits().size(), query.toString());
      for (int i = 0; i < expected.size(); i++) {
        MetricHits.Hit hit = got.hits().get(i);
        String text = expected.get(i);
        assertEquals(text.substring(0, text.indexOf(' ')), hit.key().toString());
        String least =
            "min=" + (hit.metrics().get(0) == null ? Long.MAX_VALUE : hit.metrics().get(0));
        assertEquals(text.indexOf("min="), text.indexOf(least + ","), text + " " + hit);
        least = "min=" + (hit.metrics().get(1) == null ? Long.MAX_VALUE : hit.metrics().get(1));
        assertEquals(text.lastIndexOf("min="), text.lastIndexOf(least + ","), text + " " + hit);
      }
    }
  }

  @Test
  void lengthsOfIntervalsSuitTheDates() {
    long day = 86_400_000;
    assertEquals(new AutoInterval(ChronoUnit.SECONDS, 1), AutoInterval.of(0, 0, 1));
    assertEquals(new AutoInterval(ChronoUnit.HOURS, 12), AutoInterval.of(0, day - 1, 2));
    assertEquals(new AutoInterval(ChronoUnit.DAYS, 1), AutoInterval.of(day - 1, 2 * day - 1, 2));
    assertEquals(new AutoInterval(ChronoUnit.DAYS, 7), AutoInterval.of(0, 28 * day - 1, 4));
    assertEquals(new AutoInterval(ChronoUnit.MONTHS, 1), AutoInterval.of(0, 59 * day - 1, 2));
    assertEquals(new AutoInterval(ChronoUnit.YEARS, 1), AutoInterval.of(0, 366 * day - 1, 2));
    assertEquals(
        new AutoInterval(ChronoUnit.YEARS, 100),
        AutoInterval.of(Long.MIN_VALUE, Long.MAX_VALUE, 10));
  }

  @Test
  void whatHasNoBucketsIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Aggregation.inside(Aggregation.stats("number"), Aggregation.stats("number")));
    assertThrows(
        IllegalArgumentException.class, () -> Aggregation.inside(Aggregation.terms("kind", 3)));
    assertThrows(IllegalArgumentException.class, () -> Aggregation.combinations(3));
    assertThrows(
        IllegalArgumentException.class, () -> Aggregation.combinationsByKey(3, List.of(1L), KIND));
  }

  @Test
  void wrongDocValuesAreAnError() {
    Aggregation<?> keywords =
        Aggregation.inside(Aggregation.terms("kind", 3), Aggregation.stats("tags"));
    for (Placement placement : Placement.values()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(placement);
      assertThrows(IllegalStateException.class, () -> searcher.aggregate(ALL, keywords));
    }
  }
}
