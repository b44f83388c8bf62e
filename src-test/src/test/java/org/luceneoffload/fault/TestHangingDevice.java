/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.concurrency.Unclosed;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.HangingDevice;
import org.luceneoffload.device.HangingDevice.Kind;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * A device whose calls do not return: searching, indexing and closing go on, with stock Lucene's
 * answers, and the device is used again when it answers again.
 */
class TestHangingDevice {
  private static final Duration TIMEOUT = Duration.ofMillis(200);
  private static final OffloadOptions OPTIONS = OffloadOptions.DEFAULT.withDeviceTimeout(TIMEOUT);

  /** For what has to succeed: a drive that others use, too, may take its time to flush. */
  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  @TempDir Path folder;
  private HangingDevice device;
  private final Directory plain = new ByteBuffersDirectory();
  private OffloadDirectory directory;
  private IndexWriter writer;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);

  @BeforeEach
  void open() throws IOException {
    System.out.println("seed of TestHangingDevice: -Dtests.seed=" + SEED);
    device =
        new HangingDevice(
            new SimDeviceProvider().openForWriting("capacity=1g,dram=32m,sessions=8", folder));
    try (OffloadDirectory patient = OffloadDirectory.wrap(new Unclosed(plain), device, PATIENT);
        IndexWriter first = new IndexWriter(patient, config())) {
      FaultIndex.add(first, SEED, 3_000);
      first.deleteDocuments(new Term("body", "w40"));
      first.commit();
    }
    directory = OffloadDirectory.wrap(plain, device, OPTIONS);
    writer = new IndexWriter(directory, config());
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig()
        .setCodec(new OffloadCodec())
        .setMergePolicy(NoMergePolicy.INSTANCE);
  }

  @AfterEach
  void close() throws IOException {
    device.letGo();
    writer.close();
    directory.close();
    device.close();
  }

  private long count(Counter counter) {
    return directory.stats().get(counter);
  }

  private List<String> stock() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(plain)) {
      return FaultIndex.answers(new IndexSearcher(reader), queries);
    }
  }

  private void awaitHalfOpen() throws InterruptedException {
    long end = System.nanoTime() + PATIENT.deviceTimeout().toNanos();
    while (ImageDirectory.find(directory).handle().breaker().isOpen()) {
      assertTrue(System.nanoTime() < end, "still open");
      Thread.sleep(5);
    }
  }

  /**
   * Searches, each time with stock Lucene's answers, until all that the device was asked for came
   * from it. A busy machine may take longer than the device's time, so the first round may not.
   */
  private void awaitUse(OffloadIndexSearcher searcher, List<String> expected) throws Exception {
    long end = System.nanoTime() + PATIENT.deviceTimeout().toNanos();
    long offloaded;
    long failed;
    do {
      assertTrue(System.nanoTime() < end, "the device is not used");
      awaitHalfOpen();
      offloaded = count(Counter.LEAVES_OFFLOADED);
      failed = count(Counter.PLANS_FAILED);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
    } while (count(Counter.LEAVES_OFFLOADED) == offloaded || count(Counter.PLANS_FAILED) > failed);
  }

  @Test
  void plansThatHang() throws Exception {
    List<String> expected = stock();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      awaitUse(searcher, expected);
      for (Kind kind : new Kind[] {Kind.PLAN, Kind.SESSION, Kind.RESOURCE}) {
        device.hang(kind);
        device.hang(Kind.PLAN);
        long abandoned = count(Counter.CALLS_ABANDONED);
        List<Future<List<String>>> futures = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
          for (int i = 0; i < 6; i++) {
            futures.add(threads.submit(() -> FaultIndex.answers(searcher, queries)));
          }
          for (Future<List<String>> future : futures) {
            assertEquals(expected, future.get());
          }
        }
        // Each query would have to wait once if only its own wait counted: 144 of them.
        abandoned = count(Counter.CALLS_ABANDONED) - abandoned;
        assertTrue(abandoned > 0 && abandoned < 125, abandoned + " calls were waited for in vain");
        device.letGo();
        awaitUse(searcher, expected);
      }
      assertTrue(count(Counter.BREAKER_OPENED) >= 3);
      assertTrue(count(Counter.BREAKER_HALF_OPENED) >= 3);
      assertTrue(count(Counter.LEAVES_FALLEN_BACK) > 0);
      assertTrue(
          directory.stats().reasons().containsKey("the circuit breaker of the device is open"));
    }
  }

  @Test
  void strictSaysThatTheBreakerIsOpen() throws Exception {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      awaitUse(new OffloadIndexSearcher(reader), stock());
      OffloadIndexSearcher strict = new OffloadIndexSearcher(reader);
      strict.setStrict(true);
      device.hang(Kind.PLAN);
      OffloadException late =
          assertThrows(OffloadException.class, () -> strict.search(queries.get(0), 10));
      assertEquals(Status.TIMED_OUT, late.status());
      OffloadException open =
          assertThrows(OffloadException.class, () -> strict.search(queries.get(0), 10));
      assertTrue(open.getMessage().contains("circuit breaker"), open.getMessage());
      assertTrue(open.getMessage().contains("200 ms"), open.getMessage());
    }
  }

  @Test
  void outcomeUnknownSaysTheBackEnd() throws Exception {
    List<String> expected = stock();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      device.fail(new OffloadException(Status.TIMED_OUT, "injected"), Kind.PLAN);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      // The probe, which is no plan, succeeds: every other while one plan is tried.
      long failed = count(Counter.PLANS_FAILED);
      assertTrue(failed > 0 && failed < 10, failed + " plans failed");
      device.letGo();
      awaitUse(searcher, expected);
    }
  }

  /** A reader that was opened while the device hung uses the device when it has come back. */
  @Test
  void openedWhileItHangs() throws Exception {
    List<String> expected = stock();
    device.hang(Kind.READ);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      assertEquals(0, count(Counter.LEAVES_OFFLOADED));
      device.letGo();
      awaitUse(searcher, expected);
    }
  }

  @Test
  void indexingGoesOnWithoutImages() throws Exception {
    for (Kind kind : new Kind[] {Kind.WRITE, Kind.FLUSH, Kind.TRIM}) {
      long dropped = count(Counter.IMAGES_DROPPED) + count(Counter.VOLUME_SYNC_FAILURES);
      device.hang(kind);
      long abandoned = count(Counter.CALLS_ABANDONED);
      for (int i = 0; i < 5; i++) {
        FaultIndex.add(writer, SEED + i, 200);
        writer.commit();
      }
      writer.forceMerge(1);
      writer.commit();
      abandoned = count(Counter.CALLS_ABANDONED) - abandoned;
      String waits = abandoned + " calls were waited for in vain";
      System.out.println(kind + ": " + waits);
      assertTrue(abandoned < 200, kind + ": " + waits);
      if (kind != Kind.TRIM) {
        assertTrue(
            count(Counter.IMAGES_DROPPED) + count(Counter.VOLUME_SYNC_FAILURES) > dropped,
            kind.toString());
      }
      List<String> expected = stock();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
      }
      device.letGo();
      awaitHalfOpen();
    }
    // The drive, too, may take longer than this device's time.
    long written = count(Counter.IMAGES_WRITTEN);
    long end = System.nanoTime() + PATIENT.deviceTimeout().toNanos();
    do {
      assertTrue(System.nanoTime() < end, "no images again");
      awaitHalfOpen();
      FaultIndex.add(writer, SEED, 200);
      writer.commit();
    } while (count(Counter.IMAGES_WRITTEN) == written);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(stock(), FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
    }
  }

  @Test
  void closingEndsThoughEverythingHangs() throws Exception {
    ByteBuffersDirectory other = new ByteBuffersDirectory();
    try (SimHome home = new SimHome(folder.resolve("other"))) {
      HangingDevice hangs = home.device;
      long start;
      try (OffloadDirectory over = OffloadDirectory.wrap(other, hangs, OPTIONS)) {
        try (IndexWriter indexing =
            new IndexWriter(over, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
          FaultIndex.add(indexing, SEED, 500);
        }
        DirectoryReader reader = DirectoryReader.open(over);
        FaultIndex.answers(new OffloadIndexSearcher(reader), queries);
        hangs.hang(Kind.values());
        start = System.nanoTime();
        reader.close();
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(millis < 100 * TIMEOUT.toMillis(), millis + " ms");
    }
  }

  /** A second device. */
  private static final class SimHome implements AutoCloseable {
    final HangingDevice device;

    SimHome(Path home) throws IOException {
      Files.createDirectories(home);
      device =
          new HangingDevice(new SimDeviceProvider().openForWriting("capacity=1g,dram=4m", home));
    }

    @Override
    public void close() throws IOException {
      device.letGo();
      device.close();
    }
  }
}
