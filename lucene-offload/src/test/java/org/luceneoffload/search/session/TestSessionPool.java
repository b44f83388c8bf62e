/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** A session has one user at a time, and no more of them are open than the device has. */
class TestSessionPool {
  /** Longer than any of these tests takes. */
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Device device = new RamBlockDevice(16);
  private final OffloadStats stats = new OffloadStats();
  private final SessionPool pool =
      new SessionPool(device, stats, device.info().maxSessions(), LONG_NANOS);

  private PlanSession acquire() throws IOException {
    return pool.acquire(LONG_NANOS, true);
  }

  @Test
  void aThreadGetsItsSessionBack() throws IOException {
    PlanSession one = acquire();
    PlanSession other = acquire();
    assertNotSame(one, other);
    pool.release(one);
    pool.release(other);
    assertSame(one, acquire());
    assertSame(other, acquire());
  }

  @Test
  void anotherThreadTakesAnIdleSessionBeforeOneIsOpened() throws Exception {
    PlanSession session = acquire();
    pool.release(session);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      assertSame(session, other.submit(this::acquire).get());
    }
  }

  private List<PlanSession> acquireAll() throws IOException {
    List<PlanSession> all = new ArrayList<>();
    for (int i = 0; i < device.info().maxSessions(); i++) {
      all.add(acquire());
    }
    return all;
  }

  @Test
  void whoWaitsGetsWhatComesBack() throws Exception {
    List<PlanSession> all = acquireAll();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      for (PlanSession expected : all) {
        Future<PlanSession> waiting = other.submit(this::acquire);
        Thread.sleep(2);
        pool.release(expected);
        assertSame(expected, waiting.get());
      }
    }
  }

  @Test
  void noSessionIsAcquiredTwice() throws Exception {
    Set<PlanSession> seen = ConcurrentHashMap.newKeySet();
    Set<PlanSession> acquired = ConcurrentHashMap.newKeySet();
    int threads = 2 * device.info().maxSessions();
    List<Future<?>> futures = new ArrayList<>();
    try (ExecutorService users = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        futures.add(
            users.submit(
                () -> {
                  for (int use = 0; use < 200; use++) {
                    PlanSession session = acquire();
                    seen.add(session);
                    assertTrue(acquired.add(session), "acquired twice");
                    session.counts.add(Counter.PLANS_EXECUTED, 1);
                    if (use % 16 == 0) {
                      Thread.yield();
                    }
                    acquired.remove(session);
                    pool.release(session);
                  }
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertTrue(seen.size() <= device.info().maxSessions(), seen.size() + " sessions");
    assertEquals(200L * threads, stats.get(Counter.PLANS_EXECUTED));
    pool.close();
    assertEquals(200L * threads, stats.get(Counter.PLANS_EXECUTED));
  }

  @Test
  void aDiscardedSessionMakesRoomAndKeepsItsCounts() throws IOException {
    List<PlanSession> all = acquireAll();
    all.get(3).counts.add(Counter.PAGES_READ, 7);
    pool.discard(all.get(3));
    assertEquals(7, stats.get(Counter.PAGES_READ));
    assertNotSame(all.get(3), acquire());
  }

  @Test
  void aClosedPoolGivesNothing() throws IOException {
    PlanSession acquired = acquire();
    pool.release(acquire());
    pool.close();
    for (int i = 0; i < 2; i++) {
      OffloadException e = assertThrows(OffloadException.class, this::acquire);
      assertEquals(OffloadWire.Status.CLOSED, e.status());
      pool.release(acquired);
    }
  }

  /** Starts threads that wait for a session, one after the other. */
  private List<Future<PlanSession>> queueUp(ExecutorService threads, int count)
      throws InterruptedException {
    List<Future<PlanSession>> waiters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiters.add(threads.submit(this::acquire));
      while (pool.waiting() <= i) {
        Thread.sleep(1);
      }
    }
    return waiters;
  }

  @Test
  void whoWaitsLongestIsNext() throws Exception {
    List<PlanSession> all = acquireAll();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<PlanSession>> waiters = queueUp(threads, all.size());
      for (int i = 0; i < all.size(); i++) {
        assertTrue(pool.isContended());
        pool.release(all.get(i));
        assertNull(pool.acquire(0, true), "a thread that came later was served");
        assertSame(all.get(i), waiters.get(i).get());
      }
    }
  }

  @Test
  void whoWaitsLongestOpensTheNextSession() throws Exception {
    List<PlanSession> all = acquireAll();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<PlanSession>> waiters = queueUp(threads, 2);
      pool.discard(all.get(0));
      PlanSession opened = waiters.get(0).get();
      assertFalse(all.contains(opened));
      assertEquals(1, pool.waiting());
      pool.release(opened);
      assertSame(opened, waiters.get(1).get());
    }
  }

  @Test
  void nobodyWaitsAfterAnotherHasWaitedInVain() throws IOException {
    List<PlanSession> all = acquireAll();
    assertNull(pool.acquire(1, false));
    assertTrue(pool.isContended());
    assertNull(pool.acquire(LONG_NANOS, false));
    pool.release(all.get(0));
    assertFalse(pool.isContended());
    assertSame(all.get(0), pool.acquire(LONG_NANOS, false));
  }

  @Test
  void whoDoesNotWantToWaitLeavesNoTrace() throws IOException {
    List<PlanSession> all = acquireAll();
    assertNull(pool.acquire(0, true));
    assertFalse(pool.isContended());
    assertEquals(0, stats.get(Counter.PLANS_QUEUED));
    assertNull(pool.acquire(1, false));
    assertEquals(1, stats.get(Counter.PLANS_QUEUED), "no session was idle");
    assertNull(pool.acquire(1, false));
    assertEquals(1, stats.get(Counter.PLANS_QUEUED), "no thread waits in a pool that is exhausted");
    pool.release(all.get(0));
    assertSame(all.get(0), pool.acquire(0, false));
  }

  @Test
  void waitsAreCountedAndTimed() throws Exception {
    long most = TimeUnit.MILLISECONDS.toNanos(20);
    List<PlanSession> all = acquireAll();
    pool.release(all.get(0));
    assertSame(all.get(0), acquire());
    assertEquals(0, stats.get(Counter.PLANS_QUEUED), "nobody had to wait");
    assertEquals(0, stats.get(Counter.QUEUED_NANOS));

    long begin = System.nanoTime();
    assertNull(pool.acquire(most, false));
    long waited = stats.get(Counter.QUEUED_NANOS);
    assertTrue(waited > 0 && waited <= System.nanoTime() - begin, "ns: " + waited);
    assertEquals(1, stats.get(Counter.PLANS_QUEUED), "a wait in vain is one");
    assertNull(pool.acquire(most, false));
    assertEquals(1, stats.get(Counter.PLANS_QUEUED), "who is sent away at once does not wait");

    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<PlanSession> waiter = queueUp(threads, 1).get(0);
      TimeUnit.NANOSECONDS.sleep(most);
      pool.release(all.get(0));
      assertSame(all.get(0), waiter.get());
    }
    assertEquals(2, stats.get(Counter.PLANS_QUEUED));
    long second = stats.get(Counter.QUEUED_NANOS) - waited;
    assertTrue(second >= most && second <= System.nanoTime() - begin, "ns: " + second);
  }

  @Test
  void anInterruptEndsTheWaiting() throws IOException {
    acquireAll();
    Thread.currentThread().interrupt();
    assertNull(acquire());
    assertTrue(Thread.interrupted());
    assertEquals(0, pool.waiting());
    assertFalse(pool.isContended());
  }

  @Test
  void closingEndsTheWaiting() throws Exception {
    List<PlanSession> all = acquireAll();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<PlanSession> waiter = queueUp(threads, 1).get(0);
      pool.close();
      ExecutionException e = assertThrows(ExecutionException.class, waiter::get);
      assertEquals(OffloadWire.Status.CLOSED, ((OffloadException) e.getCause()).status());
    }
    pool.release(all.get(0));
  }
}
