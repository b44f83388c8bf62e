/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;

/**
 * Reads a file of its own in a folder past the system's cache, a thread for each read that is under
 * way.
 */
final class DirectReader implements DriveReader, AutoCloseable {
  private static final int ALIGNMENT = 4096;
  private static final int WRITE_BYTES = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private final long bytes;
  private final long millis;

  private DirectReader(Path file, FileChannel channel, long bytes, long millis) {
    this.file = file;
    this.channel = channel;
    this.bytes = bytes;
    this.millis = millis;
  }

  /**
   * Writes the file that is read.
   *
   * @param folder on the drive
   * @param bytes of the file
   * @param millis how long a point is measured
   * @throws Failure saying why the drive below the folder cannot be measured
   */
  static DirectReader open(Path folder, long bytes, long millis) throws IOException {
    check(folder, bytes);
    Path file = folder.resolve("reads.bin");
    try {
      fill(file, bytes);
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, direct());
      DirectReader reader = new DirectReader(file, channel, bytes, millis);
      try {
        reader.read(reader.buffer(ALIGNMENT), 0);
      } catch (IOException e) {
        reader.close();
        throw e;
      }
      return reader;
    } catch (UnsupportedOperationException | IOException e) {
      Files.deleteIfExists(file);
      throw Failure.of(
          "--folder "
              + folder
              + ": no direct reads there ("
              + Files.getFileStore(folder).type()
              + ": "
              + ErrorReport.sentence(e)
              + "); what would be measured is memory. Name a folder on the drive itself",
          e);
    }
  }

  /** Returns the JDK's own option for direct reads, which no module exports for compilers. */
  private static OpenOption direct() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption)
          Arrays.stream(options.getEnumConstants())
              .filter(option -> option.toString().equals("DIRECT"))
              .findFirst()
              .orElseThrow();
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException("this JVM has no direct reads", e);
    }
  }

  /**
   * Checks that a folder is there and that its file system has room.
   *
   * @throws Failure if not
   */
  static void check(Path folder, long bytes) throws IOException {
    if (!Files.exists(folder)) {
      throw Failure.of("--folder " + folder + ": there is no such folder");
    } else if (!Files.isDirectory(folder)) {
      throw Failure.of("--folder " + folder + ": a file, not a folder");
    } else if (!Files.isWritable(folder)) {
      throw Failure.of("--folder " + folder + ": no permission to write there");
    }
    FileStore store = Files.getFileStore(folder);
    if (store.getUsableSpace() < bytes) {
      throw Failure.of(
          "--folder "
              + folder
              + ": its file system has "
              + (store.getUsableSpace() >> 20)
              + " MiB left, and what is read takes "
              + (bytes >> 20));
    }
  }

  /** Writes bytes that no drive can compress or leave out. */
  private static void fill(Path file, long bytes) throws IOException {
    Random random = new Random(1);
    byte[] block = new byte[WRITE_BYTES];
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += block.length) {
        random.nextBytes(block);
        ByteBuffer buffer = ByteBuffer.wrap(block);
        while (buffer.hasRemaining()) {
          out.write(buffer, at + buffer.position());
        }
      }
      out.force(true);
    }
  }

  private ByteBuffer buffer(int count) {
    return ByteBuffer.allocateDirect(count + ALIGNMENT).alignedSlice(ALIGNMENT);
  }

  private void read(ByteBuffer buffer, long at) throws IOException {
    buffer.clear();
    int count = buffer.capacity() / ALIGNMENT * ALIGNMENT;
    buffer.limit(count);
    if (channel.read(buffer, at) != count) {
      throw new IOException("a read of " + count + " bytes at " + at + " was cut short");
    }
  }

  @Override
  public Point measure(int count, int depth) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(depth);
    try {
      long start = System.nanoTime();
      long end = start + millis * 1_000_000;
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 0; i < depth; i++) {
        SplittableRandom places = new SplittableRandom(i);
        all.add(threads.submit(readUntil(end, count, places)));
      }
      long reads = 0;
      long cpu = 0;
      for (Future<long[]> one : all) {
        reads += one.get()[0];
        cpu += one.get()[1];
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Point(count, depth, reads / seconds, depth == 1 ? (double) cpu / reads : 0);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns what a thread does: reads until a time, at least once; reads and processor time. */
  private Callable<long[]> readUntil(long end, int count, SplittableRandom places) {
    return () -> {
      ByteBuffer buffer = buffer(count).slice(0, count);
      long reads = 0;
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      do {
        read(buffer, places.nextLong(bytes / count) * count);
        reads++;
      } while (System.nanoTime() < end);
      return new long[] {
        reads, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu
      };
    };
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
