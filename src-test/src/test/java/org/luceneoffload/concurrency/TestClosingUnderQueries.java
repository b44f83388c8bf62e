/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.sim.SimDeviceProvider;

/**
 * Readers, directories and the device are closed while queries run that hold no reference: each
 * query gets the right answer, or an {@link AlreadyClosedException} as from stock Lucene.
 */
class TestClosingUnderQueries {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int ROUNDS = Boolean.getBoolean("tests.long") ? 400 : 12;
  private static final int THREADS = 4;
  private static final int QUERIES = 20;

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final AtomicLong right = new AtomicLong();
  private final List<Query> queries = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private GatedDevice device;
  private Directory plain;
  private ExecutorService threads;

  /** Closes a reader, its directory, or both. */
  private interface Closing {
    void close(DirectoryReader reader, OffloadDirectory directory) throws IOException;
  }

  @BeforeEach
  void open() throws IOException {
    System.out.println("seed of TestClosingUnderQueries: -Dtests.seed=" + SEED);
    device = newDevice(0);
    plain = new MMapDirectory(folder.resolve("index"));
    threads = Executors.newFixedThreadPool(THREADS, new NamedThreadFactory("closing"));
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, 2_000);
      for (int i = 0; i < QUERIES; i++) {
        queries.add(WordIndex.query(random));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher stock = new IndexSearcher(reader);
        for (Query query : queries) {
          expected.add(SameAnswers.describe(stock.search(query, 10)));
        }
      }
    }
    plain = new MMapDirectory(folder.resolve("index"));
  }

  private GatedDevice newDevice(int number) throws IOException {
    Path home = folder.resolve("device" + number);
    return new GatedDevice(
        new SimDeviceProvider().openForWriting("capacity=1g,dram=8m,sessions=4", home));
  }

  private void write(Directory directory, int documents) throws IOException {
    try (IndexWriter writer = WordIndex.writer(directory, random)) {
      for (int id = 0; id < documents; id++) {
        writer.addDocument(WordIndex.document(random, id));
        if (id % 7 == 0) {
          writer.deleteDocuments(WordIndex.id(random.nextInt(id + 1)));
        }
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    threads.shutdown();
    plain.close();
    device.close();
  }

  private Void search(IndexSearcher searcher, CountDownLatch begun, Random which)
      throws IOException {
    try {
      while (true) {
        int i = which.nextInt(QUERIES);
        assertEquals(expected.get(i), SameAnswers.describe(searcher.search(queries.get(i), 10)));
        right.incrementAndGet();
        begun.countDown();
      }
    } catch (AlreadyClosedException e) {
      return null; // as it must be, once the reader is closed
    } finally {
      begun.countDown();
    }
  }

  private void rounds(Closing closing) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      round(closing);
      assertEquals(0, device.openResources(), "live docs left in device memory");
      assertEquals(0, device.openSessions(), "sessions left open");
    }
    assertTrue(right.get() >= ROUNDS);
  }

  private void round(Closing closing) throws Exception {
    // A directory that is closed does not close the application's own.
    OffloadDirectory directory = OffloadDirectory.wrap(new Unclosed(plain), device);
    DirectoryReader reader = DirectoryReader.open(directory);
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    CountDownLatch begun = new CountDownLatch(THREADS);
    List<Future<Void>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random which = new Random(random.nextLong());
      futures.add(threads.submit(() -> search(searcher, begun, which)));
    }
    begun.await();
    Thread.sleep(random.nextInt(4));
    awaitOffloaded(directory, futures);
    closing.close(reader, directory);
    for (Future<Void> future : futures) {
      future.get();
    }
  }

  /** Not each of the queries has a word that is there. */
  private static void awaitOffloaded(OffloadDirectory directory, List<Future<Void>> searches)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (directory.stats().get(Counter.LEAVES_OFFLOADED) == 0) {
      assertTrue(System.nanoTime() < end, "the device answered nothing");
      assertFalse(searches.stream().anyMatch(Future::isDone), "a search ended by itself");
      Thread.sleep(1);
    }
  }

  @Test
  void theReaderIsClosed() throws Exception {
    rounds(
        (reader, directory) -> {
          reader.close();
          directory.close();
        });
  }

  @Test
  void theDirectoryIsClosedFirst() throws Exception {
    rounds(
        (reader, directory) -> {
          directory.close();
          Thread.onSpinWait();
          reader.close();
        });
  }

  /** The LBAs of the closed reader's images are written anew while its queries may still run. */
  @Test
  void theImagesAreDeletedAndTheirPlaceIsUsedAgain() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Directory copy = new ByteBuffersDirectory();
      OffloadDirectory source = OffloadDirectory.wrap(new Unclosed(plain), device);
      OffloadDirectory directory = OffloadDirectory.wrap(copy, device);
      for (String name : plain.listAll()) {
        if (!name.equals(IndexWriter.WRITE_LOCK_NAME)) {
          directory.copyFrom(source, name, name, IOContext.DEFAULT);
        }
      }
      source.close();
      DirectoryReader reader = DirectoryReader.open(directory);
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      CountDownLatch begun = new CountDownLatch(THREADS);
      List<Future<Void>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random which = new Random(random.nextLong());
        futures.add(threads.submit(() -> search(searcher, begun, which)));
      }
      begun.await();
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
      directory.sync(List.of());
      reader.close();
      OffloadDirectory next = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
      write(next, 300);
      for (Future<Void> future : futures) {
        future.get();
      }
      for (String name : next.listAll()) {
        next.deleteFile(name);
      }
      next.close();
      directory.close();
    }
    assertTrue(right.get() >= ROUNDS);
    assertEquals(0, device.openSessions(), "sessions left open");
  }

  /** Then the host answers, until the reader is closed too. */
  @Test
  void theDeviceIsClosed() throws Exception {
    for (int round = 1; round <= Math.max(3, ROUNDS / 4); round++) {
      GatedDevice mortal = newDevice(round);
      Directory own = new ByteBuffersDirectory();
      OffloadDirectory directory = OffloadDirectory.wrap(own, mortal);
      try (OffloadDirectory source = OffloadDirectory.wrap(new Unclosed(plain), device)) {
        for (String name : plain.listAll()) {
          if (!name.equals(IndexWriter.WRITE_LOCK_NAME)) {
            directory.copyFrom(source, name, name, IOContext.DEFAULT);
          }
        }
      }
      DirectoryReader reader = DirectoryReader.open(directory);
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      CountDownLatch begun = new CountDownLatch(THREADS);
      List<Future<Void>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random which = new Random(random.nextLong());
        futures.add(threads.submit(() -> search(searcher, begun, which)));
      }
      begun.await();
      awaitOffloaded(directory, futures);
      mortal.close();
      long before = right.get();
      while (right.get() < before + 20) {
        Thread.onSpinWait();
      }
      reader.close();
      for (Future<Void> future : futures) {
        future.get();
      }
      directory.close();
      assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
    }
  }
}
