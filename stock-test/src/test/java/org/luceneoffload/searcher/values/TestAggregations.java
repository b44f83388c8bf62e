/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.FloatDocValuesField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;

/** Aggregations on the device have the very numbers that the host finds. */
class TestAggregations extends SearcherTestCase {
  private static final List<Aggregation<?>> ALL =
      List.of(
          Aggregation.stats("long"),
          Aggregation.stats("longs"),
          Aggregation.stats("number"),
          Aggregation.stats("nowhere"),
          Aggregation.statsOfDoubles("double", DoubleEncoding.DOUBLE),
          Aggregation.statsOfDoubles("doubles", DoubleEncoding.SORTABLE_DOUBLE),
          Aggregation.statsOfDoubles("float", DoubleEncoding.FLOAT),
          Aggregation.terms("group", 3),
          Aggregation.terms("tags", 1000),
          Aggregation.terms("name", 20),
          Aggregation.histogram("number", 7),
          Aggregation.histogram("longs", 1L << 59),
          Aggregation.ranges("longs", new ValueRange(-5, 5), new ValueRange(0, Long.MAX_VALUE)),
          Aggregation.ranges("number", new ValueRange(10, 10)),
          Aggregation.distinctTerms("group"),
          Aggregation.distinctTerms("name"),
          Aggregation.values("number", 7),
          Aggregation.values("longs", 3),
          Aggregation.distinctValues("longs"),
          Aggregation.distinctValues("nowhere"),
          Aggregation.dates("time", months("UTC")),
          Aggregation.dates("times", months("America/New_York")));

  private static CalendarInterval months(String zone) {
    return new CalendarInterval(CalendarInterval.Unit.MONTH, 1, ZoneId.of(zone));
  }

  private static final long[] EXTREME = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static final double[] SPECIAL = {
    Double.NaN, -0.0, 0.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.NEGATIVE_INFINITY
  };

  /** The last segment has none of the fields that not all documents have. */
  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    boolean special = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(4) > 0) {
        document.add(new NumericDocValuesField("long", number()));
        document.add(new DoubleDocValuesField("double", fraction(special)));
        document.add(new FloatDocValuesField("float", (float) random.nextGaussian()));
        document.add(new SortedDocValuesField("name", new BytesRef("n" + random.nextInt(count))));
      }
      document.add(new NumericDocValuesField("time", 86_400_000L * random.nextInt(3000)));
      for (int n = random.nextInt(4); n > 0; n--) {
        document.add(
            new SortedNumericDocValuesField("times", 3_600_000L * random.nextInt(24 * 900)));
        document.add(new SortedNumericDocValuesField("longs", number()));
        document.add(
            new SortedNumericDocValuesField(
                "doubles", NumericUtils.doubleToSortableLong(fraction(special))));
        document.add(new SortedSetDocValuesField("tags", new BytesRef("t" + random.nextInt(30))));
      }
      writer.addDocument(document);
    }
  }

  private long number() {
    return random.nextInt(5) == 0
        ? EXTREME[random.nextInt(EXTREME.length)]
        : random.nextInt(200) - 100;
  }

  /** Numbers whose sum depends on the order in which they are added. */
  private double fraction(boolean special) {
    return special && random.nextInt(100) == 0
        ? SPECIAL[random.nextInt(SPECIAL.length)]
        : random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6);
  }

  private List<Query> queries() {
    List<Query> queries = new ArrayList<>(List.of(MatchAllDocsQuery.INSTANCE));
    queries.add(new TermQuery(new Term("body", "nowhere")));
    for (int i = 0; i < QuickRun.rounds(15); i++) {
      queries.add(words.query());
      queries.add(new TermQuery(new Term("body", words.word())));
    }
    queries.add(
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
            .add(NumericDocValuesField.newSlowRangeQuery("number", 5, 40), Occur.FILTER)
            .build());
    return queries;
  }

  private void same(OffloadIndexSearcher searcher, Query query, List<Aggregation<?>> asked)
      throws IOException {
    OffloadIndexSearcher host = new OffloadIndexSearcher(reader);
    host.setPlacement(Placement.NEVER);
    Aggregation<?>[] array = asked.toArray(Aggregation<?>[]::new);
    AggregationResults expected = host.aggregate(query, array);
    AggregationResults got = searcher.aggregate(query, array);
    assertEquals(stock(reader).count(query), expected.matches(), query.toString());
    assertEquals(expected.matches(), got.matches(), query.toString());
    for (Aggregation<?> aggregation : asked) {
      assertEquals(expected.get(aggregation), got.get(aggregation), query + " " + aggregation);
    }
  }

  @Test
  void sameNumbersAsTheHost() throws IOException {
    for (Query query : queries()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      same(searcher, query, ALL);
      for (Aggregation<?> aggregation : ALL) {
        same(searcher, query, List.of(aggregation));
      }
    }
  }

  @Test
  void theDeviceDoesIt() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    Query query = new TermQuery(new Term("body", "w0"));
    long plans = stats().get(Counter.PLANS_EXECUTED);
    onDevice(() -> same(searcher, query, ALL));
    assertEquals(reader.leaves().size(), stats().get(Counter.PLANS_EXECUTED) - plans);
    onDevice(
        () -> same(searcher, MatchAllDocsQuery.INSTANCE, List.of(Aggregation.stats("number"))));
  }

  @Test
  void sameNumbersInSlices() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      OffloadIndexSearcher searcher = sliced(reader, executor);
      for (Query query : queries()) {
        same(searcher, query, ALL);
        for (Aggregation<?> aggregation : ALL) {
          same(searcher, query, List.of(aggregation));
        }
      }
    }
  }

  @Test
  void aTimeoutIsSaid() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setTimeout(() -> true);
    Aggregation<?> stats = Aggregation.stats("number");
    Query query = new TermQuery(new Term("body", "w0"));
    assertEquals(0, searcher.aggregate(query, stats).matches());
    assertTrue(searcher.timedOut());
  }
}
