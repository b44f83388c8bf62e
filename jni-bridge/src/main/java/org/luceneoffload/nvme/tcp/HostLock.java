/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Says that this process writes to a namespace, to others on this host: a lock on a file in the
 * folder for temporary files, whose name holds that of the namespace.
 */
final class HostLock implements Closeable {
  /**
   * Namespaces that are locked by this process. A file is not opened twice: on POSIX systems,
   * closing it once more would end the lock.
   */
  private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

  private final String namespace;
  private final FileChannel file;

  private HostLock(String namespace, FileChannel file) {
    this.namespace = namespace;
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @param namespace its identity, in characters that a file's name may have
   * @param name of the device, for messages
   * @throws OffloadException with status LOCKED if somebody else has it
   */
  static HostLock take(String namespace, String name) throws OffloadException {
    if (!HELD.add(namespace)) {
      throw locked("this process, through another device,", name);
    }
    Path path =
        Path.of(System.getProperty("java.io.tmpdir"), "lucene-offload-" + namespace + ".lock");
    FileChannel file = null;
    boolean success = false;
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = file.tryLock();
      if (lock == null) {
        throw locked("another process on this host", name);
      }
      success = true;
      return new HostLock(namespace, file);
    } catch (OverlappingFileLockException e) {
      throw new OffloadException(
          OffloadWire.Status.LOCKED, "this process, by another class loader, writes to " + name, e);
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      throw new OffloadException(
          OffloadWire.Status.LOCKED,
          "the lock that says who writes to " + name + " cannot be had: " + e,
          e);
    } finally {
      if (!success) {
        HELD.remove(namespace);
        closeQuietly(file);
      }
    }
  }

  private static OffloadException locked(String who, String name) {
    return new OffloadException(OffloadWire.Status.LOCKED, who + " writes to " + name);
  }

  private static void closeQuietly(FileChannel file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // The lock goes with the process.
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() {
    closeQuietly(file);
    HELD.remove(namespace);
  }
}
