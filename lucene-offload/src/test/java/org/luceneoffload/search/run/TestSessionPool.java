/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Sessions are lent to one user at a time, and no more of them are open than the device has. */
class TestSessionPool {
  private final Device device = new RamBlockDevice(16);
  private final OffloadStats stats = new OffloadStats();
  private final SessionPool pool = new SessionPool(device, stats, 10_000_000_000L);

  @Test
  void aThreadGetsItsSessionBack() throws IOException {
    PlanSession one = pool.acquire();
    PlanSession other = pool.acquire();
    assertNotSame(one, other);
    pool.release(one);
    pool.release(other);
    assertSame(one, pool.acquire());
    assertSame(other, pool.acquire());
  }

  @Test
  void anotherThreadTakesAnIdleSessionBeforeOneIsOpened() throws Exception {
    PlanSession session = pool.acquire();
    pool.release(session);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      assertSame(session, other.submit(pool::acquire).get());
    }
  }

  private List<PlanSession> lendAll() throws IOException {
    List<PlanSession> all = new ArrayList<>();
    for (int i = 0; i < device.info().maxSessions(); i++) {
      all.add(pool.acquire());
    }
    return all;
  }

  @Test
  void whoWaitsGetsWhatComesBack() throws Exception {
    List<PlanSession> all = lendAll();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      for (PlanSession expected : all) {
        Future<PlanSession> waiting = other.submit(pool::acquire);
        Thread.sleep(2);
        pool.release(expected);
        assertSame(expected, waiting.get());
      }
    }
  }

  @Test
  void noSessionIsLentTwice() throws Exception {
    Set<PlanSession> seen = ConcurrentHashMap.newKeySet();
    Set<PlanSession> lent = ConcurrentHashMap.newKeySet();
    int threads = 2 * device.info().maxSessions();
    List<Future<?>> futures = new ArrayList<>();
    try (ExecutorService users = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        futures.add(
            users.submit(
                () -> {
                  for (int use = 0; use < 200; use++) {
                    PlanSession session = pool.acquire();
                    seen.add(session);
                    assertTrue(lent.add(session), "lent twice");
                    session.counts.add(Counter.PLANS_EXECUTED, 1);
                    if (use % 16 == 0) {
                      Thread.yield();
                    }
                    lent.remove(session);
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
    List<PlanSession> all = lendAll();
    all.get(3).counts.add(Counter.PAGES_READ, 7);
    pool.discard(all.get(3));
    assertEquals(7, stats.get(Counter.PAGES_READ));
    assertNotSame(all.get(3), pool.acquire());
  }

  @Test
  void aClosedPoolLendsNothing() throws IOException {
    PlanSession lent = pool.acquire();
    pool.release(pool.acquire());
    pool.close();
    for (int i = 0; i < 2; i++) {
      OffloadException e = assertThrows(OffloadException.class, pool::acquire);
      assertEquals(OffloadWire.Status.CLOSED, e.status());
      pool.release(lent);
    }
  }
}
