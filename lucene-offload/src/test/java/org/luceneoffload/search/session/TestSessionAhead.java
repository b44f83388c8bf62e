/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.SlowDirectory;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.guard.DeviceHandle;

/** A session is opened while the first query's terms are waited for. */
class TestSessionAhead {
  private static final int SEGMENTS = 2;
  private static final int WORDS = 4000; // slots and entries are on pages of their own

  private final SlowDirectory slow = new SlowDirectory(new ByteBuffersDirectory());
  private OpeningDevice device;
  private OffloadDirectory directory;
  private DirectoryReader reader;

  private final class OpeningDevice extends FilterDevice {
    private final boolean mayBlock;
    int sessions;
    int failures; // of sessions that are opened from now on
    Throwable failure = new IllegalStateException("no session now");
    int delays = -1; // of the directory when a session was opened

    OpeningDevice(boolean mayBlock) {
      super(new RamBlockDevice(1 << 12, new ReferenceProgram()));
      this.mayBlock = mayBlock;
    }

    @Override
    public boolean mayBlock() {
      return mayBlock;
    }

    @Override
    public DeviceSession openSession() throws IOException {
      if (failures > 0) {
        failures--;
        throw IOUtils.rethrowAlways(failure);
      }
      sessions++;
      delays = slow.delays();
      return in.openSession();
    }
  }

  private void open(boolean mayBlock) throws IOException {
    device = new OpeningDevice(mayBlock);
    directory = OffloadDirectory.wrap(slow, device);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
          body.append("word").append(i).append(' ');
        }
        for (int doc = 0; doc < 2; doc++) {
          Document document = new Document();
          document.add(new TextField("body", body.toString(), Field.Store.NO));
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
    reader = DirectoryReader.open(directory);
    slow.forget();
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private void search(String word) throws IOException {
    TermQuery query = new TermQuery(new Term("body", word));
    assertEquals(2 * SEGMENTS, new OffloadIndexSearcher(reader).search(query, 10).scoreDocs.length);
  }

  @Test
  void itIsThereWhenTheTermsAre() throws IOException {
    open(false);
    search("word17");
    assertEquals(2, slow.delays());
    assertEquals(0, device.delays, "before the slots were there");
    assertEquals(1, device.sessions);
    search("word2717");
    assertEquals(1, device.sessions, "one is enough");
  }

  @Test
  void aDeviceThatMayKeepItsCallerWaitingIsNotAsked() throws IOException {
    open(true);
    search("word17");
    assertEquals(2, device.delays);
    assertEquals(1, device.sessions);
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IOException("no session now"),
        new IllegalStateException("no session now"),
        new AssertionError("no session now"),
        new UnsatisfiedLinkError("no session now"),
        new OutOfMemoryError("Cannot reserve direct buffer memory"));
  }

  /** The plan asks again, whatever the device threw. */
  @ParameterizedTest
  @MethodSource("failures")
  void aFailureThereIsNoneOfTheSearch(Throwable failure) throws IOException {
    open(false);
    device.failures = 1;
    device.failure = failure;
    search("word17");
    assertEquals(1, device.sessions);
    assertEquals(SEGMENTS, directory.stats().get(OffloadStats.Counter.LEAVES_OFFLOADED));
  }

  /** An error that does not come from the device is not kept from the caller. */
  @Test
  void anErrorOfTheHostIsSeen() throws IOException {
    open(false);
    // A handle over the bare device: nothing turns what it throws into failures of a device.
    DeviceHandle handle = new DeviceHandle(device, () -> {});
    PlanRunner runner = PlanRunner.of(handle);
    for (Error error : List.of(new StackOverflowError(), new OutOfMemoryError("Java heap space"))) {
      device.failures = 1;
      device.failure = error;
      assertSame(error, assertThrows(error.getClass(), runner::openSession));
    }
    for (Exception exception : List.of(new IOException(), new IllegalStateException())) {
      device.failures = 1;
      device.failure = exception;
      runner.openSession();
      assertEquals(0, device.failures);
    }
    runner.openSession();
    assertEquals(1, device.sessions, "none that failed counts as open");
    handle.release();
  }
}
