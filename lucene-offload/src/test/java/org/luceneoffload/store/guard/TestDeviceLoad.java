/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.ElsewhereDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadWire;

/** When plans go to the host, in a time of the test's own. */
class TestDeviceLoad {
  private static final int MODE = OffloadWire.Mode.TOP_K;
  private static final long PAGES = 96;
  private static final long MICRO = 1_000;

  private final OffloadStats stats = new OffloadStats();
  private long now = Long.MAX_VALUE - 500 * MICRO; // a clock may overflow
  private final DeviceLoad load =
      new DeviceLoad(new ElsewhereDevice(new RamBlockDevice(16)), stats, () -> now);

  private void runAlone(int plans, long nanos) {
    for (int i = 0; i < plans; i++) {
      assertFalse(load.prefersHost(MODE, PAGES));
      DeviceLoad.Visit visit = load.begun(MODE, 1, PAGES);
      now += nanos;
      load.ended(visit, 1, true);
    }
  }

  @Test
  void aPlanThatIsAloneGoesToTheDevice() {
    runAlone(5, 100 * MICRO);
    for (int i = 0; i < 10; i++) {
      load.hostTook(MODE, PAGES, 1); // however quick the host is
    }
    runAlone(1000, 100 * MICRO);
    assertEquals(0, stats.get(Counter.SHEDDING_BEGUN));
  }

  @Test
  void nothingIsKnownOfTheFirstPlans() {
    DeviceLoad.Visit first = load.begun(MODE, 1, PAGES);
    assertFalse(load.prefersHost(MODE, PAGES));
    load.ended(first, 1, false);
    DeviceLoad.Visit second = load.begun(MODE, 1, PAGES);
    assertFalse(load.prefersHost(MODE, PAGES), "a failure has no time");
    load.ended(second, 1, true);
    assertFalse(load.prefersHost(MODE, PAGES), "nobody is ahead");
    load.begun(MODE, 1, PAGES);
    assertTrue(load.prefersHost(MODE, PAGES), "what the host takes is not known");
    assertFalse(load.prefersHost(OffloadWire.Mode.COUNT, PAGES), "of this mode nothing is known");
  }

  @Test
  void sheddingBeginsAndEndsAtDifferentLoads() {
    runAlone(20, 100 * MICRO);
    for (int i = 0; i < 20; i++) {
      load.hostTook(MODE, PAGES, 300 * MICRO);
    }
    load.begun(MODE, 1, PAGES);
    DeviceLoad.Visit second = load.begun(MODE, 1, PAGES);
    assertFalse(load.prefersHost(MODE, PAGES), "300 us on the device, 300 on the host");
    DeviceLoad.Visit third = load.begun(MODE, 1, PAGES);
    assertTrue(load.prefersHost(MODE, PAGES), "400 us on the device");
    assertEquals(1, stats.get(Counter.SHEDDING_BEGUN));
    load.ended(third, 1, false);
    assertTrue(load.prefersHost(MODE, PAGES), "300 us are too much now");
    load.ended(second, 1, false);
    for (int i = 0; i < DeviceLoad.CALM_PLANS; i++) {
      assertFalse(load.prefersHost(MODE, PAGES), "200 us on the device");
    }
    load.begun(MODE, 1, PAGES);
    assertFalse(load.prefersHost(MODE, PAGES), "300 us are little again");
    assertEquals(1, stats.get(Counter.SHEDDING_BEGUN));
  }

  @Test
  void aPlanOnItsCallersThreadIsNotWatchedUntilSessionsAreShort() {
    DeviceLoad here = new DeviceLoad(new RamBlockDevice(16), stats, () -> now);
    assertFalse(here.isWatched());
    here.sessionsAreShort();
    assertTrue(here.isWatched());
    for (int i = 0; i < DeviceLoad.CALM_PLANS; i++) {
      assertTrue(here.isWatched());
      assertFalse(here.prefersHost(MODE, PAGES));
    }
    assertFalse(here.isWatched());
  }

  /** A client that sends one plan after the other, until its time is over. */
  private final class Clients {
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingLong(Event::at));
    private final long begin = now;
    private final long devicePage;
    private final long hostPage;
    private final boolean sheds;
    private final int deviceThreads;
    private final long[] freeAt;
    private int done;
    private int shed;

    private record Event(long at, Runnable what) {}

    Clients(int threads, long devicePage, long hostPage, boolean sheds) {
      this.devicePage = devicePage;
      this.hostPage = hostPage;
      this.sheds = sheds;
      this.deviceThreads = threads;
      this.freeAt = new long[threads];
    }

    /** Plans that so many clients get answered in a time. */
    int plans(int clients, long nanos) {
      for (int i = 0; i < clients; i++) {
        long pages = 40 + 17L * i % 120;
        events.add(new Event(i, () -> next(pages)));
      }
      while (events.peek().at < nanos) {
        Event event = events.poll();
        now = begin + event.at;
        event.what.run();
      }
      return done;
    }

    private void next(long pages) {
      long at = now - begin;
      if (sheds && load.prefersHost(MODE, pages)) {
        shed++;
        long took = hostPage * pages;
        events.add(
            new Event(
                at + took,
                () -> {
                  load.hostTook(MODE, pages, took);
                  done++;
                  next(pages);
                }));
        return;
      }
      DeviceLoad.Visit visit = load.begun(MODE, 1, pages);
      int thread = 0;
      for (int i = 1; i < deviceThreads; i++) {
        thread = freeAt[i] < freeAt[thread] ? i : thread;
      }
      freeAt[thread] = Math.max(at, freeAt[thread]) + devicePage * pages;
      events.add(
          new Event(
              freeAt[thread],
              () -> {
                load.ended(visit, 1, true);
                done++;
                next(pages);
              }));
    }
  }

  private static final long SECOND = 1_000_000_000;

  /** Clients have a core each, the device has threads of its own: both together do the most. */
  private void clientsGainByShedding(int threads, int clients, long devicePage, long hostPage) {
    int onDevice = new Clients(threads, devicePage, hostPage, false).plans(clients, SECOND);
    now = Long.MIN_VALUE;
    TestDeviceLoad fresh = new TestDeviceLoad();
    Clients shedding = fresh.new Clients(threads, devicePage, hostPage, true);
    int both = shedding.plans(clients, SECOND);
    // What the host alone does; a slow device keeps the clients that find it idle.
    double pages = 0;
    for (int i = 0; i < clients; i++) {
      pages += 1.0 / (40 + 17L * i % 120);
    }
    double kept = devicePage > hostPage ? (double) Math.min(threads, clients) / clients : 0;
    double onHost = (1 - kept) * pages * SECOND / hostPage;
    String what =
        clients + " clients: " + onDevice + " on the device, " + onHost + " on the host, " + both;
    assertTrue(both > 0.95 * Math.max(onDevice, onHost), what);
    if (onHost > 1.5 * onDevice) {
      assertTrue(shedding.shed > both / 3, what + ", shed " + shedding.shed);
    }
  }

  @Test
  void severalClientsLoseNothingAtAnyLoad() {
    for (int clients : new int[] {1, 2, 3, 4, 8, 16, 32}) {
      clientsGainByShedding(1, clients, MICRO, MICRO); // the same engine on both sides
      clientsGainByShedding(1, clients, MICRO, 3 * MICRO);
      clientsGainByShedding(4, clients, MICRO, 3 * MICRO);
      clientsGainByShedding(2, clients, 3 * MICRO, MICRO);
      clientsGainByShedding(1, clients, MICRO, 40 * MICRO);
    }
  }

  /** A host that seemed slow, since its caches were cold, gets another chance. */
  @Test
  void aFirstTimeThatWasMuchTooLongIsForgotten() {
    load.hostTook(MODE, 100, SECOND);
    Clients clients = new Clients(1, MICRO, 2 * MICRO, true);
    clients.plans(16, SECOND / 4);
    assertTrue(clients.shed > clients.done / 3, clients.shed + " of " + clients.done);
  }
}
