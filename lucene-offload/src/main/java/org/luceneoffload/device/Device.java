/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A block store that can run programs over the posting pages that it holds.
 *
 * <p>All methods may be called from several threads at once. Buffers are direct and in
 * little-endian order; a transfer covers the bytes from position to limit, whose number is a
 * multiple of {@link #lbaBytes()}, and leaves the position at the limit. After {@link #close()}
 * every call throws {@link OffloadException} with status CLOSED; a call that is under way then
 * returns or throws, it never hangs.
 */
public interface Device extends Closeable {
  /** {@return the name under which the device was opened, such as {@code sim}} */
  String name();

  /** {@return the capabilities, as the device reports them} */
  DeviceInfo info();

  /**
   * {@return whether a call may hang: wait for something outside of this process, for longer than
   * its caller can} If so, every call is made on a thread of its own and given up after {@link
   * org.luceneoffload.config.OffloadOptions#deviceTimeout()}; that costs a change of threads, so a
   * device whose calls end soon, or ask their stop signal, says no.
   *
   * <p>A call that a device gives up by itself, not knowing whether the command will still take
   * effect, throws {@link OffloadException} with status TIMED_OUT.
   */
  default boolean mayBlock() {
    return false;
  }

  /**
   * {@return whether plans run elsewhere than on the threads of their callers: on threads or
   * processors of the device's own, where they wait for each other} Then it may pay to leave some
   * of them to the host; see {@link org.luceneoffload.config.Placement#AUTO}.
   */
  default boolean plansRunElsewhere() {
    return mayBlock();
  }

  /**
   * {@return how many plans a session runs at once by {@link DeviceSession#executeStaged}; 1 if
   * that gains nothing, as where nothing lies between the caller and the device} Then plans are
   * never staged.
   */
  default int mostStaged() {
    return 1;
  }

  /**
   * {@return whether a write, flush or trim that was given up may still take effect} Nothing is
   * written over what it concerned until this says no.
   */
  default boolean hasUnfinishedWrites() {
    return false;
  }

  /** {@return what its memory did since it was opened; does not wait} Never decreases. */
  default MemoryCounts memoryCounts() {
    return MemoryCounts.NONE;
  }

  /**
   * Returns a facet: what some devices can do beside storing blocks and running plans, such as
   * {@link SharedStorage} and {@link org.luceneoffload.device.timing.TimingModel}. A device has the
   * facets that it implements, and those of the device that it stands in front of. A method of a
   * facet that may wait for the device throws IOException.
   *
   * @param <T> the facet
   * @param facet an interface
   * @return null if the device lacks it
   */
  default <T> T as(Class<T> facet) {
    return facet.isInstance(this) ? facet.cast(this) : null;
  }

  /** {@return what may be done with the device if it holds no volume} */
  default Claim claim() {
    return Claim.OWN_STORE;
  }

  /**
   * Makes the device writable and keeps other processes from writing to it until it is closed;
   * harmless if it is writable. Reads and plans may be under way. If this fails, the device is as
   * before, and may be asked again.
   *
   * <p>Until then {@link #write} and {@link #trim} throw READ_ONLY, {@link #flush} does nothing,
   * and another process may write. A device whose {@link #info} does not say that it is read-only,
   * and that no other process can write to, need not implement this.
   *
   * @throws OffloadException with status LOCKED if another process writes to the device, naming it
   *     if it is known; READ_ONLY if this process may not write to it
   */
  default void openForWriting() throws IOException {
    if (info().readOnly()) {
      throw new OffloadException(
          OffloadWire.Status.READ_ONLY, "device " + name() + " is open for reading only");
    }
  }

  /**
   * Reads whole LBAs into {@code dst}; LBAs that were never written read as zeros.
   *
   * @param lba the first one
   * @param dst takes the bytes
   * @throws IOException if the device fails
   */
  void read(long lba, ByteBuffer dst) throws IOException;

  /**
   * Writes whole LBAs from {@code src}; durable after the next {@link #flush()}.
   *
   * @param lba the first one
   * @param src holds the bytes
   * @throws IOException if the device fails
   */
  void write(long lba, ByteBuffer src) throws IOException;

  /**
   * Makes every earlier write durable.
   *
   * @throws IOException if the device fails
   */
  void flush() throws IOException;

  /**
   * Gives LBAs back; their contents are then undefined until written.
   *
   * @param lba the first one
   * @param count of the LBAs
   * @throws IOException if the device fails
   */
  void trim(long lba, long count) throws IOException;

  /**
   * Opens a session: the memory in which plans run, one at a time.
   *
   * @return the session
   * @throws IOException if the device fails
   */
  DeviceSession openSession() throws IOException;

  /**
   * Puts a live-docs bitmap into device memory.
   *
   * @param bits 64-bit little-endian words, bit i set: doc i is live
   * @return the resource, never 0, to be freed by {@link #dropResource}
   * @throws IOException if the device fails
   */
  int putLiveDocs(ByteBuffer bits) throws IOException;

  /**
   * Frees a resource. Harmless after {@link #close()}.
   *
   * @param resource from {@link #putLiveDocs}
   * @throws IOException if the device fails
   */
  void dropResource(int resource) throws IOException;

  /** {@return the number of bytes of an LBA} */
  default int lbaBytes() {
    return info().lbaBytes();
  }

  /** The ways to treat a device that holds no volume of posting images. */
  enum Claim {
    /** Its store was made for a volume: an empty store gets one, any other is refused. */
    OWN_STORE,

    /** Nothing: it may hold another owner's data, and is refused. */
    NONE,

    /** It gets a volume if it is empty; its name says {@code claim=empty}. */
    EMPTY,

    /** It gets a volume, and what it holds is lost; its name says {@code claim=overwrite}. */
    OVERWRITE
  }

  /**
   * What the memory of a device did since it was opened.
   *
   * @param hits pages that plans found there
   * @param loads pages that were read from the store
   * @param reloads of these, pages that were known from before, so that they were not checked in
   *     full
   * @param evictions pages that left for others
   * @param asked pages that plans asked for before they were to use them
   * @param readAhead of a device that reads past the system's cache: loads that found their page
   *     read or under way
   * @param readsAhead of such a device: reads that nobody waited for when they began, each of pages
   *     that lie together
   * @param deepest of such a device: most pages that were under way at once
   */
  record MemoryCounts(
      long hits,
      long loads,
      long reloads,
      long evictions,
      long asked,
      long readAhead,
      long readsAhead,
      long deepest) {
    /** Of a device that does not say. */
    public static final MemoryCounts NONE = new MemoryCounts(0, 0, 0, 0, 0, 0, 0, 0);
  }
}
