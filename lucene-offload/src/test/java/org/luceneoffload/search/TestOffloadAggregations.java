/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.DoubleStats;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.FaultyProgram;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadException;

/** Aggregations whose numbers are known, on a device, on one that fails, and on the host. */
class TestOffloadAggregations {
  private static final Query ALL = new TermQuery(new Term("all", "x"));
  private static final Aggregation<LongStats> STATS = Aggregation.stats("n");
  private static final Aggregation<DoubleStats> DOUBLES =
      Aggregation.statsOfDoubles("d", DoubleEncoding.DOUBLE);
  private static final Aggregation<TermCounts> TERMS = Aggregation.terms("k", 2);
  private static final Aggregation<HistogramCounts> HISTOGRAM = Aggregation.histogram("n", 10);
  private static final Aggregation<RangeCounts> RANGES =
      Aggregation.ranges("n", new ValueRange(-5, 5), new ValueRange(5, 20), new ValueRange(99, 99));

  /** The head, five results, room for a keyword and a bucket, and the counts of three ranges. */
  private static final int MIN_BYTES = 64 + 5 * 72 + 16 + 16 + 16;

  private final FaultyProgram program = new FaultyProgram(new ReferenceProgram());
  private RamBlockDevice device;
  private OffloadDirectory directory;
  private DirectoryReader reader;

  @BeforeEach
  void open() throws IOException {
    device = new RamBlockDevice(1 << 12, program);
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    IndexWriterConfig config =
        new IndexWriterConfig().setCodec(new OffloadCodec()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, "0", 1.5, List.of("b", "a"), 5, 5, -7);
      add(writer, "1", -0.0, List.of("b"), Long.MAX_VALUE);
      add(writer, "deleted", 1e9, List.of("z"), 1, 2, 3);
      writer.flush();
      add(writer, "2", null, List.of());
      writer.flush();
      add(writer, "3", 0.25, List.of("c", "a"), 19, 11);
      add(writer, "4", null, List.of("c"));
      writer.deleteDocuments(new Term("id", "deleted"));
    }
    reader = DirectoryReader.open(directory);
    assertEquals(3, reader.leaves().size());
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private static void add(
      IndexWriter writer, String id, Double d, List<String> keywords, long... numbers)
      throws IOException {
    Document document = new Document();
    document.add(new StringField("all", "x", Field.Store.NO));
    document.add(new StringField("id", id, Field.Store.NO));
    if (d != null) {
      document.add(new DoubleDocValuesField("d", d));
    }
    for (String keyword : keywords) {
      document.add(new SortedSetDocValuesField("k", new BytesRef(keyword)));
    }
    for (long number : numbers) {
      document.add(new SortedNumericDocValuesField("n", number));
    }
    writer.addDocument(document);
  }

  private static void check(OffloadIndexSearcher searcher) throws IOException {
    AggregationResults results = searcher.aggregate(ALL, STATS, DOUBLES, TERMS, HISTOGRAM, RANGES);
    assertEquals(5, results.matches());
    long sum = Long.MAX_VALUE + 5 + 5 - 7 + 19 + 11;
    assertEquals(new LongStats(3, 2, 6, sum, -7, Long.MAX_VALUE), results.get(STATS));
    assertEquals(new DoubleStats(3, 2, 3, 1.75, -0.0, 1.5), results.get(DOUBLES));
    assertEquals(
        new TermCounts(
            4,
            1,
            6,
            3,
            List.of(
                new TermCounts.Count(new BytesRef("a"), 2),
                new TermCounts.Count(new BytesRef("b"), 2))),
        results.get(TERMS));
    assertEquals(
        new HistogramCounts(
            3,
            2,
            List.of(
                new HistogramCounts.Bucket(-1, 1),
                new HistogramCounts.Bucket(0, 1),
                new HistogramCounts.Bucket(1, 1),
                new HistogramCounts.Bucket(Long.MAX_VALUE / 10, 1))),
        results.get(HISTOGRAM));
    assertEquals(new RangeCounts(3, 2, 2, List.of(1L, 2L, 0L)), results.get(RANGES));
    assertThrows(IllegalArgumentException.class, () -> results.get(Aggregation.terms("k", 3)));
  }

  @Test
  void onTheDevice() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    check(searcher);
    assertEquals(3, directory.stats().get(Counter.LEAVES_OFFLOADED));
  }

  /** On the smallest page each plan gives one bucket, and few keywords. */
  @Test
  void inSeveralPages() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    device.setMaxResultBytes(MIN_BYTES);
    check(searcher);
    assertTrue(directory.stats().get(Counter.PLANS_EXECUTED) > 3);
    device.setMaxResultBytes(MIN_BYTES - 1);
    long plans = directory.stats().get(Counter.PLANS_EXECUTED);
    check(new OffloadIndexSearcher(reader));
    // The second segment has no field of the aggregations, and is counted.
    assertEquals(plans + 1, directory.stats().get(Counter.PLANS_EXECUTED));
    assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
  }

  @Test
  void onTheHost() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(Placement.NEVER);
    check(searcher);
    assertEquals(0, directory.stats().get(Counter.PLANS_EXECUTED));
  }

  @Test
  void onADeviceThatFails() throws IOException {
    for (FaultyProgram.Fault fault : FaultyProgram.Fault.values()) {
      for (int plans = 0; plans < 3; plans++) {
        long before = program.faults();
        program.failAfter(plans, fault);
        check(new OffloadIndexSearcher(reader));
        program.heal();
        assertTrue(program.faults() > before, fault + " after " + plans);
        assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
        close();
        open(); // with a circuit breaker that is closed
      }
    }
  }

  @Test
  void strictSearchersSayWhatFailed() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    program.failAfter(1, FaultyProgram.Fault.STATUS);
    assertThrows(OffloadException.class, () -> check(searcher));
  }

  @Test
  void wrongFieldsAreNamed() {
    for (Placement placement : List.of(Placement.ALWAYS, Placement.NEVER)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(placement);
      for (Aggregation<?> wrong :
          List.of(Aggregation.stats("k"), Aggregation.terms("n", 1), Aggregation.stats("id"))) {
        IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> searcher.aggregate(ALL, wrong));
        assertTrue(thrown.getMessage().contains('"' + wrong.field() + '"'), thrown.getMessage());
      }
    }
  }

  @Test
  void tooManyBucketsAreAnError() throws IOException {
    for (Placement placement : List.of(Placement.ALWAYS, Placement.NEVER)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(placement);
      searcher.aggregate(ALL, Aggregation.histogram("n", 10, 4));
      assertThrows(
          IllegalStateException.class,
          () -> searcher.aggregate(ALL, Aggregation.histogram("n", 10, 3)));
    }
  }
}
