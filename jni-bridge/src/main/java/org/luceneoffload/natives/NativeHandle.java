/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.luceneoffload.util.LoneInt;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Address of a native object: counts the calls under way with it, and frees it once, after the last
 * of them.
 *
 * <p>Between {@link #acquire} and {@link #release} the object stays; the code in between must not
 * call anything that may close it, or close would wait for itself.
 */
public final class NativeHandle {
  /** Set in {@link #state} when close has begun; the other bits count the calls under way. */
  private static final int CLOSING = Integer.MIN_VALUE;

  private static final AtomicInteger LIVE = new AtomicInteger();

  private final String what;
  private final long address;
  private final LoneInt state = new LoneInt();
  private final CountDownLatch freed = new CountDownLatch(1);

  /**
   * @param what name of the object for messages, such as "the session"
   * @param address the address, not 0
   */
  public NativeHandle(String what, long address) {
    assert address > 0 : address;
    this.what = what;
    this.address = address;
    LIVE.incrementAndGet();
  }

  /** Handles that are not freed yet; for the tests, which demand 0 in the end. */
  public static int live() {
    return LIVE.get();
  }

  /** Begins a call; returns the address, to be used until {@link #release}. */
  public long acquire() throws OffloadException {
    int before;
    do {
      before = state.get();
      if (before < 0) {
        throw new OffloadException(OffloadWire.Status.CLOSED, what + " is closed");
      }
    } while (!state.compareAndSet(before, before + 1));
    return address;
  }

  /** Ends a call. */
  public void release() {
    if (state.decrementAndGet() == CLOSING) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Returns whether close has begun. */
  public boolean closed() {
    return state.get() < 0;
  }

  /**
   * Refuses new calls, waits for those under way and frees the object. Later calls only wait until
   * it is freed. An interrupt does not cut the waiting short: the calls are short, and the object
   * must not be freed before they end.
   *
   * @param free frees the object at the address
   */
  public void close(LongConsumer free) {
    boolean first = state.getAndUpdate(s -> s | CLOSING) >= 0;
    boolean interrupted = false;
    if (first) {
      synchronized (this) {
        while (state.get() != CLOSING) {
          try {
            wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      try {
        free.accept(address);
      } finally {
        LIVE.decrementAndGet();
        freed.countDown();
      }
    } else {
      boolean waiting = true;
      while (waiting) {
        try {
          freed.await();
          waiting = false;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
