/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ExtentLayout;

/**
 * Raw pages of a device elsewhere, copied into a device in the process at the same LBAs, so that
 * the engine here can run windows of its plans. What is copied stays until the device writes there,
 * or there are too many; pages carry stamps, so that old ones are told by the engine.
 *
 * <p>Safe for several threads.
 */
public final class RawPages implements Closeable {
  /** Reads pages of the device elsewhere. */
  @FunctionalInterface
  public interface Source {
    /** Reads from an LBA on until the buffer is full. */
    void read(long lba, ByteBuffer into) throws IOException;
  }

  private static final int COPY_BYTES = 256 << 10;

  private final Path home; // null: nothing is there any more
  private final SimDevice device;
  private final Source source;
  private final int mostPages;

  // Guarded by the monitor.
  private final BitSet there = new BitSet(); // LBAs
  private final ByteBuffer room;

  private RawPages(Path home, SimDevice device, Source source, int mostPages, int copyBytes) {
    this.home = home;
    this.device = device;
    this.source = source;
    this.mostPages = mostPages;
    this.room = ByteBuffer.allocateDirect(copyBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Makes an empty copy, in a folder of its own for temporary files, which is gone at once where
   * open files may be without a name: so nothing is left of a process that is killed.
   *
   * @param name of the device elsewhere, for people
   * @param lbaCount of that device
   * @param mostBytes of pages; what goes beyond lets go of all that are there
   * @param transferBytes most that the source reads at once
   * @throws IllegalStateException if the native library cannot be loaded
   */
  public static RawPages open(
      String name, long lbaCount, long mostBytes, int transferBytes, Source source)
      throws IOException {
    if (lbaCount > Integer.MAX_VALUE) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_ARGUMENT,
          "the LBAs of " + name + " are too many to keep account of: " + lbaCount);
    }
    NativeLoader.load();
    Path home = Files.createTempDirectory("lucene-offload-pages");
    SimDevice device = null;
    try {
      String sizes = "capacity=" + lbaCount * OffloadWire.LBA_BYTES + ",dram=" + mostBytes;
      SimOptions options = SimOptions.parse("store=pages," + sizes, home);
      device = SimDevice.open("pages of " + name, options);
      device.openForWriting();
      int copyBytes = Math.min(COPY_BYTES, transferBytes);
      return new RawPages(
          isDeleted(home) ? null : home,
          device,
          source,
          (int) Math.min(Integer.MAX_VALUE, mostBytes / OffloadWire.LBA_BYTES),
          copyBytes / OffloadWire.LBA_BYTES * OffloadWire.LBA_BYTES);
    } catch (Throwable t) {
      if (device != null) {
        device.close();
      }
      if (Files.exists(home)) {
        delete(home);
      }
      throw t;
    }
  }

  /** Opens an executor of the host's part of plans for one thread at a time. */
  public HostExecutor openExecutor() throws OffloadException {
    return device.openHostExecutor();
  }

  /** Makes live docs known here; returns their number here. */
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    return device.putLiveDocs(bits);
  }

  /** Lets go of live docs. */
  public void dropLiveDocs(int resource) throws IOException {
    device.dropResource(resource);
  }

  /**
   * Copies pages that are not there.
   *
   * @param extents of {@link ExtentLayout}
   * @return false if they are more than may be kept
   */
  public synchronized boolean copy(ByteBuffer extents, int count) throws OffloadException {
    try {
      BitSet wanted = lbas(extents, count);
      if (wanted.cardinality() > mostPages) {
        return false;
      }
      BitSet missing = (BitSet) wanted.clone();
      missing.andNot(there);
      if (there.cardinality() + missing.cardinality() > mostPages) {
        forgetAll();
        missing = wanted;
      }
      int end;
      for (int lba = missing.nextSetBit(0); lba >= 0; lba = missing.nextSetBit(end)) {
        end = missing.nextClearBit(lba);
        copyRun(lba, end);
      }
      return true;
    } catch (IOException e) {
      throw OffloadException.of(e);
    }
  }

  private void copyRun(int from, int end) throws IOException {
    int most = room.capacity() / OffloadWire.LBA_BYTES;
    for (int lba = from; lba < end; ) {
      int pages = Math.min(most, end - lba);
      source.read(lba, room.clear().limit(pages * OffloadWire.LBA_BYTES));
      device.write(lba, room.flip());
      there.set(lba, lba + pages);
      lba += pages;
    }
  }

  /** Forgets all pages. A plan whose pages go meanwhile fails, and is run again. */
  private void forgetAll() throws IOException {
    int end;
    for (int lba = there.nextSetBit(0); lba >= 0; lba = there.nextSetBit(end)) {
      end = there.nextClearBit(lba);
      device.trim(lba, (long) end - lba);
    }
    there.clear();
  }

  private static BitSet lbas(ByteBuffer extents, int count) {
    BitSet lbas = new BitSet();
    for (int i = 0; i < count; i++) {
      int at = i * ExtentLayout.BYTES;
      int first = Math.toIntExact(ExtentLayout.lba(extents, at));
      lbas.set(first, Math.addExact(first, ExtentLayout.pageCount(extents, at)));
    }
    return lbas;
  }

  /** Takes it that the device has other pages there. */
  public synchronized void forget(long lba, long count) {
    int size = there.size();
    if (lba < size) {
      there.clear((int) lba, (int) Math.min(size, lba + count));
    }
  }

  /** Forgets the pages of extents of {@link ExtentLayout}. */
  public synchronized void forget(ByteBuffer extents) {
    there.andNot(lbas(extents, extents.limit() / ExtentLayout.BYTES));
  }

  /** Returns how many pages are there. */
  public synchronized int count() {
    return there.cardinality();
  }

  @Override
  public void close() throws IOException {
    device.close();
    if (home != null) {
      delete(home);
    }
  }

  private static boolean isDeleted(Path folder) {
    try {
      delete(folder);
      return true;
    } catch (IOException e) {
      return false; // not while its files are open
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(folder);
  }
}
