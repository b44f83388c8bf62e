/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * Reader, directory and device are closed in any order while queries run. A query has stock's
 * answer, or AlreadyClosedException once the reader is closed; nothing crashes and nothing is left
 * open. {@code -Dfaults.closes=1000} sets how often.
 */
class TestClosing {
  private static final int CLOSES = Processes.times("faults.closes", 5, 100);
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int THREADS = 6;

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 10);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private List<String> expected;

  @Test
  void inAnyOrder() throws Exception {
    System.out.println("seed of TestClosing: -Dtests.seed=" + SEED);
    FaultIndex.write(folder, SEED);
    expected = FaultIndex.stockAnswers(folder, queries);
    closeOnce(true);
    long files = Processes.openFiles();
    int threads = Processes.threads();
    long megabytes = Processes.residentMegabytes();
    for (int i = 0; i < CLOSES; i++) {
      closeOnce(false);
    }
    System.out.println(
        CLOSES
            + " closes, "
            + answered
            + " rounds answered, "
            + refused
            + " refused; files "
            + files
            + " to "
            + Processes.openFiles()
            + ", threads "
            + threads
            + " to "
            + Processes.threads()
            + ", resident "
            + megabytes
            + " to "
            + Processes.residentMegabytes()
            + " MB");
    assertTrue(Processes.openFiles() <= files + 3, "open files");
    assertTrue(Processes.threads() <= threads + 3, "threads");
    assertTrue(answered.get() > 0);
  }

  /**
   * @param answeredFirst whether a thread is to have all its answers before anything is closed
   */
  private void closeOnce(boolean answeredFirst) throws Exception {
    ExecutorService searchers =
        Executors.newFixedThreadPool(THREADS, new NamedThreadFactory("searcher"));
    OffloadDirectory directory = OffloadDirectory.open(folder, FaultIndex.DEVICE);
    DirectoryReader reader = DirectoryReader.open(directory);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicBoolean readerClosing = new AtomicBoolean();
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      futures.add(searchers.submit(() -> search(reader, stop, readerClosing)));
    }
    try {
      while (answeredFirst && answered.get() == 0) {
        assertFalse(futures.stream().anyMatch(Future::isDone), "a searcher ended by itself");
        TimeUnit.MILLISECONDS.sleep(1);
      }
      // What is closed twice, or not at all before the end, does not matter.
      for (int step = 0; step < 3; step++) {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(40_000));
        switch (random.nextInt(3)) {
          case 0 -> {
            readerClosing.set(true);
            reader.close();
          }
          case 1 -> directory.close();
          default -> ImageDirectory.find(directory).handle().device().close();
        }
      }
    } finally {
      stop.set(true);
      for (Future<?> future : futures) {
        future.get();
      }
      readerClosing.set(true);
      reader.close();
      directory.close();
      searchers.shutdown();
      assertTrue(searchers.awaitTermination(60, TimeUnit.SECONDS));
    }
  }

  private Void search(DirectoryReader reader, AtomicBoolean stop, AtomicBoolean readerClosing)
      throws IOException {
    while (!stop.get()) {
      try {
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
        answered.incrementAndGet();
      } catch (AlreadyClosedException e) {
        if (!readerClosing.get()) {
          throw e;
        }
        refused.incrementAndGet();
        return null;
      } catch (NullPointerException e) {
        if (!readerClosing.get() || !isStocksOwn(e)) {
          throw e;
        }
        refused.incrementAndGet();
        return null;
      }
    }
    return null;
  }

  /** Stock's mapped files look at what a close has just taken away. */
  private static boolean isStocksOwn(NullPointerException e) {
    return e.getStackTrace()[0].getClassName().startsWith("org.apache.lucene.store.");
  }
}
