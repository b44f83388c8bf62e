/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.Bits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.PassingLeafReader;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/** Exceptions of an application's own reader or timeout are no failures of the device. */
class TestApplicationFailures {
  private static final int TIMES = 5;

  private final ReferenceProgram program = new ReferenceProgram();
  private volatile boolean running;
  private final RamBlockDevice device =
      new RamBlockDevice(
          1 << 16,
          (ram, plan, stop) -> {
            running = true;
            try {
              return program.run(ram, plan, stop);
            } finally {
              running = false;
            }
          });
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final Query query = TestQueryCompiler.parse("body:w0 body:w1");

  @BeforeEach
  void writeIndex() throws IOException {
    RandomIndex documents = new RandomIndex(new Random(7));
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      documents.add(writer, 300);
      writer.commit();
      documents.delete(writer, 20);
    }
  }

  @AfterEach
  void close() throws IOException {
    handle.release();
  }

  private DirectoryReader open() throws IOException {
    DirectoryReader reader = images.open(DirectoryReader.open(directory));
    assertTrue(reader.hasDeletions());
    return reader;
  }

  private void assertNotBlamed() throws IOException {
    assertFalse(handle.breaker().isOpen());
    assertEquals(0, handle.stats().get(Counter.BREAKER_OPENED));
    assertEquals(0, handle.stats().get(Counter.PLANS_FAILED));
    long offloaded = handle.stats().get(Counter.LEAVES_OFFLOADED);
    try (DirectoryReader reader = open()) {
      assertEquals(
          SearcherComparison.describe(new IndexSearcher(reader).search(query, 10).scoreDocs),
          SearcherComparison.describe(
              new OffloadIndexSearcher(reader).search(query, 10).scoreDocs));
    }
    assertEquals(offloaded + 1, handle.stats().get(Counter.LEAVES_OFFLOADED));
  }

  @Test
  void aReaderThatIsClosedWhileItsLiveDocsAreSent() throws IOException {
    for (int i = 0; i < TIMES; i++) {
      DirectoryReader reader = open();
      device.onPutLiveDocs(
          () -> {
            try {
              reader.close();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      try {
        new OffloadIndexSearcher(reader).search(query, 10);
      } catch (AlreadyClosedException e) {
        // Stock may notice that the application closed its reader.
        assertTrue(e.getMessage().contains("IndexReader"), e.getMessage());
      }
      device.onPutLiveDocs(() -> {});
      assertEquals(0, device.liveDocsCount(), "live docs left in device memory");
    }
    assertNotBlamed();
  }

  /** A reader whose live docs throw. */
  private static final class BrokenReader extends FilterDirectoryReader {
    private static final RuntimeException THROWN = new IllegalStateException("live docs");

    BrokenReader(DirectoryReader in) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader reader) {
              return new BrokenLeaf(reader);
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new BrokenReader(in);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }

    private static final class BrokenLeaf extends PassingLeafReader {
      BrokenLeaf(LeafReader in) {
        super(in);
      }

      @Override
      public Bits getLiveDocs() {
        Bits all = in.getLiveDocs();
        return new Bits() {
          @Override
          public boolean get(int index) {
            throw THROWN;
          }

          @Override
          public int length() {
            return all.length();
          }
        };
      }
    }
  }

  @Test
  void aReaderWhoseLiveDocsThrow() throws IOException {
    try (DirectoryReader reader = new BrokenReader(open())) {
      for (int i = 0; i < TIMES; i++) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        RuntimeException thrown =
            assertThrows(IllegalStateException.class, () -> searcher.search(query, 10));
        assertSame(BrokenReader.THROWN, thrown);
      }
    }
    assertNotBlamed();
  }

  @Test
  void aTimeoutThatThrows() throws IOException {
    try (DirectoryReader reader = open()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      RuntimeException expected = new IllegalStateException("timeout");
      searcher.setTimeout(
          () -> {
            if (running) {
              throw expected;
            }
            return false;
          });
      for (int i = 0; i < TIMES; i++) {
        assertSame(
            expected, assertThrows(IllegalStateException.class, () -> searcher.search(query, 10)));
      }
    }
    assertNotBlamed();
  }
}
