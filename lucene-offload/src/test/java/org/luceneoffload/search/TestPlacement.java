/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadOptions;
import org.luceneoffload.OffloadStats.Counter;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.planner.Placement;
import org.luceneoffload.store.DeviceHandle;

/** That the application's choice of a place is followed, and never shows in an answer. */
class TestPlacement {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  private final Random random = new Random(SEED);
  private final RandomIndex documents = new RandomIndex(random);
  private final RandomQueries queries = new RandomQueries(random, documents);
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();

  @AfterEach
  void close() throws Exception {
    handle.release();
  }

  private DirectoryReader reader(OffloadOptions options) throws Exception {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    IndexWriter writer = new IndexWriter(directory, config);
    for (int i = 0; i < 3; i++) {
      documents.add(writer, 300);
      writer.flush();
    }
    documents.delete(writer, 40);
    writer.close();
    return new HandMadeImages(handle, options).open(DirectoryReader.open(directory));
  }

  private void check(DirectoryReader reader, OffloadIndexSearcher searcher) throws Exception {
    SearcherComparison comparison =
        new SearcherComparison(new IndexSearcher(reader), searcher, random);
    for (int i = 0; i < 8; i++) {
      comparison.check(queries.expressible());
      comparison.check(queries.mixed());
    }
  }

  @Test
  void neverByTheDirectory() throws Exception {
    OffloadOptions options = OffloadOptions.DEFAULT.withPlacement(Placement.NEVER).withStrict(true);
    try (DirectoryReader reader = reader(options)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(Placement.NEVER, searcher.placement());
      check(reader, searcher);
      assertEquals(0, handle.stats().get(Counter.PLANS_EXECUTED));
      assertEquals(0, handle.stats().get(Counter.QUERIES_COMPILED));
      Query query = TestQueryCompiler.parse("w0 w1");
      assertEquals(Refusal.Reason.PLACEMENT, searcher.explainPlan(query).refusal().reason());
      searcher.setPlacement(Placement.ALWAYS);
      searcher.setStrict(false);
      check(reader, searcher);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    }
  }

  @Test
  void withoutProfileAutoIsTheDevice() throws Exception {
    try (DirectoryReader reader = reader(OffloadOptions.DEFAULT)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(Placement.AUTO, searcher.placement());
      check(reader, searcher);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      assertEquals(null, handle.stats().reasons().get(Refusal.Reason.PLANNER.text()));
    }
  }

  @Test
  void thereIsAlwaysAPlacement() {
    assertThrows(NullPointerException.class, () -> OffloadOptions.DEFAULT.withPlacement(null));
    assertEquals(Placement.AUTO, OffloadOptions.DEFAULT.placement());
    assertTrue(OffloadOptions.DEFAULT.withStrict(true).withPlacement(Placement.NEVER).strict());
  }
}
