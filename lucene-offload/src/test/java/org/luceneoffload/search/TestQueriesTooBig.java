/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * Queries that take a device in the process too long: the host answers them, and the device goes on
 * for everybody else. The device runs such plans until it is stopped, and others whatever they
 * take.
 */
class TestQueriesTooBig {
  private static final int SEGMENTS = 3;
  private static final int QUERIES = 10;

  private final ReferenceProgram program = new ReferenceProgram();
  private volatile boolean big;
  private final RamBlockDevice device =
      new RamBlockDevice(
          1 << 16,
          (ram, plan, stop) -> {
            while (big) {
              if (stop.stop()) {
                throw new OffloadException(Status.ABORTED, "stopped");
              }
            }
            return program.run(ram, plan, StopSignal.NEVER);
          });
  private final OffloadOptions options =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMillis(1));
  private final DeviceHandle handle = new DeviceHandle(device, options, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, options);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final Query query = TestQueryCompiler.parse("body:w0 body:w1 body:w2");
  private DirectoryReader reader;
  private OffloadIndexSearcher searcher;
  private IndexSearcher stock;

  @BeforeEach
  void openIndex() throws IOException {
    RandomIndex documents = new RandomIndex(new Random(7));
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < SEGMENTS; i++) {
        documents.add(writer, 200);
        writer.flush();
      }
    }
    reader = images.open(DirectoryReader.open(directory));
    searcher = new OffloadIndexSearcher(reader);
    stock = new IndexSearcher(reader);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private long count(Counter counter) {
    return handle.stats().get(counter);
  }

  private void checkTop() throws IOException {
    assertEquals(
        SearcherComparison.describe(stock.search(query, 10).scoreDocs),
        SearcherComparison.describe(searcher.search(query, 10).scoreDocs));
  }

  private void checkAll() throws IOException {
    List<String> expected =
        stock.search(query, new SearcherComparison.AllHits(ScoreMode.COMPLETE, false));
    assertEquals(
        expected,
        searcher.search(query, new SearcherComparison.AllHits(ScoreMode.COMPLETE, false)));
  }

  private void checkCount() throws IOException {
    assertEquals(stock.count(query), searcher.count(query));
  }

  @Test
  void theyDoNotTakeTheDeviceFromTheOthers() throws IOException {
    for (int i = 1; i <= QUERIES; i++) {
      big = true;
      checkTop();
      assertEquals(i, count(Counter.PLANS_TOO_LONG), "once, whatever the number of segments");
      big = false;
      assertFalse(handle.breaker().isOpen());
      checkTop();
      assertEquals((long) i * SEGMENTS, count(Counter.LEAVES_OFFLOADED));
    }
    assertEquals(0, count(Counter.BREAKER_OPENED));
    assertEquals(0, count(Counter.PLANS_FAILED));
    assertEquals(QUERIES, count(Counter.LEAVES_FALLEN_BACK));
    assertEquals((long) QUERIES * (SEGMENTS - 1), count(Counter.LEAVES_ON_HOST));
    assertEquals(QUERIES, handle.stats().fallbacks().get("ABORTED"));
  }

  @Test
  void whicheverWayTheyAsk() throws IOException {
    big = true;
    checkAll();
    assertEquals(1, count(Counter.PLANS_TOO_LONG));
    checkCount();
    assertEquals(2, count(Counter.PLANS_TOO_LONG));
    assertFalse(handle.breaker().isOpen());
  }

  @Test
  void strictSaysWhatItIs() {
    searcher.setStrict(true);
    big = true;
    OffloadException late = assertThrows(OffloadException.class, () -> searcher.search(query, 10));
    assertEquals(Status.ABORTED, late.status());
    assertTrue(late.getMessage().contains("longer than deviceTimeout, 1 ms"), late.getMessage());
  }
}
