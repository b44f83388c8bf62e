/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;
import static org.luceneoffload.searcher.split.SplitAnswers.searcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.sim.StagingDevice;

/**
 * Plans of all segments in one exchange: of the best hits, of counts, of sorts, of aggregations.
 */
class TestStagedModes {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int SEGMENTS = 5;
  private static final int QUERIES = Boolean.getBoolean("tests.long") ? 1000 : 60;

  @TempDir Path home;
  private final Random random = new Random(SEED);
  private final Words words = new Words(random);

  /** Something that is asked of a searcher. */
  @FunctionalInterface
  private interface Asking {
    void run() throws IOException;
  }

  private static void assertTogether(StagingDevice device, Asking asking) throws IOException {
    long before = device.staged.get();
    asking.run();
    assertEquals(SEGMENTS, device.staged.get() - before);
  }

  @Test
  void allModesGoTogether() throws IOException {
    System.out.println("seed of TestStagedModes: -Dtests.seed=" + SEED);
    StagingDevice device =
        new StagingDevice(
            new SimDeviceProvider().openForWriting("capacity=1g,dram=32m,sessions=8", home),
            () -> null);
    try (OffloadDirectory directory =
        OffloadDirectory.wrap(FSDirectory.open(home.resolve("index")), device)) {
      try (IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
        for (int i = 0; i < SEGMENTS; i++) {
          words.add(writer, 300 + random.nextInt(300));
          words.delete(writer, 20);
          writer.flush();
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(SEGMENTS, reader.leaves().size());
        OffloadIndexSearcher ours = searcher(reader, Placement.ALWAYS);
        ours.setStrict(true);
        Query query = Words.bool("w0 w1");
        Sort byNumber = new Sort(new SortField("number", SortField.Type.LONG, true));
        assertTogether(device, () -> ours.search(query, 10));
        assertTogether(device, () -> ours.search(query, 10, byNumber));
        for (Aggregation<?> aggregation :
            new Aggregation<?>[] {
              Aggregation.stats("number"),
              Aggregation.histogram("number", 7),
              Aggregation.terms("group", 3),
              Aggregation.distinctTerms("group")
            }) {
          assertTogether(device, () -> ours.aggregate(query, aggregation));
        }
        for (int i = 0; i < QUERIES; i++) {
          same(ours, words.query());
        }
        assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
        assertTrue(directory.stats().get(Counter.PLANS_EXECUTED) > 0);
      }
    }
  }
}
