/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.junit.ClassRule;
import org.luceneoffload.suite.Sampling;
import org.luceneoffload.suite.SuiteDevice;

/** Lucene's suite for directories that map files in chunks, with a simulated device under them. */
public class TestChunkedDirectoryOnDevice extends BaseChunkedDirectoryTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.unasked();

  @Override
  protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
    return SuiteDevice.under(new MMapDirectory(path, maxChunkSize));
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Sampling.oneIn(1, this);
  }
}
