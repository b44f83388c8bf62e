/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * Many threads index into and search several directories over one device, through readers of
 * different age, while segments merge and documents go. Every answer is stock's on the same reader,
 * and in the end everything is given back. {@code -Dtests.seed} replays the documents and queries,
 * not the order in which the threads run.
 */
class TestManyThreads {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int SECONDS = Boolean.getBoolean("tests.long") ? 120 : 5;
  private static final int INDEXES = 3;
  private static final int WRITERS = 4;
  private static final int SEARCHERS = 8;

  /** Fewer than threads: some have to wait for one. */
  private static final String DEVICE = "capacity=4g,dram=8m,sessions=5";

  @TempDir Path folder;

  private final AtomicLong seeds = new AtomicLong(SEED);
  private final AtomicLong compared = new AtomicLong();
  private volatile boolean stop;

  /** An index that changes, and readers of it, the last ones opened at random. */
  private final class Live {
    private static final int READERS = 6;

    final OffloadDirectory directory;
    final IndexWriter writer;
    final IndexReader[] readers = new IndexReader[READERS];
    final AtomicInteger nextId = new AtomicInteger();

    Live(Directory plain, GatedDevice device, Random random) throws IOException {
      directory = OffloadDirectory.wrap(plain, device);
      writer = WordIndex.writer(directory, random);
      for (int i = 0; i < 100; i++) {
        writer.addDocument(WordIndex.document(random, nextId.getAndIncrement()));
      }
      writer.commit();
      for (int i = 0; i < READERS; i++) {
        readers[i] = DirectoryReader.open(writer);
      }
    }

    /** A reader with one more reference, to be let go. */
    IndexReader acquire(Random random) {
      synchronized (readers) {
        IndexReader reader = readers[random.nextInt(READERS)];
        reader.incRef();
        return reader;
      }
    }

    void refresh(Random random) throws IOException {
      DirectoryReader fresh =
          random.nextInt(3) == 0 ? DirectoryReader.open(directory) : DirectoryReader.open(writer);
      if (random.nextInt(3) == 0) {
        fresh = new SoftDeletesDirectoryReaderWrapper(fresh, WordIndex.SOFT_DELETES);
      }
      IndexReader old;
      synchronized (readers) {
        int slot = random.nextInt(READERS);
        old = readers[slot];
        readers[slot] = fresh;
      }
      old.decRef();
    }

    /** One change. */
    void change(Random random) throws IOException {
      int someId = random.nextInt(Math.max(1, nextId.get()));
      switch (random.nextInt(40)) {
        case 0 -> writer.commit();
        case 1 -> writer.forceMergeDeletes();
        case 2 -> {
          if (random.nextInt(6) == 0) {
            writer.forceMerge(1 + random.nextInt(3));
          }
        }
        case 3, 4, 5 -> refresh(random);
        case 6, 7, 8 -> writer.deleteDocuments(WordIndex.id(someId));
        case 9, 10, 11 ->
            writer.softUpdateDocument(
                WordIndex.id(someId), WordIndex.document(random, someId), WordIndex.softDeletion());
        case 12, 13 ->
            writer.updateDocument(WordIndex.id(someId), WordIndex.document(random, someId));
        case 14 -> writer.flush();
        default -> {
          for (int i = 0; i < 4; i++) {
            writer.addDocument(WordIndex.document(random, nextId.getAndIncrement()));
          }
        }
      }
    }

    void close() throws IOException {
      for (IndexReader reader : readers) {
        reader.decRef();
      }
      writer.close();
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
      directory.close();
    }
  }

  private void index(Live live) throws IOException {
    Random random = new Random(seeds.incrementAndGet());
    while (!stop) {
      live.change(random);
    }
  }

  private void search(List<Live> indexes) throws IOException {
    Random random = new Random(seeds.incrementAndGet());
    while (!stop) {
      List<IndexReader> acquired = new ArrayList<>();
      try {
        IndexReader reader = indexes.get(random.nextInt(INDEXES)).acquire(random);
        acquired.add(reader);
        if (random.nextInt(4) == 0) {
          // Several directories of one device under one searcher.
          IndexReader other = indexes.get(random.nextInt(INDEXES)).acquire(random);
          acquired.add(other);
          reader = new MultiReader(new IndexReader[] {reader, other}, false);
          acquired.add(reader); // it has references of its own
        }
        compare(reader, random);
      } finally {
        for (IndexReader reader : acquired) {
          reader.decRef();
        }
      }
    }
  }

  private void compare(IndexReader reader, Random random) throws IOException {
    IndexSearcher stock = new IndexSearcher(reader);
    OffloadIndexSearcher ours = new OffloadIndexSearcher(reader);
    for (int i = 0; i < 4; i++) {
      SameAnswers.check(stock, ours, WordIndex.query(random), 1 + random.nextInt(30));
      compared.incrementAndGet();
    }
  }

  private Callable<Void> until(Callable<Void> work) {
    return () -> {
      try {
        return work.call();
      } finally {
        stop = true; // whoever fails ends all
      }
    };
  }

  @Test
  void writersAndSearchersOverOneDevice() throws Exception {
    System.out.println("seed of TestManyThreads: -Dtests.seed=" + SEED);
    run(1); // what is opened once in a process is open now
    ProcessWatch before = new ProcessWatch();
    run(SECONDS);
    before.assertNothingNew(folder);
  }

  private void run(int seconds) throws Exception {
    stop = false;
    compared.set(0);
    Path home = folder.resolve("device" + seconds);
    try (GatedDevice device =
        new GatedDevice(new SimDeviceProvider().openForWriting(DEVICE, home))) {
      OffloadDirectory keeper = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
      assertNull(keeper.whyNoImages());
      long free = ImageDirectory.find(keeper).handle().volume().freeLbas();
      List<Live> indexes = new ArrayList<>();
      for (int i = 0; i < INDEXES; i++) {
        Directory plain =
            i == 0
                ? FSDirectory.open(folder.resolve("index" + seconds))
                : new ByteBuffersDirectory();
        indexes.add(new Live(plain, device, new Random(seeds.incrementAndGet())));
      }
      runThreads(indexes, seconds, keeper.stats());
      for (Live live : indexes) {
        live.close();
      }
      check(keeper.stats());
      assertEquals(0, device.openResources(), "live docs left in device memory");
      ImageDirectory.find(keeper).handle().volume().sync();
      assertEquals(
          Set.of(), ImageDirectory.find(keeper).handle().volume().list(), "images were left");
      assertEquals(
          free, ImageDirectory.find(keeper).handle().volume().freeLbas(), "LBAs were lost");
      keeper.close();
      assertEquals(0, device.openSessions(), "sessions left open");
    }
  }

  private void runThreads(List<Live> indexes, int seconds, OffloadStats stats) throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            WRITERS + SEARCHERS, new NamedThreadFactory("TestManyThreads"));
    List<Future<Void>> futures = new ArrayList<>();
    try {
      for (int i = 0; i < WRITERS; i++) {
        Live live = indexes.get(i % INDEXES);
        futures.add(
            threads.submit(
                until(
                    () -> {
                      index(live);
                      return null;
                    })));
      }
      for (int i = 0; i < SEARCHERS; i++) {
        futures.add(
            threads.submit(
                until(
                    () -> {
                      search(indexes);
                      return null;
                    })));
      }
      long end = System.nanoTime() + seconds * 1_000_000_000L;
      // On a machine that stands still a second is over before anything was done.
      while (!stop && (System.nanoTime() < end || !hasWorked(stats))) {
        Thread.sleep(20);
      }
      stop = true;
      List<Throwable> failures = new ArrayList<>();
      for (Future<Void> future : futures) {
        try {
          future.get();
        } catch (ExecutionException e) {
          failures.add(e.getCause());
        }
      }
      Throwable first = IOUtils.useOrSuppress(null, failures.isEmpty() ? null : failures.get(0));
      if (first != null) {
        throw new AssertionError(failures.size() + " threads failed", first);
      }
    } finally {
      stop = true;
      threads.shutdown();
    }
  }

  private boolean hasWorked(OffloadStats stats) {
    return compared.get() > 0 && stats.get(Counter.LEAVES_OFFLOADED) > 0;
  }

  private void check(OffloadStats stats) {
    System.out.println(compared + " answers compared; " + stats);
    assertTrue(compared.get() > 0, "nothing was compared");
    assertTrue(stats.get(Counter.LEAVES_OFFLOADED) > 0, stats.toString());
    assertTrue(stats.get(Counter.IMAGES_WRITTEN) > 0, stats.toString());
    assertEquals(0, stats.get(Counter.IMAGES_DROPPED), stats.toString());
    // A page that changes under an open reader would show here.
    assertEquals(0, stats.get(Counter.IMAGES_BAD), stats.toString());
    assertEquals(0, stats.get(Counter.PLANS_FAILED), stats.toString());
  }
}
