/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.TrackingDirectoryWrapper;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.guard.DeviceRegistry;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * The directory that one run writes an index into.
 *
 * <p>It holds the index's write lock from before the first file is written until after the last one
 * is removed, and knows which files the run made. A run that fails before its first commit removes
 * those files and no others.
 */
final class IndexTarget implements Closeable {
  private final Path index;
  private final boolean madeFolder;
  private final boolean madeLock;
  private final Directory plain; // on a node the same as the directory below
  private final Lock lock;
  private final boolean hadIndex;
  private boolean madeStore;
  private OffloadDirectory directory;
  private TrackingDirectoryWrapper tracked;

  private IndexTarget(Path index, boolean madeFolder, boolean madeLock, Directory plain, Lock lock)
      throws IOException {
    this.index = index;
    this.madeFolder = madeFolder;
    this.madeLock = madeLock;
    this.plain = plain;
    this.lock = lock;
    hadIndex = DirectoryReader.indexExists(plain);
  }

  /**
   * Makes the directory if it is missing, and takes its write lock.
   *
   * @throws org.apache.lucene.store.LockObtainFailedException if another run holds the lock; then
   *     nothing in the directory has been touched
   */
  static IndexTarget lock(Path index, OffloadOptions options) throws IOException {
    return IndexOnNode.isOne(index) ? lockOnNode(index, options) : lockInFolder(index);
  }

  private static IndexTarget lockOnNode(Path index, OffloadOptions options) throws IOException {
    String device = IndexOnNode.parse(index).device().toString();
    Directory plain = IndexOptions.openDirectory(index, device, options);
    Lock lock = null;
    try {
      lock = plain.obtainLock(IndexWriter.WRITE_LOCK_NAME);
      return new IndexTarget(index, false, false, plain, lock);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, lock, plain);
      throw t;
    }
  }

  private static IndexTarget lockInFolder(Path index) throws IOException {
    boolean madeFolder = Files.notExists(index);
    FSDirectory plain = FSDirectory.open(index);
    Lock lock = null;
    try {
      boolean madeLock = Files.notExists(index.resolve(IndexWriter.WRITE_LOCK_NAME));
      lock = plain.obtainLock(IndexWriter.WRITE_LOCK_NAME);
      return new IndexTarget(index, madeFolder, madeLock, plain, lock);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, lock, plain);
      throw t;
    }
  }

  /**
   * Opens the directory with its device; to be called once.
   *
   * @return what an {@link IndexWriter} is to write to; closed with this target
   * @throws Failure of usage if the device's name is malformed
   */
  Directory open(String device, OffloadOptions options) throws IOException {
    if (plain instanceof OffloadDirectory onNode) {
      directory = onNode;
    } else {
      madeStore = !DeviceNames.hasStore(device, index);
      directory = IndexOptions.openDirectory(index, device, options);
    }
    tracked = new TrackingDirectoryWrapper(directory);
    return new FilterDirectory(tracked) {
      @Override
      public Lock obtainLock(String name) throws IOException {
        return name.equals(IndexWriter.WRITE_LOCK_NAME) ? new HeldLock(lock) : in.obtainLock(name);
      }
    };
  }

  /** Returns the directory, once it is open. */
  OffloadDirectory directory() {
    return directory;
  }

  /** Returns whether there was an index before this run. */
  boolean hadIndex() {
    return hadIndex;
  }

  /** Closes everything; if there is no index now, removes the files that this run made. */
  @Override
  public void close() throws IOException {
    try {
      boolean remove = !hadIndex && !DirectoryReader.indexExists(plain);
      if (remove) {
        removeFiles();
      }
      IOUtils.close(directory);
      if (remove) {
        removeLockAndFolder();
      }
    } finally {
      IOUtils.close(lock, plain);
    }
  }

  private void removeFiles() {
    if (directory == null) {
      return;
    }
    for (String name : tracked.getCreatedFiles()) {
      try {
        lock.ensureValid();
        directory.deleteFile(name);
      } catch (IOException | RuntimeException e) {
        // The writer has removed it, or it cannot be removed: why the run failed matters more.
      }
    }
    try {
      if (madeStore && ImageDirectory.find(directory).handle() != null) {
        DeviceRegistry.removeEmptyStore(ImageDirectory.find(directory).handle());
      }
    } catch (IOException | RuntimeException e) {
      // An empty store stays behind.
    }
  }

  /** Removes the lock and the folder while the lock is held: no other run can have begun here. */
  private void removeLockAndFolder() {
    try {
      lock.ensureValid();
      if (madeLock) {
        Files.delete(index.resolve(IndexWriter.WRITE_LOCK_NAME));
      }
      if (madeFolder) {
        Files.delete(index); // only if nothing else is in it
      }
    } catch (NoSuchFileException e) {
      // Gone already.
    } catch (IOException | RuntimeException e) {
      // Somebody else's file is in the folder, or the lock is lost: it is left alone.
    }
  }

  /** The held lock as the writer gets it: the writer's close must not release it. */
  private static final class HeldLock extends Lock {
    private final Lock held;

    HeldLock(Lock held) {
      this.held = held;
    }

    @Override
    public void ensureValid() throws IOException {
      held.ensureValid();
    }

    @Override
    public void close() {}
  }
}
