/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/** How stock Lucene reads the files of an index. */
public enum StockDirectory {
  /** Mapped files, with Lucene's own prefetching. */
  MMAP("MMapDirectory") {
    @Override
    public Directory open(Path index) throws IOException {
      return new MMapDirectory(index);
    }
  },

  /** Positional reads. */
  NIOFS("NIOFSDirectory") {
    @Override
    public Directory open(Path index) throws IOException {
      return new NIOFSDirectory(index);
    }
  },

  /** Reads beside the page cache, of every file and in small buffers, as queries need it. */
  DIRECT_IO("DirectIODirectory") {
    @Override
    public Directory open(Path index) throws IOException {
      int block = Math.toIntExact(Files.getFileStore(index).getBlockSize());
      return new DirectIODirectory(new NIOFSDirectory(index), Math.max(block, BUFFER_BYTES), 0) {
        @Override
        protected boolean useDirectIO(String name, IOContext context, OptionalLong length) {
          return true;
        }
      };
    }
  };

  /** The least of a drive's pages that are worth a read; a buffer is the unit of reading. */
  private static final int BUFFER_BYTES = 1 << 13;

  private final String className;

  StockDirectory(String className) {
    this.className = className;
  }

  /** Returns the name of Lucene's class. */
  public String className() {
    return className;
  }

  /** Opens an index for reading. */
  public abstract Directory open(Path index) throws IOException;

  /** Returns why an index cannot be read so; null if it can. */
  public String fault(Path index) {
    try (Directory directory = open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      reader.leaves();
      return null;
    } catch (IOException | UnsupportedOperationException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }
}
