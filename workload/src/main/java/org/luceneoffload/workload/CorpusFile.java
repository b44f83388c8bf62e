/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/** A file of lines: plain, {@code .gz} or {@code .zst}. */
public final class CorpusFile {
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int ZSTD_MAGIC = 0x28b52ffd;

  private CorpusFile() {}

  /** Fails, naming the file, unless it is one that can be read. */
  static void check(Path file) {
    if (!Files.exists(file)) {
      throw new InputException("no such file: " + file);
    } else if (Files.isDirectory(file)) {
      throw new InputException("a directory, not a file: " + file);
    } else if (!Files.isReadable(file)) {
      throw new InputException("no permission to read " + file);
    }
  }

  /**
   * Opens a file for reading and unpacks it if its name ends in {@code .gz} or {@code .zst}.
   *
   * @param consumed counts the bytes of the file itself as they are read
   * @throws IOException if the file is not what its name says, or packed without its name saying so
   */
  public static InputStream open(Path file, AtomicLong consumed) throws IOException {
    check(file);
    String name = file.getFileName().toString();
    int magic = magicOf(file);
    boolean gzip = magic >>> 16 == GZIP_MAGIC;
    boolean zstd = magic == ZSTD_MAGIC;
    if (name.endsWith(".gz") && !gzip) {
      throw new InputException(file + ": not a gzip file, although its name ends in .gz");
    } else if (name.endsWith(".zst") && !zstd) {
      throw new InputException(file + ": not a Zstandard file, although its name ends in .zst");
    } else if (gzip != name.endsWith(".gz") || zstd != name.endsWith(".zst")) {
      throw new InputException(
          file + ": packed, but its name does not end in " + (gzip ? ".gz" : ".zst"));
    }
    InputStream counted = new CountingStream(Files.newInputStream(file), consumed);
    InputStream raw = new BufferedInputStream(counted, 1 << 16);
    try {
      return gzip ? new GZIPInputStream(raw, 1 << 16) : zstd ? new ZstdInputStream(raw) : raw;
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  private static int magicOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(4);
      int magic = 0;
      for (int i = 0; i < 4; i++) {
        magic = magic << 8 | (i < head.length ? head[i] & 0xff : 0);
      }
      return magic;
    }
  }

  private static final class CountingStream extends FilterInputStream {
    private final AtomicLong consumed;

    CountingStream(InputStream in, AtomicLong consumed) {
      super(in);
      this.consumed = consumed;
    }

    @Override
    public int read() throws IOException {
      int b = in.read();
      if (b >= 0) {
        consumed.incrementAndGet();
      }
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = in.read(bytes, offset, length);
      if (n > 0) {
        consumed.addAndGet(n);
      }
      return n;
    }
  }
}
