/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.luceneoffload.util.CauseLog;

/**
 * Pages of a node on a local disk, in one file of bounded size. A page has two places in it, by its
 * stamp and number, and takes one of them from whatever is there. As a page says itself whose it
 * is, the file needs no table: it outlives processes and crashes, and several may share it.
 */
final class CacheFolder {
  private static final String FILE = "pages.cache";
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final FileChannel channel;
  private final long slots;
  private volatile boolean failed;

  /**
   * Opens the file, or makes it.
   *
   * @param bytes its greatest size
   */
  CacheFolder(Path folder, long bytes) throws IOException {
    Path file = folder.resolve(FILE);
    makeForOwnerAlone(folder, file);
    slots = Math.max(2, bytes / NodePage.BYTES);
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (channel.size() > slots * NodePage.BYTES) {
      channel.truncate(slots * NodePage.BYTES);
    }
  }

  /**
   * Makes folder and file if they are not there. The file holds pages of the index: it is for its
   * owner alone, as a folder is that is made for it, where the file system knows permissions.
   */
  private static void makeForOwnerAlone(Path folder, Path file) throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, posix ? only("rwx------") : new FileAttribute<?>[0]);
    }
    try {
      Files.createFile(file, posix ? only("rw-------") : new FileAttribute<?>[0]);
    } catch (FileAlreadyExistsException e) {
      tighten(file, posix);
    }
  }

  /** Restricts who may read the file, which an earlier version made for all to read. */
  private static void tighten(Path file, boolean posix) {
    try {
      if (posix) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    } catch (IOException e) {
      // It is another user's, who has given it to this one.
    }
  }

  private static FileAttribute<?>[] only(String permissions) {
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  /** Reads a page; false if it is not there. */
  boolean read(long stamp, int number, byte[] page) {
    for (int way = 0; way < 2 && !failed; way++) {
      try {
        if (readFully(slot(stamp, number, way), page)
            && NodePage.check(page, stamp, number) == NodePage.State.GOOD) {
          return true;
        }
      } catch (IOException e) {
        fail(e);
      }
    }
    return false;
  }

  private boolean readFully(long slot, byte[] page) throws IOException {
    ByteBuffer dst = ByteBuffer.wrap(page);
    while (dst.hasRemaining()) {
      if (channel.read(dst, slot * NodePage.BYTES + dst.position()) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Keeps a page, if the disk lets it. */
  void write(long stamp, int number, byte[] page) {
    if (failed) {
      return;
    }
    ByteBuffer src = ByteBuffer.wrap(page);
    // Either place, so that two pages that meet in one do not drive each other out for ever.
    long slot = slot(stamp, number, (int) (System.nanoTime() >>> 8) & 1);
    try {
      while (src.hasRemaining()) {
        channel.write(src, slot * NodePage.BYTES + src.position());
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException e) {
    failed = true;
    CauseLog.warn(
        "cache folder",
        e.getClass().getName(),
        "pages of the storage node are cached in memory alone from now on: " + e);
  }

  private long slot(long stamp, int number, int way) {
    long hash = (stamp + number) * MIX;
    hash = (hash ^ hash >>> 32) * MIX;
    return Math.floorMod(way == 0 ? hash >>> 17 : hash * MIX >>> 17, slots);
  }

  /** Closes the file; it stays. */
  void close() throws IOException {
    failed = true;
    channel.close();
  }
}
