/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.ElsewhereDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/**
 * {@code Placement.AUTO} with a device that has a plan of somebody else, for as long as the test
 * wants. Time passes only on the device: a millisecond a plan.
 */
class TestLoadShedding {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final long PLAN_NANOS = 1_000_000;
  private static final int SEGMENTS = 3;

  private final Random random = new Random(SEED);
  private final RandomIndex documents = new RandomIndex(random);
  private final RandomQueries queries = new RandomQueries(random, documents);
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger clockReads = new AtomicInteger();

  /** Plans whose thread this is stay on the device until they may go on. */
  private volatile Thread held;

  private final CountDownLatch isThere = new CountDownLatch(1);
  private final CountDownLatch mayGo = new CountDownLatch(1);

  private RamBlockDevice memory() {
    ReferenceProgram program = new ReferenceProgram();
    return new RamBlockDevice(
        1 << 20,
        (device, plan, stop) -> {
          now.addAndGet(PLAN_NANOS);
          if (Thread.currentThread() == held) {
            isThere.countDown();
            try {
              mayGo.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return program.run(device, plan, stop);
        });
  }

  private LongSupplier clock() {
    return () -> {
      clockReads.incrementAndGet();
      return now.get();
    };
  }

  private DirectoryReader reader(DeviceHandle handle) throws Exception {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < SEGMENTS; i++) {
        documents.add(writer, 300);
        writer.flush();
      }
      documents.delete(writer, 40);
    }
    return new HandMadeImages(handle, OffloadOptions.DEFAULT).open(DirectoryReader.open(directory));
  }

  private void compare(IndexSearcher stock, OffloadIndexSearcher ours, int rounds)
      throws Exception {
    SearcherComparison comparison = new SearcherComparison(stock, ours, random);
    for (int i = 0; i < rounds; i++) {
      comparison.check(queries.expressible());
      comparison.check(queries.mixed());
    }
  }

  private static OffloadIndexSearcher searcher(DirectoryReader reader) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    assertEquals(Placement.AUTO, searcher.placement());
    return searcher;
  }

  @Test
  void answersStayStocksWhileWorkIsShed() throws Exception {
    Device device = new ElsewhereDevice(memory());
    DeviceHandle handle = new DeviceHandle(device, clock(), () -> {});
    try (DirectoryReader reader = reader(handle);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      IndexSearcher stock = new IndexSearcher(reader);
      OffloadIndexSearcher ours = searcher(reader);
      compare(stock, ours, 8);
      assertEquals(0, handle.stats().get(Counter.PLANS_SHED), "the device was idle");
      long executed = handle.stats().get(Counter.PLANS_EXECUTED);
      assertTrue(executed > 0);

      Query query = TestQueryCompiler.parse("w0 w1");
      int expected = stock.count(query);
      Callable<Integer> plan =
          () -> {
            held = Thread.currentThread();
            return searcher(reader).count(query);
          };
      Future<Integer> counted = other.submit(plan);
      isThere.await();
      compare(stock, ours, 8);
      assertTrue(handle.stats().get(Counter.PLANS_SHED) > SEGMENTS, handle.stats().toString());
      assertEquals(0, handle.stats().get(Counter.PLANS_SHED_SPLIT));
      assertTrue(handle.stats().get(Counter.SHEDDING_BEGUN) > 0);
      assertTrue(handle.stats().reasons().containsKey(Refusal.Reason.DEVICE_BUSY.text()));
      assertEquals(0, handle.stats().get(Counter.PLANS_FAILED));
      assertEquals(0, handle.stats().get(Counter.LEAVES_FALLEN_BACK));

      // Who wants the device has it, and so does who wants no host.
      long shed = handle.stats().get(Counter.PLANS_SHED);
      ours.setPlacement(Placement.ALWAYS);
      compare(stock, ours, 2);
      ours.setPlacement(Placement.AUTO);
      ours.setStrict(true);
      assertEquals(expected, ours.count(query));
      assertEquals(shed, handle.stats().get(Counter.PLANS_SHED));
      ours.setStrict(false);

      mayGo.countDown();
      assertEquals(expected, counted.get());
      held = null;
      shed = handle.stats().get(Counter.PLANS_SHED);
      compare(stock, ours, 8);
      assertEquals(shed, handle.stats().get(Counter.PLANS_SHED), "the device is idle again");
    } finally {
      mayGo.countDown();
      handle.release();
    }
  }

  /** With the engine on the callers' threads nothing is measured. */
  @Test
  void aDeviceInTheProcessReadsNoClock() throws Exception {
    DeviceHandle handle = new DeviceHandle(memory(), clock(), () -> {});
    try (DirectoryReader reader = reader(handle)) {
      compare(new IndexSearcher(reader), searcher(reader), 8);
      assertEquals(0, clockReads.get());
      assertTrue(handle.stats().get(Counter.PLANS_EXECUTED) > 0);
      assertEquals(0, handle.stats().get(Counter.PLANS_SHED));
    } finally {
      handle.release();
    }
  }
}
