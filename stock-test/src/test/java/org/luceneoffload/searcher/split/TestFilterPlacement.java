/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;
import static org.luceneoffload.searcher.split.SplitAnswers.searcher;

import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** The host scores, sorts and aggregates what the device filters. */
class TestFilterPlacement {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int QUERIES = Boolean.getBoolean("tests.long") ? 500 : 6;

  @TempDir Path home;

  @Test
  void answersAreStocksAndTheDeviceScoresNothing() throws Exception {
    System.out.println("seed of TestFilterPlacement: -Dtests.seed=" + SEED);
    Words words = new Words(new Random(SEED));
    try (OffloadDirectory directory = OffloadDirectory.open(home, SearcherTestCase.DEVICE)) {
      try (IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
        words.add(writer, 600);
        words.delete(writer, 30);
        writer.flush();
        words.add(writer, 200);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher ours = searcher(reader, Placement.FILTER);
        OffloadStats.Snapshot before = directory.stats().read();
        same(ours, Words.term("w0"));
        for (int i = 0; i < QUERIES; i++) {
          same(ours, words.query());
        }
        OffloadStats.Snapshot work = directory.stats().read().since(before);
        assertTrue(work.get(Counter.LEAVES_OFFLOADED) > QUERIES, work.toString());
        assertEquals(0, work.get(Counter.DOCS_SCORED), work.toString());
        assertEquals(0, work.get(Counter.LEAVES_FALLEN_BACK), work.toString());
        assertEquals(0, work.get(Counter.PLANS_FAILED), work.toString());
      }
    }
  }
}
