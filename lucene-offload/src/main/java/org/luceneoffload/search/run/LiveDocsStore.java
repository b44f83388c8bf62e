/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

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

  private final Device device;
  private final CircuitBreaker breaker;
  private final OffloadStats stats;
  private final Map<IndexReader.CacheKey, Sent> resources = new ConcurrentHashMap<>();

  /** Of readers that are closed, but the device failed to drop them: tried again later. */
  private final Queue<Integer> toDrop = new ConcurrentLinkedQueue<>();

  private final Map<IndexReader.CacheKey, CompletableFuture<Sent>> sending =
      new ConcurrentHashMap<>();
  private volatile boolean closed;

  LiveDocsStore(Device device, CircuitBreaker breaker, OffloadStats stats) {
    this.device = device;
    this.breaker = breaker;
    this.stats = stats;
  }

  /**
   * The resource of a reader's live docs. What the reader or its live docs throw is the
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
   * Two threads that meet a new reader must not both send its bitmap: the second waits for what the
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
    dropLeft();
    Sent sent = new Sent(liveDocs, putOnDevice(encode(liveDocs, maxDoc)));
    resources.put(helper.getKey(), sent);
    boolean heard = false;
    try {
      helper.addClosedListener(this::drop);
      heard = true;
      return sent;
    } catch (
        @SuppressWarnings("unused")
        AlreadyClosedException e) {
      // The reader was closed meanwhile: the application's matter, and for the host to notice.
      return new Sent(liveDocs, UNAVAILABLE);
    } finally {
      if (!heard) {
        drop(helper.getKey());
      }
    }
  }

  /** Sends a bitmap; a failure is counted against the device once, whoever waits for it. */
  private int putOnDevice(ByteBuffer bits) throws OffloadException {
    int bytes = bits.remaining();
    int resource;
    try {
      resource = device.putLiveDocs(bits);
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      breaker.failed(failure);
      throw failure;
    }
    stats.add(Counter.BYTES_TO_DEVICE, bytes);
    return resource;
  }

  private static ByteBuffer encode(Bits liveDocs, int maxDoc) {
    FixedBitSet bits = new FixedBitSet(maxDoc);
    bits.set(0, maxDoc);
    liveDocs.applyMask(bits, 0);
    int words = FixedBitSet.bits2words(maxDoc);
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(bits.getBits(), 0, words);
    return buffer;
  }

  /** The reader is closed. That the device fails meanwhile is no reason for the close to fail. */
  private void drop(IndexReader.CacheKey key) {
    Sent sent = resources.remove(key);
    if (sent != null && !closed && !drop(sent.resource())) {
      toDrop.add(sent.resource());
    }
  }

  private boolean drop(int resource) {
    try {
      device.dropResource(resource);
      return true;
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      CauseLog.warn(
          "drop live docs",
          device.name(),
          "device "
              + device.name()
              + " keeps live docs that nobody needs: "
              + failure.getMessage());
      // Unknown to the device: it was started anew since.
      return failure.status() == OffloadWire.Status.NO_RESOURCE;
    }
  }

  private void dropLeft() {
    for (Integer left = toDrop.poll(); left != null; left = toDrop.poll()) {
      if (!drop(left)) {
        toDrop.add(left);
        return;
      }
    }
  }

  /** The device says that it does not have a resource: it is sent again when it is needed. */
  void forget(int resource) {
    if (resource != ALL_LIVE) {
      resources.values().removeIf(known -> known.resource() == resource);
    }
  }

  /** The device was started anew: what it had in memory is gone. */
  void forgetAll() {
    resources.clear();
    toDrop.clear();
  }

  /** Forgets everything; what is in device memory goes with the device or is dropped here. */
  @Override
  public void close() {
    closed = true;
    dropLeft();
    for (IndexReader.CacheKey key : resources.keySet()) {
      Sent sent = resources.remove(key);
      if (sent != null) {
        drop(sent.resource());
      }
    }
  }
}
