/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.wire.OffloadWire;

/** A file of a volume, open for reading; may be used by several threads at once. */
public final class VolumeReader implements Closeable {
  private final Volume volume;
  private final VolumeFile file;
  private final long sequence;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A reader.
   *
   * @param sequence number of the file table that the file was found in, for {@link Volume#closed}
   */
  VolumeReader(Volume volume, VolumeFile file, long sequence) {
    this.volume = volume;
    this.file = file;
    this.sequence = sequence;
  }

  /** Returns the length in bytes. */
  public long length() {
    return file.length;
  }

  /**
   * Returns what each of its pages carries, see {@link Volume#create(String, long, long)}; 0:
   * nothing.
   */
  public long stamp() {
    return file.stamp;
  }

  /** Returns a copy of its bytes, if they are in the metadata; null if they are in pages. */
  public byte[] inline() {
    return file.inline == null ? null : file.inline.clone();
  }

  /** Returns where the file is, ascending by file page. */
  public List<Extent> extents() {
    return file.extents;
  }

  /**
   * Reads whole pages.
   *
   * @param filePage number of the first in the file
   * @param dst a direct buffer, filled from position to limit
   */
  public void read(int filePage, ByteBuffer dst) throws IOException {
    int limit = dst.limit();
    int page = filePage;
    try {
      while (dst.position() < limit) {
        if (closed.get()) {
          throw new AlreadyClosedException("file on device " + volume.device().name());
        }
        Extent extent = extentOf(page);
        long room = (long) (extent.endFilePage() - page) * OffloadWire.LBA_BYTES;
        int bytes = (int) Math.min(room, Math.min(limit - dst.position(), volume.transferBytes()));
        dst.limit(dst.position() + bytes);
        volume.device().read(extent.lbaOf(page), dst);
        page += bytes / OffloadWire.LBA_BYTES;
      }
    } finally {
      dst.limit(limit);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      volume.closed(file, sequence);
    }
  }

  private Extent extentOf(int filePage) {
    Extent extent = Extent.of(file.extents, filePage);
    if (extent == null) {
      throw new IllegalArgumentException("no page " + filePage + " in the file");
    }
    return extent;
  }
}
