/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import org.luceneoffload.wire.OffloadWire;

/**
 * A table of rows of 128 bytes in pages of 16 KB, in the order of its key; the paper gives no
 * layout of rows. Its columns are on a device of the engine, which has an index entry a page.
 */
final class PagedTable {
  static final int PAGE_BYTES = 16_384;
  static final int ROW_BYTES = 128;
  static final int ROWS = PAGE_BYTES / ROW_BYTES;
  static final int PAGE_LBAS = PAGE_BYTES / OffloadWire.LBA_BYTES;

  /** Bytes of a key with its row, in a tree over the rows. */
  static final int TREE_ENTRY_BYTES = 16;

  /** Entries of a leaf: as many as fill 69 % of a node of a page. */
  static final int LEAF_ROWS = 704;

  /** Nodes from the root to a leaf. All but the leaves are in memory. */
  static final int LEVELS = 3;

  private static final int BITMAP_BITS = 64;

  /** A table's rows, in the order of the key. */
  record Rows(long[] keys, long[] joins, long[] seconds) {
    /** Returns rows of a key alone. */
    static Rows of(long[] keys) {
      return new Rows(keys, keys, keys);
    }
  }

  private final IndexedStore store;
  private final Rows rows;
  private final IndexedStore.Column keys;
  private final IndexedStore.Column seconds;
  private final long firstPage;

  /** The least key of each page, which UPDATE_HOST_INDEX tells the host as the page is written. */
  private final long[] least;

  /**
   * Writes a table.
   *
   * @param firstPage where its pages are on the modelled device
   */
  PagedTable(IndexedStore store, Rows rows, long firstPage) throws IOException {
    this.store = store;
    this.rows = rows;
    this.firstPage = firstPage;
    keys = store.write(rows.keys(), ROWS);
    seconds = rows.seconds() == rows.keys() ? keys : store.write(rows.seconds(), ROWS);
    least = new long[pages()];
    for (int page = 0; page < least.length; page++) {
      least[page] = rows.keys()[page * ROWS];
    }
  }

  int pages() {
    return keys.pages();
  }

  /** Returns the column of its keys. */
  IndexedStore.Column keyColumn() {
    return keys;
  }

  int leaves() {
    return (rows.keys().length + LEAF_ROWS - 1) / LEAF_ROWS;
  }

  long key(int row) {
    return rows.keys()[row];
  }

  int rowCount() {
    return rows.keys().length;
  }

  /** Returns the rows of a page. */
  int rowsOf(int page) {
    return Math.min(ROWS, rowCount() - page * ROWS);
  }

  /** Returns where a page is on the modelled device. */
  long lba(int page) {
    return (firstPage + page) * PAGE_LBAS;
  }

  /** Returns where a leaf of its tree is: behind its pages. */
  long leafLba(int leaf) {
    return (firstPage + pages() + leaf) * PAGE_LBAS;
  }

  /** Returns the page of the modelled device behind the table and its tree. */
  long end() {
    return firstPage + pages() + leaves();
  }

  /** Returns the first row with a key no less. */
  int firstRow(long key) {
    int low = 0;
    int high = rowCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.keys()[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the row behind the last with a key no greater. */
  int endRow(long key) {
    return key == Long.MAX_VALUE ? rowCount() : firstRow(key + 1);
  }

  /** Returns the pages with a row of the range, which a tree over the rows knows. */
  BitSet exact(Range range) {
    BitSet pages = new BitSet();
    int first = firstRow(range.low());
    int end = endRow(range.high());
    if (first < end) {
      pages.set(first / ROWS, (end - 1) / ROWS + 1);
    }
    return pages;
  }

  /** Returns the pages with a row of the range whose second key is in another one. */
  BitSet exact(Range range, Range second) {
    BitSet pages = new BitSet();
    int end = endRow(range.high());
    for (int row = firstRow(range.low()); row < end; row++) {
      if (second.holds(rows.seconds()[row])) {
        pages.set(row / ROWS);
      }
    }
    return pages;
  }

  /** Returns the leaves of a tree over the rows with entries of the range: at least one. */
  BitSet leaves(Range range) {
    BitSet leaves = new BitSet();
    int first = Math.min(firstRow(range.low()), rowCount() - 1);
    int last = Math.max(first, endRow(range.high()) - 1);
    leaves.set(first / LEAF_ROWS, last / LEAF_ROWS + 1);
    return leaves;
  }

  /** Returns the leaves that a tree over the second key has of a range of it. */
  int secondLeaves(Range second) {
    int matches = 0;
    for (long value : rows.seconds()) {
      matches += second.holds(value) ? 1 : 0;
    }
    return matches / LEAF_ROWS + 1;
  }

  /**
   * Returns the pages for which a host that knows the least key of each page has to ask: those that
   * begin no later than the range ends, and whose next page begins no earlier than it begins.
   */
  BitSet candidates(Range range) {
    BitSet pages = new BitSet();
    for (int page = 0; page < least.length && least[page] <= range.high(); page++) {
      if (page + 1 == least.length || least[page + 1] >= range.low()) {
        pages.set(page);
      }
    }
    return pages;
  }

  /** Returns which pages from one on to another may match a range, by the device's index. */
  BitSet indexed(int from, int to, Range range) throws IOException {
    return store.mayMatch(keys, from, to, range);
  }

  /** Returns which pages may match a range of the second key, by the device's index. */
  BitSet indexedBySecond(Range second) throws IOException {
    return store.mayMatch(seconds, 0, pages(), second);
  }

  /** Returns the distinct values that the rows of ranges have in the column of a join. */
  TreeSet<Long> joins(Iterable<Range> ranges) {
    TreeSet<Long> values = new TreeSet<>();
    for (Range range : ranges) {
      int end = endRow(range.high());
      for (int row = firstRow(range.low()); row < end; row++) {
        values.add(rows.joins()[row]);
      }
    }
    return values;
  }

  /**
   * Returns the pages that READ_IDX_JOIN2 reads: those whose index entry shares a part of the keys
   * with the per-table bitmap of a join's values. The bitmap has 64 bits, as the paper's, each of
   * an equal part of the range of the keys. Runs of bits are asked for as ranges.
   */
  BitSet joined(Set<Long> values) throws IOException {
    BitSet parts = new BitSet();
    long first = key(0);
    long width = (key(rowCount() - 1) - first) / BITMAP_BITS + 1;
    for (long value : values) {
      if (value >= first && value < first + BITMAP_BITS * width) {
        parts.set((int) ((value - first) / width));
      }
    }
    BitSet pages = new BitSet();
    for (int from = parts.nextSetBit(0); from >= 0; from = parts.nextSetBit(from)) {
      int to = parts.nextClearBit(from);
      pages.or(indexed(0, pages(), new Range(first + from * width, first + to * width - 1)));
      from = to;
    }
    return pages;
  }

  /** Lets the device write a page again, and index it. */
  void rewrite(int page) throws IOException {
    store.rewrite(keys, page, rows.keys(), ROWS);
  }
}
