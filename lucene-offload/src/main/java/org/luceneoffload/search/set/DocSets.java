/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.set;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.FrequencyTrackingRingBuffer;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Operator;

/**
 * The sets of docs that a device keeps: those asked for last, as far as they fit its share of
 * memory. Norms of docs are kept in the same way, as a set with eight bits for each doc. A set is
 * kept until its segment is closed, others need the room, or the device loses it. For any number of
 * threads; no lock is held while a device is asked.
 */
public final class DocSets implements Closeable {
  /** Most sets of a device, so that its other resources find a place. */
  private static final int MAX_SETS = 1024;

  /** One set takes such a part of the memory at most. */
  private static final int MAX_PART = 4;

  /** Uses that are remembered, and what stands for none. As of Lucene's own caching policy. */
  private static final int HISTORY = 256;

  private static final int NO_USE = Integer.MIN_VALUE;

  /** A set that is on the device. What changes is guarded by the sets. */
  public static final class Held {
    private final DocSetKey key;
    private final int resource;
    private final int bytes;
    private final int docCount;
    private int holders;
    private boolean dropped; // from the cache; from the device with its last holder

    private Held(DocSetKey key, int resource, int bytes, int docCount) {
      this.key = key;
      this.resource = resource;
      this.bytes = bytes;
      this.docCount = docCount;
    }

    /** Returns the resource of the device. */
    public int resource() {
      return resource;
    }
  }

  private final OffloadStats stats;
  private final CircuitBreaker breaker;
  private final DeviceBits bits;
  private final long mostBytes;
  private final FrequencyTrackingRingBuffer uses = new FrequencyTrackingRingBuffer(HISTORY, NO_USE);

  // Guarded by this.
  private final Map<DocSetKey, Held> sets = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<DocSetKey, CompletableFuture<OffloadException>> builds = new HashMap<>();
  private final Set<IndexReader.CacheKey> watched = new HashSet<>();
  private long bytes;
  private boolean closed;

  private DocSets(DeviceHandle handle) {
    this.stats = handle.stats();
    this.breaker = handle.breaker();
    this.mostBytes = handle.unionBytes();
    this.bits = new DeviceBits(handle.device(), stats, "docs of a union");
  }

  /** Returns the sets of a device; null if it keeps none. */
  public static DocSets of(DeviceHandle handle) throws IOException {
    boolean keeps =
        handle.unionBytes() > 0
            && handle.costs() == null // a modelled device has no memory to spare
            && handle.device().info().knows(Operator.DOC_SET);
    return keeps ? handle.attachment(DocSets.class, DocSets::new) : null;
  }

  /** Returns whether there is memory for a set of a segment. */
  public boolean hasRoomFor(int maxDoc) {
    return DeviceBits.bytes(maxDoc) <= mostBytes / MAX_PART;
  }

  /** Returns whether there is memory for the norms of a segment. */
  public boolean hasRoomForNorms(int maxDoc) {
    return maxDoc <= Integer.MAX_VALUE / Byte.SIZE && hasRoomFor(maxDoc * Byte.SIZE);
  }

  /** Counts a use of a set; returns how often it was used of late, this time included. */
  public synchronized int countUse(DocSetKey key) {
    int hash = key.hashCode();
    uses.add(hash == NO_USE ? 0 : hash);
    return uses.frequency(hash == NO_USE ? 0 : hash);
  }

  /** Returns how many docs a set has that is on the device; -1 if it is not. */
  public synchronized int docCount(DocSetKey key) {
    Held held = sets.get(key);
    return held == null ? -1 : held.docCount;
  }

  /**
   * Holds a set, so that it stays on the device until it is released; makes it if the device does
   * not have it. Of several threads that want it, one makes it.
   *
   * @param core of the key
   * @throws OffloadException if the device fails, or has no room; the breaker knows then
   * @throws IOException what the maker throws
   */
  public Held hold(DocSetKey key, IndexReader.CacheHelper core, IOSupplier<FixedBitSet> maker)
      throws OffloadException, IOException {
    CompletableFuture<OffloadException> own = new CompletableFuture<>();
    for (; ; ) {
      CompletableFuture<OffloadException> others;
      synchronized (this) {
        checkOpen();
        Held known = sets.get(key);
        if (known != null) {
          known.holders++;
          stats.increment(Counter.UNION_SETS_HIT);
          return known;
        }
        others = builds.putIfAbsent(key, own);
      }
      if (others == null) {
        return make(key, core, maker, own);
      }
      OffloadException failure = others.join();
      if (failure != null) {
        throw new OffloadException(
            failure.status(), "another thread failed to find the docs of a union", failure);
      }
    }
  }

  private void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "the device is closed");
    }
  }

  private Held make(
      DocSetKey key,
      IndexReader.CacheHelper core,
      IOSupplier<FixedBitSet> maker,
      CompletableFuture<OffloadException> own)
      throws OffloadException, IOException {
    OffloadException failure = null;
    try {
      FixedBitSet docs = maker.get();
      Held made = new Held(key, put(docs), DeviceBits.bytes(docs.length()), docs.cardinality());
      keep(made, core);
      stats.increment(Counter.UNION_SETS_BUILT);
      stats.add(Counter.UNION_SET_BYTES, made.bytes);
      return made;
    } catch (OffloadException e) {
      // That one thread was stopped says nothing about the others.
      failure = e.status() == OffloadWire.Status.ABORTED ? null : e;
      throw e;
    } finally {
      synchronized (this) {
        builds.remove(key, own);
      }
      own.complete(failure);
    }
  }

  /** Sends bits; if there is no room, once more without all sets that are not held. */
  private int put(FixedBitSet docs) throws OffloadException {
    evict(mostBytes - DeviceBits.bytes(docs.length()), MAX_SETS - 1);
    try {
      return bits.put(docs);
    } catch (OffloadException e) {
      if (e.status() != OffloadWire.Status.NO_MEMORY) {
        breaker.failed(e);
        throw e;
      }
    }
    evict(0, 0);
    try {
      return bits.put(docs);
    } catch (OffloadException e) {
      if (e.status() != OffloadWire.Status.NO_MEMORY) {
        breaker.failed(e);
        throw e;
      }
      throw new OffloadException(
          OffloadWire.Status.BUSY, "the device has no room for the docs of a union", e);
    }
  }

  private void keep(Held made, IndexReader.CacheHelper core) {
    made.holders = 1;
    boolean watch;
    synchronized (this) {
      sets.put(made.key, made);
      bytes += made.bytes;
      watch = watched.add(made.key.core());
    }
    if (watch) {
      try {
        core.addClosedListener(this::drop);
      } catch (AlreadyClosedException e) {
        drop(made.key.core()); // closed meanwhile: the application's matter
      }
    }
  }

  /** Lets a set go that {@link #hold} gave. */
  public void release(Held held) {
    boolean last;
    synchronized (this) {
      held.holders--;
      last = held.dropped && held.holders == 0;
    }
    if (last) {
      bits.drop(held.resource);
    }
  }

  /** Drops the sets that are not held, least recently used first, until the rest fits. */
  private void evict(long bytesLeft, int setsLeft) {
    List<Held> gone = new ArrayList<>();
    synchronized (this) {
      Iterator<Held> oldest = sets.values().iterator();
      while ((bytes > bytesLeft || sets.size() > setsLeft) && oldest.hasNext()) {
        Held held = oldest.next();
        if (held.holders == 0) {
          oldest.remove();
          forgetLocked(held);
          gone.add(held);
        }
      }
    }
    stats.add(Counter.UNION_SETS_EVICTED, gone.size());
    gone.forEach(held -> bits.drop(held.resource));
  }

  private void forgetLocked(Held held) {
    held.dropped = true;
    bytes -= held.bytes;
  }

  /** Drops the sets of a segment that is closed. */
  private void drop(IndexReader.CacheKey core) {
    List<Held> gone = new ArrayList<>();
    synchronized (this) {
      watched.remove(core);
      Iterator<Held> all = sets.values().iterator();
      while (all.hasNext()) {
        Held held = all.next();
        if (held.key.core() == core) {
          all.remove();
          forgetLocked(held);
          if (held.holders == 0) {
            gone.add(held);
          }
        }
      }
      if (closed) {
        return;
      }
    }
    gone.forEach(held -> bits.drop(held.resource));
  }

  /** Forgets sets one of which the device lacks: they are made again when they are needed. */
  public void forget(List<Held> held) {
    synchronized (this) {
      for (Held one : held) {
        if (sets.remove(one.key, one)) {
          forgetLocked(one);
        }
      }
    }
  }

  /** Forgets all sets: the device was started anew, and what it had in memory is gone. */
  public synchronized void forgetAll() {
    bits.forgetAll();
    sets.values().forEach(this::forgetLocked);
    sets.clear();
  }

  /** Returns the number of bytes of the sets that are kept. */
  synchronized long bytes() {
    return bytes;
  }

  /** Forgets everything; what is in device memory goes with the device or is dropped here. */
  @Override
  public void close() {
    List<Held> gone;
    synchronized (this) {
      closed = true;
      gone = new ArrayList<>(sets.values());
      gone.removeIf(held -> held.holders > 0); // dropped with their last holders
      forgetAll();
    }
    gone.forEach(held -> bits.drop(held.resource));
  }
}
