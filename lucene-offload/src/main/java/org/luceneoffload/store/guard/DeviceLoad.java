/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.luceneoffload.device.Device;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * What a device has to do for this process, and whether the host would be done sooner with one more
 * plan. A plan that finds no other one there always goes to the device. Beside others it goes to
 * the host if what the device is expected to take, for the plans that are there and for this one,
 * is more than {@link #BEGIN_SHEDDING} times what the host takes. From then on {@link
 * #END_SHEDDING} times is enough, until {@link #CALM_PLANS} plans in a row were within that.
 *
 * <p>Both times are measured, a mode and page of lists. A plan's time on the device counts from
 * before it waits for a session, and is compared with what was expected of all the plans that were
 * there, so that neither its place in the queue nor how many plans run at once has to be known.
 * What the host takes is learnt from plans that would have to wait for at least as long as they
 * take, one now and then.
 *
 * <p>Nothing is measured, and no clock read, where plans run on their callers' threads, until one
 * of them has to wait for a session. Safe for several threads: numbers that two of them change at
 * once lose one of the changes, which is a sample fewer.
 */
public final class DeviceLoad {
  /** Times the host's time that the device is to take before work is shed. */
  static final double BEGIN_SHEDDING = 1.25;

  /** Times the host's time below which a plan goes to the device while work is shed. */
  static final double END_SHEDDING = 0.8;

  /** Plans in a row that go to the device, after which no more work is shed. */
  static final int CALM_PLANS = 16;

  /** Pages that a plan costs whatever its lists are: to be sent, checked, begun and answered. */
  private static final int PAGES_OF_A_PLAN = 4;

  /** A sample that is more times off than this counts as so many: a pause is no measurement. */
  private static final double MAX_FACTOR = 4;

  /** What a sample of the device's time changes. */
  private static final double DEVICE_PART = 0.125;

  /** The same of the host's. */
  private static final double HOST_PART = 0.125;

  /** What was too long once, by a pause or a cold cache, is soon forgotten. */
  private static final double SHORTER_HOST_PART = 0.5;

  private static final int MODES = 8;

  /**
   * A plan that is on the device or waits for it.
   *
   * @param from when it came
   * @param pages of its lists, and what it costs beside them
   * @param nanos what it is expected to take; 0: that is not known
   * @param ahead what those before it are expected to take
   * @param plans those before it
   */
  public record Visit(int mode, long from, long pages, long nanos, long ahead, int plans) {}

  private final Device device;
  private final OffloadStats stats;
  private final LongSupplier clock;
  private final boolean always;
  private final MeasuredTime[] onDevice = new MeasuredTime[MODES];
  private final MeasuredTime[] onHost = new MeasuredTime[MODES];
  private final AtomicLong nanosAhead = new AtomicLong();
  private final AtomicInteger plansThere = new AtomicInteger();
  private final AtomicInteger calmPlans = new AtomicInteger();
  private volatile boolean watched;
  private volatile boolean shedding;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  DeviceLoad(Device device, OffloadStats stats, LongSupplier clock) {
    this.device = device;
    this.stats = stats;
    this.clock = clock;
    this.always = device.plansRunElsewhere();
    this.watched = always;
    for (int mode = 0; mode < MODES; mode++) {
      onDevice[mode] = new MeasuredTime();
      onHost[mode] = new MeasuredTime();
    }
  }

  /** Returns whether plans are to be measured, and may be shed. */
  public boolean isWatched() {
    return watched;
  }

  /** Returns whether plans run elsewhere than on the threads of their callers. */
  public boolean isElsewhere() {
    return always;
  }

  /** A plan has to wait for a session. */
  public void sessionsAreShort() {
    if (!watched) {
      watched = true;
    }
  }

  /** Nanoseconds of the clock that everything here is measured by. */
  public long now() {
    return clock.getAsLong();
  }

  private static long cost(int plans, long pages) {
    return (long) plans * PAGES_OF_A_PLAN + pages;
  }

  /** Returns whether the host is expected to be done sooner with a plan than the device. */
  public boolean prefersHost(int mode, long pages) {
    long ahead = nanosAhead.get();
    long cost = cost(1, pages);
    long nanos = onDevice[mode].nanos(cost);
    boolean shed = ahead > 0 && nanos > 0 && isTooLong(mode, cost, ahead, nanos);
    if (!shed) {
      calm();
    }
    return shed;
  }

  private boolean isTooLong(int mode, long cost, long ahead, long nanos) {
    MeasuredTime host = onHost[mode];
    if (ahead >= nanos && host.isToBeMeasured()) {
      return true;
    }
    long hostNanos = host.nanos(cost);
    if (hostNanos == 0) {
      return false;
    }
    double limit = shedding ? END_SHEDDING : BEGIN_SHEDDING;
    if (ahead + nanos <= limit * hostNanos) {
      return false;
    }
    calmPlans.set(0);
    if (!shedding) {
      shedding = true;
      stats.increment(Counter.SHEDDING_BEGUN);
      OffloadEvents.loadShedding(device, true, plansThere.get(), ahead + nanos, hostNanos);
    }
    return true;
  }

  private void calm() {
    if ((shedding || !always) && calmPlans.incrementAndGet() >= CALM_PLANS) {
      calmPlans.set(0);
      watched = always;
      if (shedding) {
        shedding = false;
        OffloadEvents.loadShedding(device, false, plansThere.get(), nanosAhead.get(), 0);
      }
    }
  }

  /**
   * Plans come to the device, in one exchange.
   *
   * @param pages of the lists of all of them
   * @return for {@link #ended}, which has to follow
   */
  public Visit begun(int mode, int plans, long pages) {
    long cost = cost(plans, pages);
    long nanos = onDevice[mode].nanos(cost);
    long ahead = nanosAhead.getAndAdd(nanos);
    int before = plansThere.getAndAdd(plans);
    return new Visit(mode, clock.getAsLong(), cost, nanos, ahead, before);
  }

  /**
   * They have ended.
   *
   * @param plans that came
   * @param answered whether the device answered, so that their time says something
   */
  public void ended(Visit visit, int plans, boolean answered) {
    nanosAhead.addAndGet(-visit.nanos);
    plansThere.addAndGet(-plans);
    if (!answered) {
      return;
    }
    double took = Math.max(1, clock.getAsLong() - visit.from);
    MeasuredTime time = onDevice[visit.mode];
    if (visit.nanos == 0) {
      // Nothing is known of its like: the plans that were there have the same part of the time.
      time.add(took / (visit.plans + plans) * plans / visit.pages, DEVICE_PART);
    } else {
      double off = took / (visit.nanos + visit.ahead);
      off = Math.max(1 / MAX_FACTOR, Math.min(MAX_FACTOR, off));
      time.add(off * visit.nanos / visit.pages, DEVICE_PART);
    }
  }

  /** The host has done the work of a plan that the device could have done. */
  public void hostTook(int mode, long pages, long nanos) {
    MeasuredTime time = onHost[mode];
    double before = time.nanosOfPage;
    double sample = (double) Math.max(1, nanos) / cost(1, pages);
    if (before == 0 || sample < before) {
      time.add(sample, SHORTER_HOST_PART);
    } else {
      time.add(Math.min(sample, MAX_FACTOR * before), HOST_PART);
    }
  }

  /** A time for a page, from samples. */
  private static final class MeasuredTime {
    /** Times that it is asked for with one sample, after which it is measured again. */
    private static final int FIRST_LIFE = 4;

    /** The same with many samples: this many times as long. */
    private static final int MAX_DOUBLINGS = 4;

    private volatile double nanosOfPage; // 0: there is no sample
    private volatile int samples;
    private final AtomicInteger asked = new AtomicInteger();

    long nanos(long pages) {
      return (long) Math.ceil(nanosOfPage * pages);
    }

    /** Returns whether there is no sample, or one of which much time has passed. */
    boolean isToBeMeasured() {
      int known = samples;
      if (known > 0
          && asked.incrementAndGet() <= FIRST_LIFE << Math.min(known - 1, MAX_DOUBLINGS)) {
        return false;
      }
      asked.set(0);
      return true;
    }

    void add(double sample, double part) {
      double before = nanosOfPage;
      nanosOfPage = before == 0 ? sample : before + part * (sample - before);
      samples = Math.min(MAX_DOUBLINGS + 1, samples + 1);
      asked.set(0);
    }
  }
}
