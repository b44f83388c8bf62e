/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.position;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.PositionPageEncoder;

/**
 * Pages that wait until those before them in the file are written: the first ones in memory, the
 * others in a temporary file.
 */
final class PageSpool implements Closeable {
  /** Pages in memory, at most. */
  static final int MAX_HELD = 1024;

  private static final String SUFFIX = "positions";

  private final Directory directory;
  private final IOContext context;
  private final String prefix;
  private final List<byte[]> held = new ArrayList<>();
  private IndexOutput spilled; // null: all pages are in memory
  private int pages;

  /**
   * A spool without pages.
   *
   * @param directory where a temporary file may be made
   * @param prefix how its name begins
   */
  PageSpool(Directory directory, IOContext context, String prefix) {
    this.directory = directory;
    this.context = context;
    this.prefix = prefix;
  }

  /** Takes a page, by copy. */
  void add(byte[] page) throws IOException {
    if (pages < MAX_HELD) {
      held.add(page.clone());
    } else {
      if (spilled == null) {
        spilled = directory.createTempOutput(prefix, SUFFIX, context);
      }
      spilled.writeBytes(page, page.length);
    }
    pages++;
  }

  /** Returns the number of pages taken. */
  int pages() {
    return pages;
  }

  /**
   * Writes all pages, sealed, to a file.
   *
   * @param firstPage number in that file of the first of them
   */
  void writeTo(IndexOutput out, int firstPage) throws IOException {
    int number = firstPage;
    for (byte[] page : held) {
      write(page, number++, out);
    }
    if (spilled == null) {
      return;
    }
    spilled.close();
    byte[] page = new byte[OffloadWire.PAGE_BYTES];
    try (IndexInput in = directory.openInput(spilled.getName(), IOContext.READONCE)) {
      for (int left = pages - held.size(); left > 0; left--) {
        in.readBytes(page, 0, page.length);
        write(page, number++, out);
      }
    }
  }

  private static void write(byte[] page, int number, IndexOutput out) throws IOException {
    PositionPageEncoder.seal(page, number);
    out.writeBytes(page, page.length);
  }

  /** Deletes the temporary file, if there is one. */
  @Override
  public void close() throws IOException {
    if (spilled == null) {
      return;
    }
    IndexOutput done = spilled;
    spilled = null;
    IOUtils.closeWhileHandlingException(done);
    directory.deleteFile(done.getName());
  }
}
