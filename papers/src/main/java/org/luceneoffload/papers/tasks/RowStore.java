/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.RawDevice;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.Opcode;

/**
 * Pages of rows on a device of the engine in a temporary folder: STORE and READ of the paper. The
 * device has the programs over rows, which {@link RowSession} runs there.
 */
final class RowStore implements AutoCloseable {
  private static final long CAPACITY = 4L << 30;
  private static final int PAGE_LBAS = RowTask.PAGE_BYTES / OffloadWire.LBA_BYTES;

  /** Pages that lie together. */
  record Extent(long lba, int pages) {
    static final Extent NONE = new Extent(0, 0);
  }

  private final Path home;
  private final RawDevice device;
  private final DeviceProfile recorded;
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(RowTask.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long next;

  RowStore() throws IOException {
    recorded = Profiles.load(Papers.profileOf(Papers.TASKS));
    home = Files.createTempDirectory("offload-rows");
    try {
      device = new RawDevice(home.resolve("rows"), CAPACITY, 0, 0);
    } catch (IOException | RuntimeException e) {
      delete();
      throw e;
    }
  }

  /** Stores pages behind those that are there. */
  Extent store(List<ByteBuffer> pages) throws IOException {
    long first = next;
    for (ByteBuffer bytes : pages) {
      device.run(Opcode.WRITE, at(next), bytes, RowTask.PAGE_BYTES);
      next += PAGE_LBAS;
    }
    return new Extent(first, pages.size());
  }

  /** Reads a page of an extent; valid until the next read. */
  ByteBuffer read(Extent extent, int number) throws IOException {
    long lba = extent.lba() + (long) number * PAGE_LBAS;
    device.run(Opcode.READ, at(lba), page.clear(), RowTask.PAGE_BYTES);
    return page.clear();
  }

  private static int[] at(long lba) {
    return new int[] {(int) lba, (int) (lba >>> 32), PAGE_LBAS - 1, 0, 0};
  }

  /** Returns the device that has the pages. */
  RawDevice device() {
    return device;
  }

  /** Switches the recorder of programs on or off. */
  void record(boolean on) throws IOException {
    ByteBuffer profile = on ? recorded.wireBytes() : page.clear().limit(0);
    int bytes = profile.limit();
    device.run(Opcode.MODEL, new int[] {bytes, 0, 0, 0, 0}, profile, bytes);
  }

  @Override
  public void close() throws IOException {
    try {
      device.close();
    } finally {
      delete();
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
