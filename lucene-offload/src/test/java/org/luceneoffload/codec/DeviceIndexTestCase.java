/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.device.RamBlockDevice;

/** A device in memory, and an index on it whose files can be read. */
public abstract class DeviceIndexTestCase {
  protected static final int DEVICE_LBAS = 1 << 16;

  protected final RamBlockDevice device = new RamBlockDevice(DEVICE_LBAS);

  protected final Directory memory = new ByteBuffersDirectory();

  /** Outlives the offload directories over it. */
  protected final Directory plain =
      new FilterDirectory(memory) {
        @Override
        public void close() {}
      };

  @AfterEach
  void close() throws IOException {
    memory.close();
    device.close();
  }

  protected final byte[] read(String name) throws IOException {
    try (IndexInput in = plain.openInput(name, IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
