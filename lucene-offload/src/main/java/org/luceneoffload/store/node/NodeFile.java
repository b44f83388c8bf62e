/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.PatientReads;
import org.luceneoffload.store.volume.Transfers;
import org.luceneoffload.store.volume.VolumeReader;
import org.luceneoffload.wire.OffloadException;

/**
 * A file on a node, open for reading by all inputs over it. A node that does not answer is asked
 * again for {@value PatientReads#READ_SECONDS} seconds, since the bytes are nowhere else.
 */
final class NodeFile {
  /** Pages that are read in one go, at most. */
  static final int MAX_RUN = 64;

  private final String name;
  private final DeviceHandle handle;
  private final VolumeReader reader;
  private final NodeCache cache;
  private final int pages;
  private volatile boolean closed;

  /** Takes over a reference of the handle, and the reader. */
  NodeFile(String name, DeviceHandle handle, VolumeReader reader, NodeCache cache) {
    this.name = name;
    this.handle = handle;
    this.reader = reader;
    this.cache = cache;
    this.pages = Math.toIntExact((reader.length() + NodePage.PAYLOAD - 1) / NodePage.PAYLOAD);
  }

  /** Returns the stamp that its pages carry. */
  long stamp() {
    return reader.stamp();
  }

  /** Returns its length in bytes. */
  long length() {
    return reader.length();
  }

  /** Returns the number of its pages. */
  int pages() {
    return pages;
  }

  /** Returns a page, from the cache or the node; not to be changed. */
  byte[] page(int number, int run) throws IOException {
    ensureOpen();
    return cache.page(this, number, run);
  }

  /** Has pages read ahead that are not in the cache. */
  void prefetch(int first, int last) {
    for (int number = first; number <= last; ) {
      if (cache.holds(this, number)) {
        number++;
        continue;
      }
      int count = Math.min(MAX_RUN, last - number + 1);
      cache.readAhead(this, number, count);
      number += count;
    }
  }

  /** Reads pages from the node. */
  byte[][] readPages(int first, int count) throws IOException {
    boolean again = false;
    while (true) {
      boolean damagedBefore = again;
      byte[][] read;
      try {
        read =
            PatientReads.read(
                () -> {
                  ensureOpen();
                  return tryReadPages(first, count, damagedBefore);
                });
      } catch (OffloadException e) {
        throw new IOException(name + " cannot be read: " + e.getMessage(), e);
      }
      if (read != null) {
        return read;
      }
      again = true;
    }
  }

  /**
   * Reads pages; returns null if one is damaged, which may have happened on the way, but not the
   * second time.
   */
  private byte[][] tryReadPages(int first, int count, boolean again) throws IOException {
    byte[][] read = new byte[count][];
    ByteBuffer buffer = Transfers.acquire();
    try {
      for (int at = 0; at < count; ) {
        int part = Math.min(count - at, buffer.capacity() / NodePage.BYTES);
        buffer.clear().limit(part * NodePage.BYTES);
        reader.read(first + at, buffer);
        buffer.flip();
        for (int i = 0; i < part; i++, at++) {
          read[at] = new byte[NodePage.BYTES];
          buffer.get(read[at]);
          NodePage.State state = NodePage.check(read[at], stamp(), first + at);
          if (state == NodePage.State.DAMAGED && !again) {
            return null;
          }
          checkGood(state, first + at);
        }
      }
      return read;
    } finally {
      Transfers.release(buffer);
    }
  }

  private void checkGood(NodePage.State state, int number) throws IOException {
    if (state == NodePage.State.GOOD) {
      return;
    }
    // What a device holds in LBAs that were trimmed may be anything.
    if (!handle.volume().hasStamp(stamp())) {
      throw new StaleFileException(
          name
              + ": page "
              + number
              + " is another file's by now: who writes the index has deleted this one while it was"
              + " read here; open the reader anew");
    }
    throw new CorruptIndexException(
        "page "
            + number
            + (state == NodePage.State.DAMAGED
                ? " has a wrong checksum"
                : " is not there, though its file is: the node's store was cut off or altered"),
        name);
  }

  void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException(name);
    }
  }

  void close() throws IOException {
    closed = true;
    try {
      reader.close();
    } finally {
      handle.release();
    }
  }
}
