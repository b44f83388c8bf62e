/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.wire.OffloadWire;

/** Files that pass for posting images, to be put into directories. */
final class ImageBytes {
  static final String IMAGE = "_0_Offload104_0.odp";
  static final String OTHER_IMAGE = "_1_Offload104_0.odp";
  static final byte[] SEGMENT_ID = new byte[16];

  private ImageBytes() {}

  /** A file with the header and footer of an image, and random pages. */
  static byte[] image(int seed, int pages) throws IOException {
    try (Directory memory = new ByteBuffersDirectory()) {
      try (IndexOutput out = memory.createOutput("x", IOContext.DEFAULT)) {
        CodecUtil.writeIndexHeader(out, ImageFiles.CODEC, 1, SEGMENT_ID, "Offload104_0");
        byte[] random = new byte[(1 + pages) * OffloadWire.PAGE_BYTES - (int) out.getFilePointer()];
        new Random(seed).nextBytes(random);
        out.writeBytes(random, random.length);
        CodecUtil.writeFooter(out);
      }
      return read(memory, "x");
    }
  }

  /** Writes a file. */
  static void write(Directory directory, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  /** Reads a file. */
  static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
