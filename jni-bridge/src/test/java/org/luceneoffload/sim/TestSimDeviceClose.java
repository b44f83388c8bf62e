/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** Close against everything that may be under way: each call ends, nothing leaks or crashes. */
class TestSimDeviceClose {
  /** Enough for a plan over it to come back several times for the stop signal. */
  private static final int LONG_LIST = 4_000_000;

  /** Too far apart for bitmaps, which would make a long list short work. */
  private static final int STRIDE = 20;

  private static final int THREADS = 4;

  @TempDir Path home;

  @AfterEach
  void noHandleLeaks() {
    assertEquals(0, NativeHandle.live());
  }

  private Device open() throws IOException {
    return new SimDeviceProvider().openForWriting("capacity=64m,sessions=16", home);
  }

  /** Counts the list's docs by intersecting it with itself; returns the result page. */
  private static ByteBuffer runLongPlan(
      DeviceSession session, StridedList list, DeviceSession.StopSignal stop) throws IOException {
    return StridedList.run(session, list.selfIntersection(), OffloadWire.Mode.COUNT, 0, stop);
  }

  private static void count(DeviceSession session, StridedList list) throws IOException {
    ByteBuffer result = runLongPlan(session, list, DeviceSession.StopSignal.NEVER);
    assertEquals(list.ref().postingCount(), ResultHeaderLayout.matchCount(result, 0));
  }

  /** Runs {@code loop} in some threads until each has failed with CLOSED. */
  private static void closeUnder(Device device, Callable<Void> loop) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    CountDownLatch running = new CountDownLatch(THREADS);
    List<Future<OffloadException>> ends = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      ends.add(
          pool.submit(
              () -> {
                loop.call();
                running.countDown();
                while (true) {
                  try {
                    loop.call();
                  } catch (OffloadException e) {
                    return e;
                  }
                }
              }));
    }
    running.await();
    device.close();
    for (Future<OffloadException> end : ends) {
      OffloadException e = end.get(120, TimeUnit.SECONDS);
      assertEquals(OffloadWire.Status.CLOSED, e.status(), e.getMessage());
    }
    pool.shutdown();
  }

  @RepeatedTest(5)
  void closeUnderQueries() throws Exception {
    Device device = open();
    StridedList list = StridedList.write(device, 0, 300_000, 1, 77);
    ThreadLocal<DeviceSession> sessions = new ThreadLocal<>();
    closeUnder(
        device,
        () -> {
          if (sessions.get() == null) {
            sessions.set(device.openSession());
          }
          count(sessions.get(), list);
          return null;
        });
  }

  @RepeatedTest(5)
  void closeUnderOpeningAndClosingSessions() throws Exception {
    Device device = open();
    StridedList list = StridedList.write(device, 0, 1000, 3, 77);
    closeUnder(
        device,
        () -> {
          try (DeviceSession session = device.openSession()) {
            count(session, list);
          }
          return null;
        });
  }

  @RepeatedTest(5)
  void closeUnderBlockCommands() throws Exception {
    Device device = open();
    AtomicInteger next = new AtomicInteger();
    closeUnder(
        device,
        () -> {
          ByteBuffer data = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
          long lba = 16L * (next.getAndIncrement() % 16);
          device.write(lba, data);
          device.read(lba, data.clear());
          device.dropResource(device.putLiveDocs(data.clear()));
          return null;
        });
  }

  @Test
  void closeEndsALongPlan() throws Exception {
    try (Device device = open()) {
      StridedList list = StridedList.write(device, 0, LONG_LIST, STRIDE, 77);
      DeviceSession session = device.openSession();
      AtomicInteger asked = new AtomicInteger();
      // The signal itself closes the device: the plan is under way at that moment.
      OffloadException e =
          assertThrows(
              OffloadException.class,
              () ->
                  runLongPlan(
                      session,
                      list,
                      () -> {
                        asked.incrementAndGet();
                        ((SimDevice) device).close();
                        return false;
                      }));
      assertEquals(OffloadWire.Status.CLOSED, e.status());
      assertEquals(1, asked.get());
    }
  }

  @Test
  void theStopSignalEndsAPlanAndTheSessionGoesOn() throws Exception {
    try (Device device = open()) {
      StridedList list = StridedList.write(device, 0, LONG_LIST, STRIDE, 77);
      try (DeviceSession session = device.openSession()) {
        AtomicInteger asked = new AtomicInteger();
        OffloadException e =
            assertThrows(
                OffloadException.class,
                () -> runLongPlan(session, list, () -> asked.incrementAndGet() == 3));
        assertEquals(OffloadWire.Status.ABORTED, e.status());
        assertEquals(3, asked.get());
        count(session, list);

        assertThrows(
            IllegalStateException.class,
            () ->
                runLongPlan(
                    session,
                    list,
                    () -> {
                      throw new IllegalStateException("from the signal");
                    }));
        count(session, list);
      }
    }
  }

  @Test
  void aSessionTakesOneThreadAtATime() throws Exception {
    try (Device device = open()) {
      StridedList list = StridedList.write(device, 0, LONG_LIST, STRIDE, 77);
      try (DeviceSession session = device.openSession()) {
        AtomicInteger asked = new AtomicInteger();
        runLongPlan(
            session,
            list,
            () -> {
              if (asked.getAndIncrement() == 0) {
                OffloadException e =
                    assertThrows(
                        OffloadException.class,
                        () -> session.execute(64, DeviceSession.StopSignal.NEVER));
                assertEquals(OffloadWire.Status.BUSY, e.status());
              }
              return false;
            });
        assertTrue(asked.get() > 0);
      }
    }
  }

  @Test
  void aSessionClosedByAnotherThread() throws Exception {
    try (Device device = open()) {
      StridedList list = StridedList.write(device, 0, LONG_LIST, STRIDE, 77);
      DeviceSession session = device.openSession();
      OffloadException e =
          assertThrows(
              OffloadException.class,
              () ->
                  runLongPlan(
                      session,
                      list,
                      () -> {
                        Thread closer = new Thread(() -> ((SimSession) session).close());
                        closer.start();
                        try {
                          closer.join();
                        } catch (InterruptedException unexpected) {
                          throw new IllegalStateException(unexpected);
                        }
                        return false;
                      }));
      assertEquals(OffloadWire.Status.CLOSED, e.status());
    }
  }
}
