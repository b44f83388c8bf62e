/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.NamedThreadFactory;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.util.CallTime;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * Makes the calls of a device that may hang, on threads of its own, and gives them up when their
 * time is over. A call that hangs cannot be ended: its thread stays with it. So the calls under
 * way, those given up included, are bounded, and as soon as one is late the circuit breaker opens
 * and all callers that wait for it are let go.
 *
 * <p>All methods may be called from several threads.
 */
final class DeviceCalls {
  /** Calls under way at once, given up ones included: what hangs in the end is so many threads. */
  static final int MAX_CALLS = 64;

  /** Plans that the host runs at once; the other calls under way are for pages and live docs. */
  static final int MAX_PLANS = MAX_CALLS / 4 * 3;

  /** The part of its time that a plan waits for a call to end, if too many are under way. */
  private static final int PLAN_WAIT_PART = 16;

  private static final long IDLE_SECONDS = 5;
  private static final long SLICE_NANOS = 5_000_000;

  /** Learns of a call that was given up. */
  @FunctionalInterface
  interface Late<T> {
    /**
     * Takes the result of a call, on its own thread, once it has returned; {@code result} is null
     * if it failed.
     */
    void ended(T result);

    /** Notes, on the thread that waited, that it gives the call up. Comes before {@link #ended}. */
    default void givenUp() {}
  }

  /**
   * The way to tell a call to end.
   *
   * @param signal the caller's, asked by the calling thread now and then while it waits
   * @param tell run on the calling thread, tells the call to end
   * @param plan the plan that the call runs; null if it runs none
   */
  record Stopping(StopSignal signal, Runnable tell, PlanWatch.Watched plan) {
    /** It cannot. */
    static final Stopping NEVER = new Stopping(StopSignal.NEVER, () -> {}, null);
  }

  private enum Progress {
    UNDER_WAY,
    RETURNED,
    GIVEN_UP
  }

  private final String device;
  private final CircuitBreaker breaker;
  private final Semaphore slots = new Semaphore(MAX_CALLS);
  private final Set<Task<?>> waitedFor = ConcurrentHashMap.newKeySet();
  private final AtomicInteger unfinishedWrites = new AtomicInteger();
  private final ThreadPoolExecutor threads;

  DeviceCalls(String device, CircuitBreaker breaker) {
    this.device = device;
    this.breaker = breaker;
    NamedThreadFactory names = new NamedThreadFactory("offload-" + device);
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // the slots are the limit
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> {
              Thread thread = names.newThread(work);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** One call: its outcome, and whether it is waited for. */
  private final class Task<T> implements Runnable {
    private final IOSupplier<T> call;
    private final Late<T> late;
    private final boolean writes;
    private final Thread waiter = Thread.currentThread();
    private Progress progress = Progress.UNDER_WAY; // guarded by the monitor of this object
    private T result;
    private Throwable failure;

    /** The call is let go with the others, since the circuit breaker is open. */
    private volatile boolean released;

    Task(IOSupplier<T> call, Late<T> late, boolean writes) {
      this.call = call;
      this.late = late;
      this.writes = writes;
    }

    @Override
    public void run() {
      T made = null;
      Throwable thrown = null;
      try {
        made = call.get();
      } catch (Throwable t) {
        thrown = t;
      }
      slots.release();
      if (returned(made, thrown)) {
        LockSupport.unpark(waiter);
      } else {
        if (writes) {
          unfinishedWrites.decrementAndGet();
        }
        breaker.probeSoon();
        late.ended(made);
      }
    }

    private synchronized boolean returned(T made, Throwable thrown) {
      if (progress == Progress.GIVEN_UP) {
        return false;
      }
      result = made;
      failure = thrown;
      progress = Progress.RETURNED;
      return true;
    }

    synchronized boolean isUnderWay() {
      return progress == Progress.UNDER_WAY;
    }

    /** Stops waiting; returns false if the call has returned meanwhile. */
    synchronized boolean giveUp() {
      if (progress != Progress.UNDER_WAY) {
        return false;
      }
      progress = Progress.GIVEN_UP;
      if (writes) {
        unfinishedWrites.incrementAndGet();
      }
      late.givenUp();
      return true;
    }

    T outcome() throws IOException {
      if (failure instanceof IOException e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      if (failure != null) {
        throw OffloadException.of(failure); // a checked one, although none is declared
      }
      return result;
    }
  }

  /** Returns whether writes that were given up may still take effect. */
  boolean hasUnfinishedWrites() {
    return unfinishedWrites.get() > 0;
  }

  /** Makes a call unless the circuit breaker is open. */
  <T> T make(String what, boolean writes, IOSupplier<T> call, Late<T> late) throws IOException {
    if (breaker.isOpen()) {
      throw breaker.openFailure();
    }
    return make(what, writes, call, late, Stopping.NEVER);
  }

  /**
   * Makes a call.
   *
   * @param what what is done, for messages
   * @param writes whether it changes what is on the device
   * @param late told on the call's thread if the call returns after it was given up
   * @param stopping how it can be told to end; it then has a short while to do so
   * @throws OffloadException with status TIMED_OUT if the device fell silent, and the call was
   *     given up; ABORTED if the call was stopped or is a plan too big for its time
   */
  <T> T make(String what, boolean writes, IOSupplier<T> call, Late<T> late, Stopping stopping)
      throws IOException {
    long timeout = breaker.timeoutNanos();
    long deadline = System.nanoTime() + timeout;
    // Plans that were given up may have taken all slots; the host can answer the next ones.
    long wait = stopping.plan() == null ? 0 : timeout / PLAN_WAIT_PART * (PLAN_WAIT_PART - 1);
    takeSlot(what, deadline - wait);
    Task<T> task = new Task<>(call, late, writes);
    CallTime time = new CallTime(deadline, timeout, System::nanoTime);
    waitedFor.add(task);
    try {
      start(task);
      await(task, what, time, stopping);
    } finally {
      waitedFor.remove(task);
    }
    PlanWatch.Watched plan = stopping.plan();
    try {
      T outcome = task.outcome();
      if (plan != null) {
        plan.answered();
      }
      return outcome;
    } catch (OffloadException e) {
      if (e.status() == Status.TIMED_OUT) {
        breaker.failed(e); // at once, for those who wait
      } else if (plan != null && !CircuitBreaker.concernsDevice(e.status())) {
        plan.answered();
      }
      throw e;
    }
  }

  /** Starts a call without waiting for it. */
  void start(Runnable probe) {
    try {
      threads.execute(probe);
    } catch (RejectedExecutionException e) {
      breaker.failed(new OffloadException(Status.CLOSED, "device " + device + " is closed", e));
    }
  }

  /** Releases all callers that wait for a call. */
  void release() {
    for (Task<?> task : waitedFor) {
      task.released = true;
      LockSupport.unpark(task.waiter);
    }
  }

  /** Takes no more calls. Threads of calls that hang stay; they do not keep the JVM from ending. */
  void close() {
    threads.shutdown();
  }

  private void start(Task<?> task) throws OffloadException {
    boolean started = false;
    try {
      threads.execute(task);
      started = true;
    } catch (RejectedExecutionException e) {
      throw new OffloadException(Status.CLOSED, "device " + device + " is closed", e);
    } finally {
      if (!started) {
        slots.release();
      }
    }
  }

  private void takeSlot(String what, long deadline) throws OffloadException {
    try {
      while (!slots.tryAcquire(SLICE_NANOS, TimeUnit.NANOSECONDS)) {
        if (breaker.isOpen()) {
          throw breaker.openFailure();
        }
        if (System.nanoTime() - deadline > 0) {
          throw new OffloadException(
              Status.BUSY, what + ": " + MAX_CALLS + " calls of device " + device + " under way");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OffloadException(Status.BUSY, what + ": interrupted", e);
    }
  }

  /** Waits for a call until it returns, or gives it up. An interrupt does not end the waiting. */
  private void await(Task<?> task, String what, CallTime time, Stopping stopping)
      throws OffloadException {
    StopSignal stop = stopping.signal();
    PlanWatch.Watched plan = stopping.plan();
    boolean interrupted = false;
    boolean stopped = false;
    boolean told = false;
    try {
      while (task.isUnderWay()) {
        long stoodStill = time.look();
        if (!stopped && stop != StopSignal.NEVER && stop.stop()) {
          stopped = true;
          stopping.tell().run();
          time.shorten(SLICE_NANOS);
        }
        if (plan != null) {
          plan.stoodStill(stoodStill);
          if (!told && plan.isTimeToStop(this::start)) {
            told = true;
            stopping.tell().run();
          }
        }
        if ((time.left() <= 0 || task.released) && task.giveUp()) {
          throw givenUp(what, stopped, task.released, plan);
        }
        long most = plan == null ? Long.MAX_VALUE : plan.nanosToNext();
        if (!stopped && stop != StopSignal.NEVER) {
          most = Math.min(most, SLICE_NANOS);
        }
        LockSupport.parkNanos(this, time.untilNextLook(most));
        interrupted |= Thread.interrupted();
      }
    } catch (RuntimeException | Error e) {
      task.giveUp(); // the stop signal threw
      stopping.tell().run();
      throw e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private OffloadException givenUp(
      String what, boolean stopped, boolean released, PlanWatch.Watched plan) {
    breaker.countAbandoned();
    if (stopped) {
      return new OffloadException(Status.ABORTED, what + ": the caller stopped it");
    }
    if (released) {
      return new OffloadException(
          Status.TIMED_OUT,
          what + ": given up, since the circuit breaker of device " + device + " opened meanwhile");
    }
    String late = " in " + TimeUnit.NANOSECONDS.toMillis(breaker.timeoutNanos()) + " ms";
    if (plan != null && plan.answersOthers()) {
      return new OffloadException(Status.ABORTED, what + ": it did not end" + late);
    }
    OffloadException failure =
        new OffloadException(
            Status.TIMED_OUT, what + ": device " + device + " did not answer" + late);
    breaker.failed(failure);
    return failure;
  }
}
