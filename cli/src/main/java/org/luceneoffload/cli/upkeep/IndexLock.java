/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NoLockFactory;
import org.luceneoffload.cli.command.ErrorReport;

/**
 * The write lock of an index that is only to be read.
 *
 * @param lock the lock; one that locks nothing if {@code withoutLock} is not null
 * @param withoutLock why the index could not be locked; null if it is
 */
record IndexLock(Lock lock, String withoutLock) {
  /**
   * Locks an index if its lock file can be written, and else goes without: on a read-only file
   * system, or as a user who may only read.
   *
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   */
  static IndexLock ofReader(Directory directory) throws IOException {
    try {
      return new IndexLock(directory.obtainLock(IndexWriter.WRITE_LOCK_NAME), null);
    } catch (FileSystemException e) {
      Lock none = NoLockFactory.INSTANCE.obtainLock(directory, IndexWriter.WRITE_LOCK_NAME);
      return new IndexLock(none, ErrorReport.sentence(e));
    }
  }
}
