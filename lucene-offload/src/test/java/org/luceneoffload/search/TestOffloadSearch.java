/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.FaultyProgram;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;

/** Random queries over hand-made images and the reference program, against stock Lucene. */
class TestOffloadSearch {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  private final Random random = new Random(SEED);
  private final RandomIndex documents = new RandomIndex(random);
  private final RandomQueries queries = new RandomQueries(random, documents);
  private final FaultyProgram program = new FaultyProgram(new ReferenceProgram());
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, program);
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private IndexWriter writer;

  @BeforeEach
  void openWriter() throws Exception {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    writer = new IndexWriter(directory, config);
  }

  @AfterEach
  void close() throws Exception {
    writer.close();
    handle.release();
    assertEquals(0, device.liveDocsCount(), "live docs left in device memory");
  }

  private void check(IndexReader reader, OffloadIndexSearcher offload, int rounds)
      throws Exception {
    SearcherComparison comparison =
        new SearcherComparison(new IndexSearcher(reader), offload, random);
    for (int i = 0; i < rounds; i++) {
      comparison.check(queries.expressible());
      if (i % 3 == 0) {
        comparison.check(queries.mixed());
      }
    }
  }

  private void addSegments(int segments, int documentsEach) throws Exception {
    for (int i = 0; i < segments; i++) {
      documents.add(writer, documentsEach);
      writer.flush();
    }
  }

  @Test
  void oneSegment() throws Exception {
    addSegments(1, 2000);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      check(reader, new OffloadIndexSearcher(reader), 30);
      assertEquals(0, handle.stats().get(Counter.LEAVES_FALLEN_BACK));
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 100);
    }
  }

  @Test
  void manySegmentsWithDeletesAndReopens() throws Exception {
    DirectoryReader reader = null;
    for (int round = 0; round < 3; round++) {
      addSegments(3, 200);
      documents.delete(writer, 60);
      DirectoryReader newReader =
          reader == null
              ? images.open(DirectoryReader.open(writer))
              : DirectoryReader.openIfChanged(reader);
      if (reader != null) {
        reader.close();
      }
      reader = newReader;
      check(reader, new OffloadIndexSearcher(reader), 15);
    }
    assertTrue(device.liveDocsCount() > 0);
    reader.close();
  }

  @Test
  void executorAndPartitions() throws Exception {
    addSegments(5, 250);
    documents.delete(writer, 30);
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      check(reader, new OffloadIndexSearcher(reader, executor), 10);
      check(reader, new PartitionedSearcher(reader, executor), 25);
    } finally {
      executor.shutdown();
    }
  }

  /**
   * Streams take many small pages, and more hits than a page holds come as a stream. Of the sizes
   * one has room for too few hits to ask for those above a score, the other for fewer than usual.
   */
  @ParameterizedTest
  @ValueSource(ints = {256, 2048})
  void smallResultPages(int maxResultBytes) throws Exception {
    device.setMaxResultBytes(maxResultBytes);
    addSegments(2, 400);
    documents.delete(writer, 20);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      check(reader, new OffloadIndexSearcher(reader), 15);
      assertEquals(0, handle.stats().get(Counter.PLANS_FAILED), handle.stats().toString());
      for (FaultyProgram.Fault fault : FaultyProgram.Fault.values()) {
        for (int i = 0; i < 4 || program.faults() == 0; i++) {
          program.failAfter(random.nextInt(40), fault);
          check(reader, new OffloadIndexSearcher(reader), 1);
        }
      }
    }
  }

  @Test
  void someSegmentsWithoutImages() throws Exception {
    addSegments(4, 200);
    documents.delete(writer, 20);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
      images.images().get(0).markBad("for this test");
      check(reader, offload, 15);
      assertTrue(handle.stats().get(Counter.LEAVES_ON_HOST) > 0);
    }
  }

  @Test
  void everyFaultLeavesTheAnswerAsItIs() throws Exception {
    addSegments(3, 300);
    documents.delete(writer, 20);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
      for (FaultyProgram.Fault fault : FaultyProgram.Fault.values()) {
        for (int i = 0; i < 5 || program.faults() == 0; i++) {
          program.failAfter(random.nextInt(12), fault);
          check(reader, offload, 1);
        }
      }
      assertTrue(handle.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
    }
  }

  @Test
  void closedDeviceLeavesTheAnswerAsItIs() throws Exception {
    addSegments(2, 200);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
      check(reader, offload, 2);
      device.close();
      check(reader, offload, 5);
      // By chance, none of these was for the device.
      for (int i = 0; i < 100 && handle.stats().get(Counter.LEAVES_FALLEN_BACK) == 0; i++) {
        check(reader, offload, 1);
      }
      assertTrue(handle.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
    }
  }

  @Test
  void strictMakesTroubleAnError() throws Exception {
    addSegments(2, 200);
    try (DirectoryReader reader = images.open(DirectoryReader.open(writer))) {
      OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
      offload.setStrict(true);
      // Not a random one: such a query may rewrite to nothing, which needs no device.
      Query mixed =
          new BooleanQuery.Builder()
              .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
              .add(new PhraseQuery(70_000, "body", "w0", "w1"), Occur.MUST)
              .build();
      UnsupportedOperationException refused =
          assertThrows(UnsupportedOperationException.class, () -> offload.search(mixed, 10));
      assertTrue(refused.getMessage().contains("plans cannot express"), refused.getMessage());
      Query term = TestQueryCompiler.parse("+body:w0 +body:w1");
      offload.search(term, 10);
      program.failAfter(0, FaultyProgram.Fault.STATUS);
      assertThrows(OffloadException.class, () -> offload.search(term, 10));
      assertThrows(OffloadException.class, () -> offload.count(term));
    }
  }
}
