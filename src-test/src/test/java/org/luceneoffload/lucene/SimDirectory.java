/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadDirectory;

/**
 * A directory of the file system with a simulated device of its own in it, for {@code
 * -Dtests.directory=org.luceneoffload.lucene.SimDirectory}.
 */
public final class SimDirectory extends FilterDirectory {
  private final Directory locks;

  /**
   * Opens the directory.
   *
   * @param lockFactory makes the locks; may be one for file systems only
   */
  public SimDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(OffloadDirectory.open(path, "sim:capacity=64m,dram=1m"), path, lockFactory);
  }

  private SimDirectory(OffloadDirectory in, Path path, LockFactory lockFactory) throws IOException {
    super(in);
    CoreTestHooks.count(in.stats());
    locks = FSDirectory.open(path, lockFactory);
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    return locks.obtainLock(name);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(in, locks);
  }
}
