/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.LeaseAction;
import org.luceneoffload.wire.OffloadWire.Status;
import org.luceneoffload.wire.layout.LeaseStateLayout;

/**
 * The leases that this process holds on a namespace which it shares with other hosts: one to write,
 * one to read. A thread of its own renews them while there are any.
 *
 * <p>A writer whose lease went to another one meanwhile, or whose device was started anew, is shut
 * out for good: what it has written since its last flush may be lost or overwritten. It is to be
 * opened anew.
 */
final class NvmeLeases {
  private static final int WRITER_SECONDS = 10;
  private static final int READER_SECONDS = 30;
  private static final long RENEWAL_MILLIS = 2_500;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final NvmeCommands commands;
  private final String name;
  private final long key;
  private final CountDownLatch ended = new CountDownLatch(1);
  private Boolean supported; // null: not asked yet; guarded by this object, as what follows
  private boolean renewing;
  private long boot;
  private long generation;
  private long sequence = Long.MAX_VALUE; // none

  private volatile boolean writer;
  private volatile boolean strict;
  private volatile long epoch;
  private volatile OffloadException shutOut;

  NvmeLeases(NvmeCommands commands, String name) {
    this.commands = commands;
    this.name = name;
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

  /**
   * Takes the writer's lease, if the device has leases.
   *
   * @throws OffloadException with status LOCKED if another host has it
   */
  void takeWriter() throws OffloadException {
    if (!areSupported()) {
      return;
    }
    synchronized (this) {
      long at = commands.port().epoch();
      ByteBuffer state;
      try {
        state = commands.lease(LeaseAction.TAKE_WRITER, WRITER_SECONDS, key, 0, at);
      } catch (OffloadException e) {
        if (e.status() == Status.LOCKED) {
          throw new OffloadException(
              Status.LOCKED, "device " + name + ": another host writes to it", e);
        }
        throw e;
      }
      boot = LeaseStateLayout.boot(state, 0);
      generation = LeaseStateLayout.generation(state, 0);
      epoch = at;
      writer = true;
      renewFromNowOn();
    }
  }

  /**
   * To be called before each write.
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
      throw shutOut;
    }
    long now = commands.port().epoch();
    if (now != epoch) {
      renewWriter(unflushed);
    }
    return epoch;
  }

  /** From now on a start of the device that may have lost something shuts the writer out. */
  void shutOutIfLost() {
    strict = true;
  }

  private synchronized void renewWriter(boolean unflushed) throws OffloadException {
    if (shutOut != null) {
      throw shutOut;
    }
    long at = commands.port().epoch();
    ByteBuffer state = null;
    try {
      state = commands.lease(LeaseAction.TAKE_WRITER, WRITER_SECONDS, key, 0, at);
    } catch (OffloadException e) {
      if (e.status() != Status.LOCKED) {
        throw e;
      }
    }
    boolean anew = state != null && LeaseStateLayout.boot(state, 0) != boot;
    // After a start the first generation says that nobody else was there before.
    long expected = anew ? 1 : generation;
    boolean another = state == null || LeaseStateLayout.generation(state, 0) != expected;
    if (another || anew && strict && unflushed) {
      String why = another ? "another host has become its writer" : "the device was started anew";
      shutOut =
          new OffloadException(
              Status.LOCKED,
              "device "
                  + name
                  + ": "
                  + why
                  + "; what was written since the last commit may be lost, open the writer anew");
      CauseLog.warn("writer shut out", name, shutOut.getMessage());
      throw shutOut;
    }
    boot = LeaseStateLayout.boot(state, 0);
    generation = expected;
    epoch = at;
  }

  /** Returns the least number that a reader of any host holds; MAX_VALUE if none does. */
  long leastSequence() throws OffloadException {
    if (!areSupported()) {
      return Long.MAX_VALUE;
    }
    ByteBuffer state = commands.lease(LeaseAction.REPORT, 0, 0, 0);
    if (LeaseStateLayout.graceSeconds(state, 0) > 0) {
      return 0; // readers of its last life may not have come back yet
    }
    long least = LeaseStateLayout.leastSequence(state, 0);
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
        } catch (
            @SuppressWarnings("unused")
            OffloadException e) {
          // It is tried again; the next write or read meets the reason.
        }
      }
    } catch (
        @SuppressWarnings("unused")
        InterruptedException e) {
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
    // Over a new connection the next write takes it: that knows what may be lost.
    if (writer && shutOut == null && commands.port().epoch() == epoch) {
      commands.lease(LeaseAction.TAKE_WRITER, WRITER_SECONDS, key, 0, epoch);
    }
  }

  /** Gives all back, if the device can be reached. */
  void close() {
    ended.countDown();
    synchronized (this) {
      try {
        if (writer && shutOut == null) {
          commands.lease(LeaseAction.DROP_WRITER, 0, key, 0);
        }
        if (sequence != Long.MAX_VALUE) {
          commands.lease(LeaseAction.DROP_READER, 0, key, 0);
        }
      } catch (
          @SuppressWarnings("unused")
          OffloadException e) {
        // They end by themselves.
      }
    }
  }
}
