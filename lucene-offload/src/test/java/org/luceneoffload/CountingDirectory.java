/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Counts the bytes that are read, by the extension of the file. */
public final class CountingDirectory extends FilterDirectory {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts what is read from {@code in}. */
  public CountingDirectory(Directory in) {
    super(in);
  }

  /** Returns the bytes read from files with an extension; from all files if it is empty. */
  public long bytesRead(String extension) {
    return counts.entrySet().stream()
        .filter(entry -> extension.isEmpty() || entry.getKey().equals(extension))
        .mapToLong(entry -> entry.getValue().sum())
        .sum();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    String extension = String.valueOf(IndexFileNames.getExtension(name));
    LongAdder count = counts.computeIfAbsent(extension, unused -> new LongAdder());
    return new CountingInput(in.openInput(name, context), count);
  }

  private static final class CountingInput extends IndexInput {
    private final IndexInput in;
    private final LongAdder count;

    CountingInput(IndexInput in, LongAdder count) {
      super(in.toString());
      this.in = in;
      this.count = count;
    }

    @Override
    public byte readByte() throws IOException {
      count.increment();
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      count.add(length);
      in.readBytes(bytes, offset, length);
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return new CountingInput(in.slice(description, offset, length), count);
    }

    @Override
    public IndexInput clone() {
      return new CountingInput(in.clone(), count);
    }

    @Override
    public long getFilePointer() {
      return in.getFilePointer();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long length() {
      return in.length();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
