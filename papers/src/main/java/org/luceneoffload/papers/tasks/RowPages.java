/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.papers.classic.RowTask;

/**
 * Lays rows out in pages, as the engine's programs over rows read them: a head with the number of
 * rows and of valid bytes, the place of each row, the rows. No row is cut by the end of a page.
 */
final class RowPages {
  private static final int HEAD_BYTES = 8;
  private static final int SLOT_BYTES = Short.BYTES;

  private final List<ByteBuffer> pages = new ArrayList<>();
  private final List<byte[]> rows = new ArrayList<>();
  private final ByteBuffer row =
      ByteBuffer.allocate(RowTask.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int used = HEAD_BYTES;
  private long count;

  /** Returns the row that is put together, empty; {@link #add} ends it. */
  ByteBuffer row() {
    return row.clear();
  }

  /** Puts a text into the row: its length in a byte, then the text. */
  void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    row.put((byte) bytes.length).put(bytes);
  }

  /** Adds the row that was put together. */
  void add() {
    byte[] bytes = new byte[row.flip().limit()];
    row.get(bytes);
    if (used + SLOT_BYTES + bytes.length > RowTask.PAGE_BYTES) {
      endPage();
    }
    rows.add(bytes);
    used += SLOT_BYTES + bytes.length;
    count++;
  }

  private void endPage() {
    ByteBuffer page = ByteBuffer.allocateDirect(RowTask.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    page.putInt(rows.size()).putInt(used);
    int at = HEAD_BYTES + SLOT_BYTES * rows.size();
    for (byte[] bytes : rows) {
      page.putShort((short) at);
      page.put(at, bytes);
      at += bytes.length;
    }
    pages.add(page.clear());
    rows.clear();
    used = HEAD_BYTES;
  }

  /** Returns how many rows were added. */
  long rows() {
    return count;
  }

  /** Ends the last page, and returns all. */
  List<ByteBuffer> end() {
    if (!rows.isEmpty()) {
      endPage();
    }
    return List.copyOf(pages);
  }
}
