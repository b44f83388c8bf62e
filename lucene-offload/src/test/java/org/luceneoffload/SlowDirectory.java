/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory on a slow drive, whose time is counted and not waited for: a page of 4 KiB comes one
 * delay after it was read or asked for first. For one thread.
 */
public final class SlowDirectory extends FilterDirectory {
  private static final int PAGE_BYTES = 4096;

  private record Page(String file, long number) {}

  private final Map<Page, Integer> arrivals = new HashMap<>();
  private int now;
  private int asks;
  private long nanosOfARead;

  /** A slow view of {@code in}. */
  public SlowDirectory(Directory in) {
    super(in);
  }

  /** Forgets all pages, and everything that was counted. */
  public void forget() {
    arrivals.clear();
    now = 0;
    asks = 0;
  }

  /** Has each read take so long by the clock, too. */
  public void setNanosOfARead(long nanos) {
    nanosOfARead = nanos;
  }

  /** Returns the delays for which reads have waited, one after the other. */
  public int delays() {
    return now;
  }

  /** Returns how often pages were asked for ahead. */
  public int asks() {
    return asks;
  }

  private void ask(String file, long at, long count) {
    for (long page = at / PAGE_BYTES; page <= (at + count - 1) / PAGE_BYTES; page++) {
      arrivals.putIfAbsent(new Page(file, page), now + 1);
    }
  }

  private void read(String file, long at, long count) {
    if (nanosOfARead > 0) {
      LockSupport.parkNanos(nanosOfARead);
    }
    ask(file, at, count);
    for (long page = at / PAGE_BYTES; page <= (at + count - 1) / PAGE_BYTES; page++) {
      now = Math.max(now, arrivals.get(new Page(file, page)));
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new SlowInput(in.openInput(name, context), name, 0);
  }

  private final class SlowInput extends IndexInput {
    private final IndexInput in;
    private final String file;
    private final long start;

    SlowInput(IndexInput in, String file, long start) {
      super(in.toString());
      this.in = in;
      this.file = file;
      this.start = start;
    }

    @Override
    public byte readByte() throws IOException {
      read(file, start + in.getFilePointer(), 1);
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      if (length > 0) {
        read(file, start + in.getFilePointer(), length);
      }
      in.readBytes(bytes, offset, length);
    }

    @Override
    public void prefetch(long offset, long length) {
      asks++;
      ask(file, start + offset, length);
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return new SlowInput(in.slice(description, offset, length), file, start + offset);
    }

    @Override
    public IndexInput clone() {
      return new SlowInput(in.clone(), file, start);
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
