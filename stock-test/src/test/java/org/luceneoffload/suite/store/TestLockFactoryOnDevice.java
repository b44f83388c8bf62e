/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.store.BaseLockFactoryTestCase;
import org.junit.ClassRule;
import org.luceneoffload.suite.SuiteDevice;

/** Lucene's suite for lock factories, through a directory with a simulated device under it. */
public class TestLockFactoryOnDevice extends BaseLockFactoryTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.unasked();

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return SuiteDevice.under(
        new NIOFSDirectory(FilterPath.unwrap(path), NativeFSLockFactory.INSTANCE));
  }
}
