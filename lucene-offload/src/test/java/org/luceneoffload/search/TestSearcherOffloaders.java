/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.Collected;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/** The knowledge about a searcher stays as long as the searcher does, and no longer. */
class TestSearcherOffloaders {
  private final RamBlockDevice device = new RamBlockDevice(1 << 16, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final OffloadQuery query = new OffloadQuery(TestQueryCompiler.parse("+body:w0 +body:w1"));
  private int before; // of other tests in this process

  @BeforeEach
  void writeIndex() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      new RandomIndex(new Random(7)).add(writer, 200);
    }
    before = SearcherOffloaders.openReaders();
  }

  @AfterEach
  void close() throws IOException {
    handle.release();
    assertEquals(before, SearcherOffloaders.openReaders());
  }

  private DirectoryReader open() throws IOException {
    return images.open(DirectoryReader.open(directory));
  }

  private void checkStays(IndexReader reader) throws Exception {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.search(query, 10);
    assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    SearcherOffloaders known = SearcherOffloaders.of(searcher);
    int hash = System.identityHashCode(known);
    WeakReference<SearcherOffloaders> held = new WeakReference<>(known);
    known = null;
    Collected.once();
    assertNotNull(held.get(), "the searcher is still there");
    assertSame(held.get(), SearcherOffloaders.of(searcher));
    assertEquals(hash, System.identityHashCode(SearcherOffloaders.of(searcher)));
  }

  @Test
  void theCollectorLeavesWhatIsInUse() throws Exception {
    try (DirectoryReader reader = open()) {
      checkStays(reader);
      assertEquals(before + 1, SearcherOffloaders.openReaders());
    }
  }

  /** A reader over several others that cannot be told when it is closed. */
  @Test
  void alsoOverAReaderWithoutAKey() throws Exception {
    try (MultiReader reader = new MultiReader(open(), open())) {
      checkStays(reader);
    }
  }

  private WeakReference<SearcherOffloaders> search(IndexReader reader) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.search(query, 10);
    return new WeakReference<>(SearcherOffloaders.of(searcher));
  }

  @Test
  void itGoesWithTheSearcher() throws Exception {
    try (DirectoryReader reader = open()) {
      WeakReference<SearcherOffloaders> known = search(reader);
      Collected.await(
          "what was known of the searcher",
          () -> {
            try {
              search(reader); // another one
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return known.get() == null;
          });
    }
  }

  @Test
  void itGoesWithTheReader() throws Exception {
    DirectoryReader reader = open();
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.search(query, 10);
    WeakReference<SearcherOffloaders> known = new WeakReference<>(SearcherOffloaders.of(searcher));
    reader.close();
    Collected.await("what was known of the reader", () -> known.get() == null);
    assertNotNull(searcher);
  }

  @Test
  void nothingIsKeptOfAReaderThatIsClosed() throws Exception {
    DirectoryReader reader = open();
    IndexSearcher searcher = new IndexSearcher(reader);
    reader.close();
    try {
      SearcherOffloaders.of(searcher);
    } catch (org.apache.lucene.store.AlreadyClosedException e) {
      assertNotNull(e.getMessage());
    }
    assertEquals(before, SearcherOffloaders.openReaders());
  }
}
