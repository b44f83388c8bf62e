/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Objects that wait for their next use, each in a slot of the thread that used it last, so that
 * threads do not meet: no lock, and no two slots in one cache line. All methods may be called from
 * several threads; an object that is taken is the taker's alone.
 *
 * @param <T> what is kept
 */
public final class Spares<T> {
  /**
   * References from one slot to the next. At four bytes each that is two lines of 64 bytes, since
   * some processors fetch lines in pairs.
   */
  private static final int SPREAD = 32;

  private final AtomicReferenceArray<T> slots;
  private final int mask;

  /**
   * @param atLeast the fewest slots; there are a power of two of them
   */
  public Spares(int atLeast) {
    int count = Integer.highestOneBit(Math.max(1, atLeast * 2 - 1));
    // The first slot stands clear of the array's length, which every access reads.
    slots = new AtomicReferenceArray<>((count + 1) * SPREAD);
    mask = count - 1;
  }

  private static int index(int slot) {
    return (slot + 1) * SPREAD;
  }

  private int ownSlot() {
    return (int) Thread.currentThread().threadId() & mask;
  }

  /** Takes what is in the slot of the calling thread; null if it is empty. */
  public T take() {
    return slots.getAndSet(index(ownSlot()), null);
  }

  /** Puts an object into the slot of the calling thread; false if it is full. */
  public boolean put(T spare) {
    return slots.compareAndSet(index(ownSlot()), null, spare);
  }

  /** Takes any object, whichever thread used it; null if all slots are empty. */
  public T takeAny() {
    int own = ownSlot();
    for (int i = 0; i <= mask; i++) {
      int at = index(own + i & mask);
      if (slots.get(at) != null) {
        T spare = slots.getAndSet(at, null);
        if (spare != null) {
          return spare;
        }
      }
    }
    return null;
  }
}
