/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.luceneoffload.OffloadDirectory;

/** Lucene's suite for directories, on one with a simulated device beside the index. */
public class TestDirectoryOnDevice extends BaseDirectoryTestCase {
  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return OffloadDirectory.open(path, "sim:capacity=64m,dram=4m");
  }
}
