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
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.task.HostProgram;
import org.luceneoffload.papers.classic.RowTask;

/** Pages of rows on a simulated device in a temporary folder: STORE and READ of the paper. */
final class RowStore implements AutoCloseable {
  /** Pages that lie together. */
  record Extent(long lba, int pages) {}

  private final Path home;
  private final Device device;
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(RowTask.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long next;

  RowStore() throws IOException {
    home = Files.createTempDirectory("offload-rows");
    try {
      device = Devices.provider("sim").openForWriting("", home);
    } catch (IOException | RuntimeException e) {
      delete();
      throw e;
    }
  }

  /** Stores pages behind those that are there. */
  Extent store(List<ByteBuffer> pages) throws IOException {
    long first = next;
    for (ByteBuffer bytes : pages) {
      next += HostProgram.store(device, next, bytes);
    }
    return new Extent(first, pages.size());
  }

  /** Reads a page of an extent; valid until the next read. */
  ByteBuffer read(Extent extent, int number) throws IOException {
    long lbas = RowTask.PAGE_BYTES / device.lbaBytes();
    device.read(extent.lba() + number * lbas, page.clear());
    return page.clear();
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
