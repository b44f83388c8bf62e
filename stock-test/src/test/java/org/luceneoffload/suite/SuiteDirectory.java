/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * The directory that Lucene's tests get when they ask for one ({@code tests.directory} names this
 * class): a stock one at random, with a device under it if the test class has a {@link
 * SuiteDevice}.
 */
public final class SuiteDirectory extends FilterDirectory {
  /** The constructor that Lucene's test framework looks for. */
  public SuiteDirectory(Path path, LockFactory lockFactory) throws IOException {
    super(SuiteDevice.under(plain(path, lockFactory)));
  }

  @Override
  public void close() throws IOException {
    SuiteDevice.closes(cacheInFront());
    super.close();
  }

  /**
   * Returns whether the test framework's choice, an {@link NRTCachingDirectory}, is what closes
   * this.
   */
  private static boolean cacheInFront() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.anyMatch(f -> f.getDeclaringClass() == NRTCachingDirectory.class));
  }

  private static Directory plain(Path path, LockFactory lockFactory) throws IOException {
    Random random = LuceneTestCase.random();
    if (lockFactory instanceof FSLockFactory) {
      return switch (random.nextInt(10)) {
        case 0 -> new MMapDirectory(path, lockFactory);
        case 1 -> new NIOFSDirectory(path, lockFactory);
        default -> new ByteBuffersDirectory();
      };
    }
    return random.nextInt(5) == 0
        ? new NIOFSDirectory(path, lockFactory)
        : new ByteBuffersDirectory(lockFactory);
  }
}
