/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.LeaseAction;
import org.luceneoffload.wire.OffloadWire.Status;
import org.luceneoffload.wire.layout.LeaseStateLayout;

/**
 * The leases that this process holds on a namespace which it shares with other hosts: those to
 * write, each in a scope, of which 0 is everything, and one to read. A thread of its own renews
 * them while there are any.
 *
 * <p>A writer that finds that one of its leases went to another one meanwhile, or that the device
 * was started anew, is shut out for good: what it has written since its last flush may be lost or
 * overwritten. It is to be opened anew. That a passing lease was lost fails what it was for.
 */
final class NvmeLeases {
  private static final int WRITER_SECONDS = 10;
  private static final int READER_SECONDS = 30;
  private static final long RENEWAL_MILLIS = 2_500;
  private static final long WHOLE = 0;

  /** A scope that nobody takes, to ask by. */
  private static final long NO_SCOPE = -1;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A writer's lease, as it was when it was taken. */
  private record Held(long boot, long generation, boolean passing) {}

  private final NvmeCommands commands;
  private final String name;
  private final BooleanSupplier unsettled;
  private final long key;
  private final CountDownLatch ended = new CountDownLatch(1);
  private Boolean supported; // null: not asked yet; guarded by this object, as what follows
  private Boolean scoped;
  private boolean renewing;
  private final Map<Long, Held> held = new LinkedHashMap<>(); // by scope
  private final Set<Long> undropped = new LinkedHashSet<>(); // that the device may think are held
  private final Set<Long> leaving =
      new LinkedHashSet<>(); // of those held: as soon as it is settled
  private long sequence = Long.MAX_VALUE; // none

  private volatile boolean writer; // has or had a lease to write
  private volatile boolean strict;
  private volatile boolean dropFirst; // something is undropped
  private volatile long epoch;
  private volatile OffloadException shutOut;

  /**
   * None yet.
   *
   * @param unsettled whether a write that was given up may still take effect: until then no lease
   *     is given up, or another host would have what it was for while that may change
   */
  NvmeLeases(NvmeCommands commands, String name, BooleanSupplier unsettled) {
    this.commands = commands;
    this.name = name;
    this.unsettled = unsettled;
    long random;
    do {
      random = RANDOM.nextLong();
    } while (random == 0);
    this.key = random;
  }

  /** Returns whether the device has leases; it is asked once. */
  synchronized boolean areSupported() throws OffloadException {
    if (supported == null) {
      if (!commands.hasLeases()) {
        return supported = false;
      }
      try {
        commands.lease(LeaseAction.REPORT, 0, 0, 0);
        supported = true;
      } catch (OffloadException e) {
        if (e.status() != Status.INVALID_OPCODE) {
          throw e;
        }
        supported = false;
      }
    }
    return supported;
  }

  /** Returns whether the device has leases of scopes; it is asked once. */
  synchronized boolean areScoped() throws OffloadException {
    if (scoped == null) {
      if (!areSupported()) {
        return scoped = false;
      }
      try {
        commands.lease(LeaseAction.DROP_WRITER, 0, key, NO_SCOPE);
        scoped = true;
      } catch (OffloadException e) {
        if (e.status() != Status.INVALID_FIELD) {
          throw e;
        }
        scoped = false; // one that knows of the whole alone
      }
    }
    return scoped;
  }

  /**
   * Takes the writer's lease of everything, if the device has leases.
   *
   * @throws OffloadException with status LOCKED if another host has one
   */
  void takeWriter() throws OffloadException {
    if (areSupported()) {
      take(WHOLE, false, false);
    }
  }

  /**
   * Takes or renews a writer's lease.
   *
   * @param passing whether its loss is no reason to be shut out
   * @param unflushed as of {@link #checkWriter}
   * @return a number that changes when another host has had it, or one that excludes it
   * @throws OffloadException with status LOCKED, or if it is passing BUSY, if another host has it
   */
  synchronized long take(long scope, boolean passing, boolean unflushed) throws OffloadException {
    if (shutOut != null) {
      throw shutOut.again();
    }
    long at = commands.port().epoch();
    if (!held.isEmpty() && at != epoch) {
      confirm(at, unflushed);
    }
    letLeave();
    if (leaving.contains(scope)) {
      throw new OffloadException(
          Status.TIMED_OUT, "an earlier write to device " + name + " has not ended yet");
    }
    dropUndropped();
    ByteBuffer state;
    boolean known = false;
    try {
      state = commands.lease(LeaseAction.TAKE_WRITER, WRITER_SECONDS, key, scope, at);
      known = true;
    } catch (OffloadException e) {
      known = e.status() == Status.LOCKED;
      if (known) {
        throw new OffloadException(
            passing ? Status.BUSY : Status.LOCKED,
            "device "
                + name
                + ": another writer has it, on any host; one that died or lost its connection,"
                + " this process' own too, has it for some seconds more",
            e);
      }
      throw e;
    } finally {
      if (!known && scope != WHOLE) {
        undropped.add(scope);
        dropFirst = true;
      }
    }
    Held taken =
        new Held(LeaseStateLayout.boot(state, 0), LeaseStateLayout.generation(state, 0), passing);
    held.put(scope, taken);
    epoch = at;
    writer = true;
    renewFromNowOn();
    return taken.boot + taken.generation; // boot is random: no start has the numbers of another
  }

  /**
   * Gives the writer's lease of a scope up, as soon as the device can be reached, and nothing that
   * was written with it is left to come.
   */
  synchronized void drop(long scope) throws OffloadException {
    if (held.containsKey(scope)) {
      leaving.add(scope);
      letLeave();
      dropUndropped();
    }
  }

  private void letLeave() {
    if (!leaving.isEmpty() && !unsettled.getAsBoolean()) {
      held.keySet().removeAll(leaving);
      undropped.addAll(leaving);
      leaving.clear();
      dropFirst = true;
    }
  }

  /** Drops the leases that are still to be dropped: else the device counts this process as late. */
  private void dropUndropped() throws OffloadException {
    for (Iterator<Long> left = undropped.iterator(); left.hasNext(); ) {
      commands.lease(LeaseAction.DROP_WRITER, 0, key, left.next());
      left.remove();
    }
    dropFirst = false;
  }

  /**
   * Checks, before each write, that this host may write.
   *
   * @param unflushed whether something was written that is not durable yet
   * @return the number of the connection that the write has to be sent over; 0: any
   * @throws OffloadException with status LOCKED if this process may not write any more
   */
  long checkWriter(boolean unflushed) throws OffloadException {
    if (!writer) {
      return 0;
    }
    if (shutOut != null) {
      throw shutOut.again();
    }
    long now = commands.port().epoch();
    if (now != epoch || dropFirst) {
      catchUp(now, unflushed);
    }
    return epoch;
  }

  private synchronized void catchUp(long now, boolean unflushed) throws OffloadException {
    if (shutOut != null) {
      throw shutOut.again();
    }
    if (now != epoch) {
      confirm(now, unflushed);
    }
    dropUndropped();
  }

  /**
   * Handles that the device has refused a write as that of a host that may not write.
   *
   * @throws OffloadException with status LOCKED if it is known why
   */
  synchronized void refused(boolean unflushed) throws OffloadException {
    if (writer && shutOut == null) {
      confirm(commands.port().epoch(), unflushed);
    }
  }

  /** Has a start of the device that may have lost something shut the writer out from now on. */
  void shutOutIfLost() {
    strict = true;
  }

  /** Renews all writers' leases over a connection, and finds out whether they have been lost. */
  private void confirm(long at, boolean unflushed) throws OffloadException {
    OffloadException lost = null;
    for (Map.Entry<Long, Held> entry : held.entrySet()) {
      Held before = entry.getValue();
      ByteBuffer state = null;
      try {
        state = commands.lease(LeaseAction.TAKE_WRITER, WRITER_SECONDS, key, entry.getKey(), at);
      } catch (OffloadException e) {
        if (e.status() != Status.LOCKED) {
          throw e;
        }
      }
      boolean anew = state != null && LeaseStateLayout.boot(state, 0) != before.boot();
      // After a start the first generation says that nobody else was there before.
      long expected = anew ? 1 : before.generation();
      boolean another = state == null || LeaseStateLayout.generation(state, 0) != expected;
      if (anew && strict && unflushed) {
        throw shutOut("the device was started anew");
      }
      if (another && !before.passing()) {
        throw shutOut("another host has become its writer");
      }
      if (another) {
        undropped.add(entry.getKey());
        dropFirst = true;
        lost =
            new OffloadException(
                Status.LOCKED,
                "device " + name + ": another host changes its file table; try again");
      } else if (anew) {
        entry.setValue(new Held(LeaseStateLayout.boot(state, 0), expected, before.passing()));
      }
    }
    epoch = at;
    if (lost != null) {
      held.keySet().removeAll(undropped);
      leaving.removeAll(undropped);
      throw lost;
    }
  }

  private OffloadException shutOut(String why) {
    shutOut =
        new OffloadException(
            Status.LOCKED,
            "device "
                + name
                + ": "
                + why
                + "; what was written since the last commit may be lost, open the writer anew");
    CauseLog.warn("writer shut out", name, shutOut.getMessage());
    return shutOut.again();
  }

  /** Returns the least number that a reader of any host holds; MAX_VALUE if none does. */
  long minSequence() throws OffloadException {
    if (!areSupported()) {
      return Long.MAX_VALUE;
    }
    ByteBuffer state = commands.lease(LeaseAction.REPORT, 0, 0, 0);
    if (LeaseStateLayout.graceSeconds(state, 0) > 0) {
      return 0; // readers of its last life may not have come back yet
    }
    long least = LeaseStateLayout.minSequence(state, 0);
    return least < 0 ? Long.MAX_VALUE : least;
  }

  /** Holds a number as a reader, or with MAX_VALUE none any more. */
  synchronized void hold(long number) throws OffloadException {
    if (number == sequence || !areSupported()) {
      return;
    }
    if (number == Long.MAX_VALUE) {
      sequence = number;
      commands.lease(LeaseAction.DROP_READER, 0, key, 0);
    } else {
      commands.lease(LeaseAction.TAKE_READER, READER_SECONDS, key, number);
      sequence = number;
      renewFromNowOn();
    }
  }

  private void renewFromNowOn() {
    if (!renewing) {
      renewing = true;
      Thread thread = new Thread(this::renew, "leases of " + name);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void renew() {
    try {
      while (!ended.await(RENEWAL_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          renewOnce();
        } catch (OffloadException e) {
          // It is tried again; the next write or read meets the reason.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void renewOnce() throws OffloadException {
    if (ended.getCount() == 0) {
      return;
    }
    if (sequence != Long.MAX_VALUE) {
      commands.lease(LeaseAction.TAKE_READER, READER_SECONDS, key, sequence);
    }
    // Over a new connection the next write takes them: that knows what may be lost.
    if (writer && shutOut == null && commands.port().epoch() == epoch) {
      letLeave();
      dropUndropped();
      confirm(epoch, false);
    }
  }

  /** Gives all back, if the device can be reached. */
  void close() {
    ended.countDown();
    synchronized (this) {
      try {
        if (shutOut == null) {
          letLeave();
          held.keySet().removeAll(leaving); // these end by themselves, once no write can come
          undropped.addAll(held.keySet());
          held.clear();
          dropUndropped();
        }
        if (sequence != Long.MAX_VALUE) {
          commands.lease(LeaseAction.DROP_READER, 0, key, 0);
        }
      } catch (OffloadException e) {
        // They end by themselves.
      }
    }
  }
}
