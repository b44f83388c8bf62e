/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;

/** What Lucene asks of any directory, of one whose files are all on a device. */
public class TestDirectoryOnNode extends BaseDirectoryTestCase {
  private static final long LBAS = 1 << 20;

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    RamBlockDevice device = new RamBlockDevice(LBAS);
    OffloadDirectory directory = OffloadDirectory.open(device, "index", OffloadOptions.DEFAULT);
    return new FilterDirectory(directory) {
      @Override
      public void close() throws IOException {
        super.close();
        device.close();
      }
    };
  }
}
