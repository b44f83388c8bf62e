/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.OffloadStats;
import org.luceneoffload.OffloadStats.Counter;
import org.luceneoffload.device.Device;

/**
 * The live docs that are in device memory: sent once for each reader, dropped when it is closed.
 */
final class LiveDocsStore implements Closeable {
  /** Resource number that says: all docs are live, no bitmap needed. */
  static final int ALL_LIVE = 0;

  /** Says that the device cannot filter for this reader. */
  static final int UNAVAILABLE = -1;

  private final Device device;
  private final OffloadStats stats;
  private final Map<IndexReader.CacheKey, Integer> resources = new ConcurrentHashMap<>();
  private volatile boolean closed;

  LiveDocsStore(Device device, OffloadStats stats) {
    this.device = device;
    this.stats = stats;
  }

  /**
   * The resource of a reader's live docs.
   *
   * @return the resource, {@link #ALL_LIVE}, or {@link #UNAVAILABLE} if the reader has no identity
   *     to remember it by
   * @throws IOException if the device does not take the bitmap
   */
  int resource(LeafReader reader) throws IOException {
    Bits liveDocs = reader.getLiveDocs();
    if (liveDocs == null) {
      return ALL_LIVE;
    }
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    if (helper == null || closed) {
      return UNAVAILABLE;
    }
    Integer resource = resources.get(helper.getKey());
    return resource != null ? resource : send(helper, liveDocs, reader.maxDoc());
  }

  private int send(IndexReader.CacheHelper helper, Bits liveDocs, int maxDoc) throws IOException {
    // One at a time: two threads that meet a new reader must not both send its bitmap.
    synchronized (this) {
      Integer present = resources.get(helper.getKey());
      if (present != null) {
        return present;
      }
      ByteBuffer bits = encode(liveDocs, maxDoc);
      int bytes = bits.remaining();
      int resource = device.putLiveDocs(bits);
      stats.add(Counter.BYTES_TO_DEVICE, bytes);
      resources.put(helper.getKey(), resource);
      helper.addClosedListener(this::drop);
      return resource;
    }
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

  private void drop(IndexReader.CacheKey key) throws IOException {
    Integer resource = resources.remove(key);
    if (resource != null && !closed) {
      device.dropResource(resource);
    }
  }

  /** Forgets everything; what is in device memory goes with the device or is dropped here. */
  @Override
  public void close() throws IOException {
    closed = true;
    for (IndexReader.CacheKey key : resources.keySet()) {
      Integer resource = resources.remove(key);
      if (resource != null) {
        device.dropResource(resource);
      }
    }
  }
}
