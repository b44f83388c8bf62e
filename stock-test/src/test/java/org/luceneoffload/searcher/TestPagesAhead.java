/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.OffloadWire;

/** What a search asks for ahead of the segments' turns. */
class TestPagesAhead {
  private static final int SEGMENTS = 3;
  private static final int DOCS = 4000;

  @TempDir static Path home;

  private static AskingDevice device;
  private static OffloadDirectory directory;
  private static DirectoryReader reader;

  /** A device that is told which of its plans had to ask, and notes what it is asked for. */
  private static final class AskingDevice extends FilterDevice {
    final List<long[]> asked = new ArrayList<>(); // LBA and count
    int asks;
    int plans;
    int askingPlan = -1; // of those that are run from now on

    AskingDevice(String store) throws IOException {
      super(new SimDeviceProvider().openForWriting("store=" + store + ",capacity=64m", home));
    }

    @Override
    public DeviceSession openSession() throws IOException {
      return new ExecutingSession(in.openSession()) {
        private boolean hasAsked;

        @Override
        public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
          hasAsked = plans++ == askingPlan;
          return in.execute(planBytes, stop);
        }

        @Override
        public boolean hasAsked() {
          return hasAsked;
        }

        @Override
        public void ask(long[] runs, int count) {
          asks++;
          for (int i = 0; i < count; i++) {
            asked.add(new long[] {runs[2 * i], runs[2 * i + 1]});
          }
        }
      };
    }
  }

  @BeforeAll
  static void open() throws IOException {
    device = new AskingDevice("all");
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    write(directory, DOCS);
    reader = DirectoryReader.open(directory);
  }

  private static void write(OffloadDirectory to, int docs) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(to, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int doc = 0; doc < docs; doc++) {
          Document document = new Document();
          String once = doc == 7 ? " once" : "";
          String all = "all ".repeat(doc % 31 + 1); // frequencies and lengths fill pages
          document.add(
              new TextField("f", all + "w" + doc % 2 + " x" + doc % 3 + once, Field.Store.NO));
          document.add(new NumericDocValuesField("n", doc * 7919L % DOCS));
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
  }

  @AfterAll
  static void close() throws IOException {
    reader.close();
    directory.close();
    device = null;
  }

  private static Query both(String one, String other) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("f", one)), Occur.MUST)
        .add(new TermQuery(new Term("f", other)), Occur.SHOULD)
        .build();
  }

  private static Query all(String... words) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (String word : words) {
      all.add(new TermQuery(new Term("f", word)), Occur.MUST);
    }
    return all.build();
  }

  /**
   * The next plans are to be counted, and one of them has to ask. No session expects it, as none of
   * the latest plans had to.
   */
  private static void begin(int askingPlan) throws IOException {
    device.askingPlan = -1;
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.search(both("w1", "all"), 10);
    beginAfterOthers(askingPlan);
  }

  private static void beginAfterOthers(int askingPlan) {
    device.plans = 0;
    device.askingPlan = askingPlan;
    device.asked.clear();
    device.asks = 0;
  }

  /** Searches in one slice, while the plan of one segment has to ask. */
  private void search(Query query, int askingPlan) throws IOException {
    begin(askingPlan);
    search(query);
  }

  private void search(Query query) throws IOException {
    ScoreDoc[] expected = new IndexSearcher(reader).search(query, DOCS).scoreDocs;
    ScoreDoc[] actual = new OffloadIndexSearcher(reader).search(query, DOCS).scoreDocs;
    assertEquals(expected.length, actual.length);
    for (int i = 0; i < actual.length; i++) {
      assertEquals(expected[i].doc, actual[i].doc);
      assertEquals(expected[i].score, actual[i].score);
    }
    assertEquals(SEGMENTS, device.plans);
  }

  private void checkAsked(int lists) throws IOException {
    assertEquals(lists, device.asked.size());
    ByteBuffer page = ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES);
    page.order(ByteOrder.LITTLE_ENDIAN);
    for (long[] run : device.asked) {
      for (long lba = run[0]; lba < run[0] + run[1]; lba++) {
        device.read(lba, page.clear());
        assertEquals(OffloadWire.PAGE_MAGIC, page.getInt(0), "no page of lists at " + lba);
      }
    }
  }

  @Test
  void allSegmentsBehindAreAskedForOnce() throws IOException {
    search(both("w1", "all"), 0);
    assertEquals(1, device.asks);
    checkAsked(2 * (SEGMENTS - 1));
    assertTrue(device.asked.stream().anyMatch(run -> run[1] > 1), "a list has several pages");
  }

  @Test
  void onlySegmentsBehind() throws IOException {
    search(both("w1", "all"), SEGMENTS - 2);
    checkAsked(2);
    search(both("w1", "all"), SEGMENTS - 1);
    assertEquals(0, device.asks);
  }

  @Test
  void allSegmentsTogetherAfterASearchThatHadToAsk() throws IOException {
    search(both("w1", "all"), 1);
    beginAfterOthers(0);
    search(both("w1", "all"));
    assertEquals(1, device.asks);
    checkAsked(2 * SEGMENTS);
    beginAfterOthers(-1); // as the plans of this search had nothing to wait for,
    search(both("w1", "all"));
    assertEquals(1, device.asks);
    beginAfterOthers(-1); // the next one expects none
    search(both("w1", "all"));
    assertEquals(0, device.asks);
  }

  @Test
  void allSegmentsTogetherInTheFirstSearch() throws IOException {
    AskingDevice fresh = new AskingDevice("fresh");
    try (OffloadDirectory other = OffloadDirectory.wrap(new ByteBuffersDirectory(), fresh)) {
      write(other, DOCS / 10);
      try (DirectoryReader first = DirectoryReader.open(other)) {
        new OffloadIndexSearcher(first).search(both("w1", "all"), 10);
        assertEquals(1, fresh.asks);
        assertEquals(2 * SEGMENTS, fresh.asked.size());
      }
    }
  }

  @Test
  void whatIsInThePlanIsNotAskedFor() throws IOException {
    search(both("once", "w1"), 0);
    checkAsked(SEGMENTS - 1);
  }

  @Test
  void listsOfPhrasesToo() throws IOException {
    search(new PhraseQuery("f", "all", "w1"), 0);
    checkAsked(2 * (SEGMENTS - 1));
  }

  @Test
  void countsToo() throws IOException {
    for (int asking = 0; asking < SEGMENTS; asking++) {
      begin(asking);
      assertEquals(
          new IndexSearcher(reader).count(all("w1", "x2")),
          new OffloadIndexSearcher(reader).count(all("w1", "x2")));
      assertEquals(SEGMENTS, device.plans);
      checkAsked(2 * (SEGMENTS - 1 - asking));
    }
  }

  @Test
  void sortsToo() throws IOException {
    Sort sort = new Sort(new SortField("n", SortField.Type.LONG, true));
    for (int asking = 0; asking < SEGMENTS; asking++) {
      begin(asking);
      ScoreDoc[] expected = new IndexSearcher(reader).search(both("w1", "all"), 10, sort).scoreDocs;
      ScoreDoc[] actual =
          new OffloadIndexSearcher(reader).search(both("w1", "all"), 10, sort).scoreDocs;
      assertEquals(10, actual.length);
      for (int i = 0; i < actual.length; i++) {
        assertEquals(expected[i].doc, actual[i].doc);
      }
      assertEquals(SEGMENTS, device.plans);
      checkAsked(SEGMENTS - 1 - asking); // what need not match has no part in the order
    }
  }

  @Test
  void aggregatesToo() throws IOException {
    for (int asking = 0; asking < SEGMENTS; asking++) {
      begin(asking);
      Aggregation<LongStats> stats = Aggregation.stats("n");
      AggregationResults results =
          new OffloadIndexSearcher(reader).aggregate(all("w1", "x2"), stats);
      assertEquals(new IndexSearcher(reader).count(all("w1", "x2")), results.matches());
      assertEquals(SEGMENTS, device.plans);
      checkAsked(2 * (SEGMENTS - 1 - asking));
    }
  }

  @Test
  void noPlanThatAsksNoQuestion() throws IOException {
    search(both("w1", "all"), -1);
    assertEquals(0, device.asks);
  }
}
