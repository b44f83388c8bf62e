/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lines of a byte stream, undecoded, so that broken UTF-8 can be told by its line. */
public final class LineReader implements LineSource {
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private long lineNumber;

  public LineReader(InputStream in) {
    this.in = in;
  }

  /**
   * Reads the next line without its end ({@code \n} or {@code \r\n}); null at the end of the input.
   */
  @Override
  public byte[] next() throws IOException {
    ByteArrayOutputStream line = null;
    while (true) {
      if (position == limit) {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        if (limit == 0) {
          return line == null ? null : finish(line.toByteArray());
        }
      }
      int start = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      boolean ended = position < limit;
      if (line == null && ended) {
        byte[] whole = Arrays.copyOfRange(buffer, start, position++);
        return finish(whole);
      }
      if (line == null) {
        line = new ByteArrayOutputStream(2 * buffer.length);
      }
      line.write(buffer, start, position - start);
      if (ended) {
        position++;
        return finish(line.toByteArray());
      }
    }
  }

  private byte[] finish(byte[] line) {
    lineNumber++;
    int length = line.length;
    if (length > 0 && line[length - 1] == '\r') {
      return Arrays.copyOf(line, length - 1);
    }
    return line;
  }

  /** Returns the number of the line that {@link #next} returned last, from 1 on. */
  @Override
  public long lineNumber() {
    return lineNumber;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
