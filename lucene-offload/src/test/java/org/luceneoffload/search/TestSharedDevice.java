/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.HangingDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/**
 * Plans that do not end hold every session of a device, and have an hour to do so. The queries of
 * others are answered by the host meanwhile, and by the device afterwards.
 */
class TestSharedDevice {
  private final OffloadOptions options =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofHours(1));
  private final Query query = TestQueryCompiler.parse("body:w0 body:w1 body:w2");

  /** A device whose sessions can be taken. */
  private interface Hog {
    /** Takes all sessions as soon as plans are run. */
    void take();

    /** Waits until the plans have them. */
    void awaitTaken() throws InterruptedException;

    void letGo();
  }

  private void check(Device device, Hog hog) throws Exception {
    DeviceHandle handle = new DeviceHandle(device, options, () -> {});
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
        new RandomIndex(new Random(7)).add(writer, 200);
        writer.forceMerge(1);
      }
      HandMadeImages images = new HandMadeImages(handle, options);
      try (DirectoryReader reader = images.open(DirectoryReader.open(directory))) {
        check(handle, hog, reader);
      }
    } finally {
      handle.release();
    }
  }

  private void check(DeviceHandle handle, Hog hog, DirectoryReader reader) throws Exception {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(Placement.ALWAYS); // AUTO would leave some of the plans to the host
    List<String> expected = answer(new IndexSearcher(reader));
    assertEquals(expected, answer(searcher));
    assertEquals(1, handle.stats().get(Counter.LEAVES_OFFLOADED));
    List<Future<List<String>>> big = new ArrayList<>();
    try (ExecutorService users = Executors.newCachedThreadPool()) {
      hog.take();
      for (int i = 0; i < handle.maxPlans(); i++) {
        big.add(users.submit(() -> answer(searcher)));
      }
      hog.awaitTaken();
      for (int i = 1; i <= 20; i++) {
        assertEquals(expected, answer(searcher));
        assertEquals(i, handle.stats().get(Counter.LEAVES_ON_HOST));
      }
      hog.letGo();
      for (Future<List<String>> one : big) {
        assertEquals(expected, one.get());
      }
    }
    assertEquals(expected, answer(searcher));
    assertEquals(2 + handle.maxPlans(), handle.stats().get(Counter.LEAVES_OFFLOADED));
    assertEquals(20, handle.stats().refusals().get(Refusal.Reason.DEVICE_BUSY.text()));
    assertEquals(0, handle.stats().get(Counter.LEAVES_FALLEN_BACK));
    assertEquals(0, handle.stats().get(Counter.PLANS_FAILED));
    assertFalse(handle.breaker().isOpen());
  }

  private List<String> answer(IndexSearcher searcher) throws IOException {
    List<String> hits = SearcherComparison.describe(searcher.search(query, 10).scoreDocs);
    assertTrue(hits.size() > 1);
    return hits;
  }

  /** A device in the process, whose plans wait for the test. */
  private static final class Waiting implements Hog {
    private final ReferenceProgram program = new ReferenceProgram();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile CountDownLatch arrived;
    final RamBlockDevice device =
        new RamBlockDevice(
            1 << 16,
            (ram, plan, stop) -> {
              if (arrived != null) {
                arrived.countDown();
                try {
                  letGo.await();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
              }
              return program.run(ram, plan, stop);
            });

    @Override
    public void take() {
      arrived = new CountDownLatch(device.info().maxSessions());
    }

    @Override
    public void awaitTaken() throws InterruptedException {
      arrived.await();
    }

    @Override
    public void letGo() {
      letGo.countDown();
    }
  }

  @Test
  void inTheProcess() throws Exception {
    Waiting hog = new Waiting();
    check(hog.device, hog);
  }

  @Test
  void thatMayHang() throws Exception {
    HangingDevice device = new HangingDevice(new RamBlockDevice(1 << 16, new ReferenceProgram()));
    check(
        device,
        new Hog() {
          @Override
          public void take() {
            device.hang(HangingDevice.Kind.PLAN);
          }

          @Override
          public void awaitTaken() throws InterruptedException {
            while (device.hangingCalls() < device.info().maxSessions()) {
              Thread.sleep(1);
            }
          }

          @Override
          public void letGo() {
            device.letGo();
          }
        });
  }
}
