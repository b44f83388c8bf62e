/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.search.set.DeviceBits;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.wire.OffloadException;

/**
 * The live docs that are in device memory: sent once for each reader, dropped when it is closed.
 */
public final class LiveDocsStore implements Closeable {
  /** Resource number that says: all docs are live, no bitmap needed. */
  public static final int ALL_LIVE = 0;

  /** Says that the device cannot filter for this reader. */
  public static final int UNAVAILABLE = -1;

  /** A wrapper may pass on the key of the reader behind it, and show other live docs. */
  private record Sent(Bits liveDocs, int resource) {
    int resourceOf(Bits wanted) {
      return wanted == liveDocs ? resource : UNAVAILABLE;
    }
  }

  private final CircuitBreaker breaker;
  private final DeviceBits bits;
  private final Map<IndexReader.CacheKey, Sent> resources = new ConcurrentHashMap<>();

  private final Map<IndexReader.CacheKey, CompletableFuture<Sent>> sending =
      new ConcurrentHashMap<>();
  private volatile boolean closed;

  LiveDocsStore(Device device, CircuitBreaker breaker, OffloadStats stats) {
    this.breaker = breaker;
    this.bits = new DeviceBits(device, stats, "live docs");
  }

  /**
   * Returns the resource of a reader's live docs. What the reader or its live docs throw is the
   * application's, and is thrown as it is.
   *
   * @return the resource, {@link #ALL_LIVE}, or {@link #UNAVAILABLE} if the reader has no identity
   *     to remember it by, or that of another one, or is closed
   * @throws OffloadException if the device does not take the bitmap
   */
  int resource(LeafReader reader) throws OffloadException {
    Bits liveDocs = reader.getLiveDocs();
    if (liveDocs == null) {
      return ALL_LIVE;
    }
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    if (helper == null || closed) {
      return UNAVAILABLE;
    }
    Sent sent = resources.get(helper.getKey());
    return sent != null ? sent.resourceOf(liveDocs) : send(helper, liveDocs, reader.maxDoc());
  }

  /**
   * Sends a reader's bitmap once: if two threads meet a new reader, the second waits for what the
   * first is told. No lock is held meanwhile: queries of other readers go on.
   */
  private int send(IndexReader.CacheHelper helper, Bits liveDocs, int maxDoc)
      throws OffloadException {
    CompletableFuture<Sent> own = new CompletableFuture<>();
    CompletableFuture<Sent> others = sending.putIfAbsent(helper.getKey(), own);
    while (others != null) {
      Sent sent = await(others);
      if (sent != null) {
        return sent.resourceOf(liveDocs);
      }
      others = sending.putIfAbsent(helper.getKey(), own);
    }
    try {
      Sent present = resources.get(helper.getKey());
      Sent sent = present != null ? present : put(helper, liveDocs, maxDoc);
      own.complete(sent);
      return sent.resourceOf(liveDocs);
    } catch (Throwable t) {
      own.completeExceptionally(t);
      throw t;
    } finally {
      sending.remove(helper.getKey(), own);
    }
  }

  /** Returns another thread's result; null if it did not get as far as the device. */
  private static Sent await(CompletableFuture<Sent> others) throws OffloadException {
    try {
      return others.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof OffloadException failure) {
        throw new OffloadException(
            failure.status(), "another thread failed to upload the live docs", failure);
      }
      return null;
    }
  }

  private Sent put(IndexReader.CacheHelper helper, Bits liveDocs, int maxDoc)
      throws OffloadException {
    Sent sent = new Sent(liveDocs, putOnDevice(copy(liveDocs, maxDoc)));
    resources.put(helper.getKey(), sent);
    boolean heard = false;
    try {
      helper.addClosedListener(this::drop);
      heard = true;
      return sent;
    } catch (AlreadyClosedException e) {
      // The reader was closed meanwhile: the application's matter, and for the host to notice.
      return new Sent(liveDocs, UNAVAILABLE);
    } finally {
      if (!heard) {
        drop(helper.getKey());
      }
    }
  }

  /** Sends a bitmap; a failure is counted against the device once, however many wait for it. */
  private int putOnDevice(FixedBitSet live) throws OffloadException {
    try {
      return bits.put(live);
    } catch (OffloadException failure) {
      breaker.failed(failure);
      throw failure;
    }
  }

  private static FixedBitSet copy(Bits liveDocs, int maxDoc) {
    FixedBitSet copy = new FixedBitSet(maxDoc);
    copy.set(0, maxDoc);
    liveDocs.applyMask(copy, 0);
    return copy;
  }

  /**
   * Drops the live docs of a closed reader. If the device fails meanwhile, the close does not fail.
   */
  private void drop(IndexReader.CacheKey key) {
    Sent sent = resources.remove(key);
    if (sent != null && !closed) {
      bits.drop(sent.resource());
    }
  }

  /** Forgets a resource that the device does not have: it is sent again when it is needed. */
  void forget(int resource) {
    if (resource != ALL_LIVE) {
      resources.values().removeIf(known -> known.resource() == resource);
    }
  }

  /** Forgets all resources: the device was started anew, and what it had in memory is gone. */
  void forgetAll() {
    resources.clear();
    bits.forgetAll();
  }

  /** Forgets everything; what is in device memory goes with the device or is dropped here. */
  @Override
  public void close() {
    closed = true;
    bits.dropLeft();
    for (IndexReader.CacheKey key : resources.keySet()) {
      Sent sent = resources.remove(key);
      if (sent != null) {
        bits.drop(sent.resource());
      }
    }
  }
}
