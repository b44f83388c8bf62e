/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.luceneoffload.util.CallTime;
import org.luceneoffload.util.Spares;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The I/O queues of a controller. A command takes one for its time; a thread mostly finds the one
 * that it used last, without a lock. They are connected as they are needed.
 */
final class QueuePool implements Closeable {
  /** Connects a queue. */
  @FunctionalInterface
  interface Connector {
    CommandQueue connect(int number) throws OffloadException;
  }

  /** Queues that wait near their threads; more of them wait under the lock. */
  private static final int NEAR = 32;

  private final int most;
  private final Connector connector;
  private final Spares<CommandQueue> near = new Spares<>(NEAR);
  private final Set<CommandQueue> all = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ConcurrentHashMap<CommandQueue, Integer> numbers = new ConcurrentHashMap<>();

  // Guarded by the lock.
  private final ArrayDeque<CommandQueue> idle = new ArrayDeque<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>(); // numbers, that used last at the end
  private volatile int waiting;
  private volatile boolean closed;

  /**
   * A pool without queues.
   *
   * @param most queues at once
   */
  QueuePool(int most, Connector connector) {
    this.most = most;
    this.connector = connector;
    for (int number = 1; number <= most; number++) {
      free.addLast(number);
    }
  }

  /**
   * Takes a queue; {@link #release} follows.
   *
   * @param mostMillis how long to wait for one
   */
  CommandQueue acquire(long mostMillis) throws OffloadException {
    CommandQueue queue = near.take();
    if (queue != null) {
      return queue;
    }
    long nanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    CallTime time = new CallTime(System.nanoTime() + nanos, nanos, System::nanoTime);
    int number = 0;
    boolean interrupted = false;
    lock.lock();
    try {
      while (number == 0) {
        queue = idle.pollLast();
        if (queue != null) {
          return queue;
        }
        Integer unused = free.pollFirst();
        if (unused != null) {
          number = unused;
          continue;
        }
        waiting++;
        try {
          queue = near.takeAny();
          if (queue != null) {
            return queue;
          }
          time.look();
          if (closed || time.left() <= 0) {
            throw new OffloadException(
                closed ? OffloadWire.Status.IO_ERROR : OffloadWire.Status.BUSY,
                closed ? "the connection is lost" : "all " + most + " connections are in use");
          }
          changed.awaitNanos(time.untilNextLook(nanos));
        } catch (InterruptedException e) {
          interrupted = true;
        } finally {
          waiting--;
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return connect(number);
  }

  private CommandQueue connect(int number) throws OffloadException {
    CommandQueue queue = null;
    try {
      queue = connector.connect(number);
    } finally {
      if (queue == null) {
        giveBack(number);
      }
    }
    numbers.put(queue, number);
    all.add(queue);
    if (closed) {
      queue.close();
    }
    return queue;
  }

  /** Returns the number of a queue that is in use. */
  int numberOf(CommandQueue queue) {
    return numbers.getOrDefault(queue, 0);
  }

  private void giveBack(int number) {
    lock.lock();
    try {
      free.addLast(number);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a queue back; a broken one is forgotten. */
  void release(CommandQueue queue) {
    if (queue.isBroken()) {
      all.remove(queue);
      giveBack(numbers.remove(queue));
      return;
    }
    CommandQueue shared = queue;
    if (waiting == 0 && near.put(queue)) {
      // Who began to wait meanwhile has looked before the queue was there, or has found it.
      shared = waiting == 0 ? null : near.take();
    }
    if (shared != null) {
      lock.lock();
      try {
        idle.addLast(shared);
        changed.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    all.forEach(CommandQueue::close);
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
