/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.HangingDevice;
import org.luceneoffload.device.HangingDevice.Kind;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeReader;
import org.luceneoffload.store.volume.VolumeWriter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.Status;

/** No caller of a guarded device hangs, and what was given up does no harm when it comes late. */
class TestGuardedDevice {
  private static final int TIMEOUT_MILLIS = 400;
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final int LBA_BYTES = OffloadWire.LBA_BYTES;

  private final RamBlockDevice ram =
      new RamBlockDevice(1024, (device, plan, stop) -> ByteBuffer.allocateDirect(8));
  private final HangingDevice hanging = new HangingDevice(ram);

  /** The breaker's clock, by which probes are due: it stands still unless a test moves it. */
  private final AtomicLong now = new AtomicLong();

  private final CircuitBreaker breaker =
      new CircuitBreaker(
          hanging,
          OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMillis(TIMEOUT_MILLIS)),
          now::get);
  private final Device device = GuardedDevice.of(hanging, breaker);

  @AfterEach
  void letGo() {
    hanging.letGo();
  }

  private static ByteBuffer lba(int value) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < LBA_BYTES; at += Integer.BYTES) {
      buffer.putInt(at, value);
    }
    return buffer;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(1);
    }
  }

  /** More time passes than the breaker may wait for a probe. */
  private void passTime() {
    now.addAndGet(100 * TIMEOUT_MILLIS * 1_000_000L);
  }

  private void awaitHalfOpen() throws InterruptedException {
    await(
        "half-open",
        () -> {
          passTime();
          return !breaker.isOpen();
        });
  }

  private static int status(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(OffloadException.class, call).status();
  }

  @Test
  void aDeviceThatCannotHangIsItself() {
    assertSame(ram, GuardedDevice.of(ram, breaker));
    assertSame(hanging, GuardedDevice.unwrap(device));
  }

  @Test
  void callsGoThrough() throws Exception {
    Device guarded = patient(patience());
    guarded.write(3, lba(7));
    guarded.flush();
    ByteBuffer read = lba(0);
    guarded.read(3, read);
    assertEquals(7, read.getInt(100));
    assertEquals(LBA_BYTES, read.position());
    assertEquals(Status.OUT_OF_RANGE, status(() -> guarded.read(1 << 20, lba(0))));
    int resource = guarded.putLiveDocs(ByteBuffer.allocateDirect(64));
    guarded.dropResource(resource);
    assertEquals(0, ram.liveDocsCount());
    try (DeviceSession session = guarded.openSession()) {
      assertEquals(8, session.execute(0, StopSignal.NEVER).capacity());
    }
    guarded.close();
    assertEquals(Status.CLOSED, status(() -> guarded.read(0, lba(0))));
  }

  /** A session that says by its page how a plan was run. */
  private static final class SplittingSession extends ExecutingSession implements SplitPlans {
    SplittingSession(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) {
      return ByteBuffer.allocate(planBytes);
    }

    @Override
    public boolean canSplit() {
      return true;
    }

    @Override
    public int windowPages() {
      return 7;
    }

    @Override
    public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop) {
      return ByteBuffer.allocate(planBytes * windows * mode);
    }

    @Override
    public SplitPlans.Counts splitCounts() {
      return new SplitPlans.Counts(5, 2, 2, 1);
    }
  }

  @Test
  void plansAreSplitAsBehindIt() throws Exception {
    Device splitting =
        new FilterDevice(new RamBlockDevice(16)) {
          @Override
          public boolean mayBlock() {
            return true;
          }

          @Override
          public DeviceSession openSession() throws IOException {
            return new SplittingSession(in.openSession());
          }
        };
    DeviceHandle handle = new DeviceHandle(splitting, () -> {});
    try (DeviceSession session = handle.device().openSession()) {
      SplitPlans splits = session.as(SplitPlans.class);
      assertTrue(splits.canSplit());
      assertNull(session.as(TaskCommands.class));
      assertEquals(7, session.windowPages());
      assertEquals(3, session.execute(3, DeviceSession.StopSignal.NEVER).capacity());
      assertEquals(24, splits.executeSplit(3, 4, 2, DeviceSession.StopSignal.NEVER).capacity());
      assertEquals(new SplitPlans.Counts(5, 2, 2, 1), splits.splitCounts());
    } finally {
      handle.release();
    }
  }

  @Test
  void everyKindOfCallEndsInTime() throws Exception {
    DeviceSession session = device.openSession();
    for (Kind kind : Kind.values()) {
      hanging.hang(kind);
      long start = System.nanoTime();
      int status =
          status(
              () -> {
                switch (kind) {
                  case OPEN_FOR_WRITING -> device.openForWriting();
                  case READ -> device.read(0, lba(0));
                  case WRITE -> device.write(0, lba(0));
                  case FLUSH -> device.flush();
                  case TRIM -> device.trim(0, 1);
                  case SESSION -> device.openSession();
                  case PLAN -> session.execute(0, StopSignal.NEVER);
                  case RESOURCE -> device.putLiveDocs(ByteBuffer.allocateDirect(64));
                  default -> device.close();
                }
              });
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertEquals(Status.TIMED_OUT, status);
      assertTrue(millis >= TIMEOUT_MILLIS && millis < 50 * TIMEOUT_MILLIS, kind + ": " + millis);
      assertTrue(breaker.isOpen());
      if (kind == Kind.PLAN) {
        await("the check whether it runs plans", () -> hanging.hangingCalls() == 2);
      }
      // The circuit breaker is open: nothing waits any more.
      int calls = hanging.calls();
      for (int i = 0; i < 100; i++) {
        assertEquals(Status.TIMED_OUT, status(() -> device.read(1, lba(0))));
      }
      assertEquals(calls, hanging.calls());
      hanging.letGo();
      if (kind != Kind.CLOSE) {
        awaitHalfOpen();
      }
    }
    await("live docs dropped late", () -> ram.liveDocsCount() == 0);
  }

  /** The probe has given back what was left before that comes. */
  @Test
  void whatComesAfterTheProbeIsGivenBack() throws Exception {
    hanging.hang(Kind.RESOURCE);
    assertEquals(Status.TIMED_OUT, status(() -> device.putLiveDocs(ByteBuffer.allocateDirect(64))));
    awaitHalfOpen(); // probes do not send live docs
    assertEquals(1, hanging.hangingCalls());
    int calls = hanging.calls();
    hanging.letGo();
    await("a call for live docs that came late", () -> hanging.calls() > calls);
    await("live docs dropped late", () -> ram.liveDocsCount() == 0);
  }

  @Test
  void asSoonAsOneIsLateAllAreLetGo() throws Exception {
    hanging.hang(Kind.READ);
    List<Future<Integer>> futures = new ArrayList<>();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(200)) {
      for (int i = 0; i < 200; i++) {
        futures.add(threads.submit(() -> status(() -> device.read(0, lba(0)))));
      }
      for (Future<Integer> future : futures) {
        int status = future.get();
        assertTrue(status == Status.TIMED_OUT || status == Status.BUSY, "status " + status);
      }
    }
    // One after the other they would take 80 s.
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue(millis < 150 * TIMEOUT_MILLIS, millis + " ms");
    int most = DeviceCalls.MAX_CALLS;
    assertTrue(hanging.hangingCalls() <= most, hanging.hangingCalls() + " calls");
    assertEquals(1, breaker.stats().get(Counter.BREAKER_OPENED));
    // A probe that hangs is one more, and there are no others however often one looks.
    for (int i = 0; i < 50; i++) {
      passTime();
      assertTrue(breaker.isOpen());
      Thread.sleep(2);
    }
    assertEquals(1, breaker.stats().get(Counter.BREAKER_PROBES));
    assertTrue(hanging.hangingCalls() <= most + 1, hanging.hangingCalls() + " calls");
    hanging.letGo();
    awaitHalfOpen();
    await("no call left", () -> hanging.hangingCalls() == 0);
  }

  @Test
  void aSessionWhosePlanWasGivenUpIsNotUsedAgain() throws Exception {
    DeviceSession session = device.openSession();
    hanging.hang(Kind.PLAN);
    assertEquals(Status.TIMED_OUT, status(() -> session.execute(0, StopSignal.NEVER)));
    assertFalse(session.isUsable());
    session.close();
    hanging.letGo();
    awaitHalfOpen();
    assertEquals(Status.CLOSED, status(() -> session.execute(0, StopSignal.NEVER)));
  }

  /** A device with a longer timeout, so that a busy machine is not taken for a silent device. */
  private Device patient(CircuitBreaker patience) {
    return GuardedDevice.of(hanging, patience);
  }

  private CircuitBreaker patience() {
    return new CircuitBreaker(
        hanging, OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofSeconds(4)));
  }

  @Test
  void aPlanThatDoesNotEndWhileOthersDoIsNoSilence() throws Exception {
    CircuitBreaker patience = patience();
    Device guarded = patient(patience);
    DeviceSession big = guarded.openSession();
    hanging.hangPlans(1);
    try (DeviceSession small = guarded.openSession();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<Integer> late = other.submit(() -> status(() -> big.execute(0, StopSignal.NEVER)));
      await("the big plan", () -> hanging.hangingCalls() == 1);
      small.execute(0, StopSignal.NEVER);
      assertEquals(Status.ABORTED, late.get());
      assertFalse(big.isUsable());
      assertFalse(patience.isOpen());
      small.execute(0, StopSignal.NEVER);
    }
    assertEquals(0, patience.stats().get(Counter.BREAKER_OPENED));
  }

  @Test
  void aPlanThatDoesNotEndWhileNobodyElseAsksIsNoSilenceEither() throws Exception {
    CircuitBreaker patience = patience();
    DeviceSession big = patient(patience).openSession();
    hanging.hangPlans(1);
    assertEquals(Status.ABORTED, status(() -> big.execute(0, StopSignal.NEVER)));
    assertFalse(patience.isOpen());
  }

  @Test
  void aPlanThatEndsWhenItIsToldToKeepsItsSession() throws Exception {
    CircuitBreaker patience = patience();
    RamBlockDevice obedient =
        new RamBlockDevice(
            16,
            (in, plan, stop) -> {
              while (!stop.stop()) {
                Thread.onSpinWait();
              }
              throw new OffloadException(Status.ABORTED, "stopped");
            });
    Device guarded = GuardedDevice.of(new HangingDevice(obedient), patience);
    DeviceSession session = guarded.openSession();
    assertEquals(Status.ABORTED, status(() -> session.execute(0, StopSignal.NEVER)));
    assertTrue(session.isUsable());
    assertEquals(0, patience.stats().get(Counter.CALLS_ABANDONED));
    assertFalse(patience.isOpen());
  }

  @Test
  void theStopSignalIsAskedByTheCaller() throws Exception {
    DeviceSession session = device.openSession();
    hanging.hang(Kind.PLAN);
    Thread caller = Thread.currentThread();
    int[] asked = {0};
    StopSignal stop =
        () -> {
          assertSame(caller, Thread.currentThread());
          return ++asked[0] > 2;
        };
    assertEquals(Status.ABORTED, status(() -> session.execute(0, stop)));
    assertFalse(session.isUsable());
    assertFalse(breaker.isOpen(), "it was the caller who had no time");
    assertThrows(
        IllegalStateException.class,
        () ->
            device
                .openSession()
                .execute(
                    0,
                    () -> {
                      throw new IllegalStateException("from the signal");
                    }));
  }

  @Test
  void anInterruptDoesNotLoseTheResult() throws Exception {
    Device guarded = patient(patience());
    guarded.write(5, lba(9));
    Thread.currentThread().interrupt();
    ByteBuffer read = lba(0);
    try {
      guarded.read(5, read);
      assertEquals(9, read.getInt(0));
    } catch (OffloadException e) {
      assertEquals(Status.BUSY, e.status()); // no slot was free at once
    }
    assertTrue(Thread.interrupted());
  }

  /** A write that comes late must not hit what was written in its place. */
  @Test
  void lateWritesHitNobody() throws Exception {
    try (Volume volume = Volume.openForWriting(device)) {
      long free = volume.freeLbas();
      hanging.hang(Kind.WRITE);
      VolumeWriter writer = volume.create("a", 0);
      assertThrows(IOException.class, () -> writer.append(lba(1)));
      writer.abort();
      assertTrue(volume.freeLbas() < free);
      assertTrue(device.hasUnfinishedWrites());
      assertThrows(IOException.class, volume::sync);
      hanging.letGo();
      awaitHalfOpen();
      await("the late write", () -> !device.hasUnfinishedWrites());
      byte[] data = new byte[LBA_BYTES * 300];
      new java.util.Random(1).nextBytes(data);
      VolumeWriter second = volume.create("b", data.length);
      ByteBuffer buffer = ByteBuffer.allocateDirect(data.length).order(ByteOrder.LITTLE_ENDIAN);
      second.append(buffer.put(data).flip());
      second.finish(data.length);
      volume.sync();
      assertEquals(free - 300, volume.freeLbas());
      assertEquals(Set.of("b"), volume.list());
      try (VolumeReader reader = volume.openFile("b")) {
        ByteBuffer read = ByteBuffer.allocateDirect(data.length).order(ByteOrder.LITTLE_ENDIAN);
        reader.read(0, read);
        byte[] found = new byte[data.length];
        read.get(0, found);
        assertArrayEquals(data, found);
      }
    }
  }

  /** So it is with trims, and with metadata whose flush hung. */
  @Test
  void lateTrimsAndFlushesHitNobody() throws Exception {
    try (Volume volume = Volume.openForWriting(device)) {
      volume.sync();
      long free = volume.freeLbas();
      VolumeWriter writer = volume.create("a", 0);
      writer.append(lba(1));
      writer.finish(LBA_BYTES);
      hanging.hang(Kind.TRIM);
      volume.delete("a");
      assertTrue(volume.freeLbas() < free);
      hanging.letGo();
      awaitHalfOpen();
      await("the late trim", () -> !device.hasUnfinishedWrites());
      hanging.hang(Kind.FLUSH);
      assertThrows(IOException.class, volume::sync);
      assertThrows(IOException.class, volume::sync);
      hanging.letGo();
      awaitHalfOpen();
      await("the late flush", () -> !device.hasUnfinishedWrites());
      volume.sync();
      assertEquals(free, volume.freeLbas());
    }
  }
}
