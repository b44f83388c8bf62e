/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/**
 * Finds rows by one kind of index, as commands of a host; which pages may match is what the engine
 * answers to READ_IDX. Ranges are looked up one after the other, the pages of one together. One
 * query at a time.
 */
final class LookUps {
  /** Index pages of the engine that are read from flash lie here on the modelled device. */
  private static final long INDEX_LBA = 1L << 22;

  private final Kind kind;
  private final IndexedStore store;
  private final Commands commands = new Commands();
  private long dataReads;
  private long nodeReads;
  private long updateBytes;
  private int indexPages;

  /**
   * Begins a query.
   *
   * @param store what the cached kinds ask how many index pages were read
   */
  LookUps(Kind kind, IndexedStore store) {
    this.kind = kind;
    this.store = store;
  }

  Commands commands() {
    return commands;
  }

  /** Returns the bytes of data pages that came to the host. */
  long dataBytes() {
    return dataReads * PagedTable.PAGE_BYTES;
  }

  /** Returns the bytes of nodes of the tree that came to the host. */
  long nodeBytes() {
    return nodeReads * PagedTable.PAGE_BYTES;
  }

  /** Returns the bytes that UPDATE_HOST_INDEX brought. */
  long updateBytes() {
    return updateBytes;
  }

  /** Counts the answer of an UPDATE_HOST_INDEX. */
  void updated(int bytes) {
    updateBytes += bytes;
  }

  /** Reads the rows of ranges. */
  void ranges(PagedTable table, List<Range> ranges) throws IOException {
    find(table, ranges, null, false);
  }

  /** Reads the rows of a range whose second key is in another one. */
  void twoKeys(PagedTable table, Range range, Range second) throws IOException {
    find(table, List.of(range), second, false);
  }

  /**
   * Joins the rows of ranges with another table: its rows whose key is a value that these rows have
   * in their column of the join.
   *
   * @param second range of the second key of the first table; null: any
   */
  void join(PagedTable first, List<Range> ranges, Range second, PagedTable other)
      throws IOException {
    find(first, ranges, second, true);
    TreeSet<Long> values = first.joins(ranges);
    switch (kind) {
      case NONE -> readAll(other);
      case TREE, IDEAL_TREE, DEVICE_TREE, ORACLE -> joinByTree(other, values);
      case S, S_CACHED, HS, HS_CACHED -> stream(other, other.joined(values), false);
    }
    commands.barrier();
  }

  private void find(PagedTable table, List<Range> ranges, Range second, boolean join)
      throws IOException {
    if (kind == Kind.NONE) {
      readAll(table);
    } else if (kind.isS()) {
      BitSet pages = new BitSet();
      for (Range range : ranges) {
        pages.or(table.indexed(0, table.pages(), range));
      }
      stream(table, bySecond(table, pages, second), join);
    } else {
      for (Range range : ranges) {
        findOne(table, range, second, join);
      }
    }
    commands.barrier();
  }

  private static BitSet bySecond(PagedTable table, BitSet pages, Range second) throws IOException {
    if (second != null) {
      pages.and(table.indexedBySecond(second));
    }
    return pages;
  }

  private void findOne(PagedTable table, Range range, Range second, boolean join)
      throws IOException {
    if (kind.isHs()) {
      readCandidates(table, range, second, join);
      commands.barrier();
      return;
    }
    BitSet pages = table.exact(range);
    if (kind != Kind.ORACLE) {
      walk(table, table.leaves(range));
      useSecond(table, range, second, pages);
    }
    int matches = table.endRow(range.high()) - table.firstRow(range.low());
    readRows(table, pages, Math.ceilDiv(matches, Math.max(1, pages.cardinality())));
  }

  /** Walks a tree to leaves: the nodes above them, which are in memory, name them all. */
  private void walk(PagedTable table, BitSet leaves) {
    commands.barrier();
    if (kind == Kind.DEVICE_TREE) {
      commands.ask(0).device(ModelWork.TREE_NODE, PagedTable.LEVELS - 1);
      leaves.stream().forEach(leaf -> commands.ahead(table.leafLba(leaf), PagedTable.PAGE_BYTES));
    } else {
      commands.host(ModelWork.TREE_NODE, PagedTable.LEVELS - 1);
    }
    for (int leaf = leaves.nextSetBit(0); leaf >= 0; leaf = leaves.nextSetBit(leaf + 1)) {
      leaf(table, leaf);
    }
  }

  /** Searches a tree over the second key, too, if that saves more pages than it has leaves. */
  private void useSecond(PagedTable table, Range range, Range second, BitSet pages) {
    if (second == null) {
      return;
    }
    BitSet both = table.exact(range, second);
    int leaves = table.secondLeaves(second);
    if (pages.cardinality() - both.cardinality() > leaves) {
      for (int leaf = 0; leaf < leaves; leaf++) {
        leaf(table, leaf); // of a tree of the same size, elsewhere
      }
      pages.and(both);
    }
  }

  /** Reads a leaf unless the whole tree is in memory, and searches it. */
  void leaf(PagedTable table, int leaf) {
    if (kind == Kind.DEVICE_TREE) {
      commands.inside(table.leafLba(leaf), PagedTable.PAGE_BYTES).device(ModelWork.TREE_NODE, 1);
      return;
    }
    if (kind != Kind.IDEAL_TREE) {
      commands.read(table.leafLba(leaf));
      nodeReads++;
    }
    commands.host(ModelWork.TREE_NODE, 1);
  }

  private void readRows(PagedTable table, BitSet pages, int rows) {
    commands.barrier();
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      read(table, page, rows);
    }
    commands.barrier();
  }

  private void read(PagedTable table, int page, int rows) {
    commands.read(table.lba(page)).host(ModelWork.TUPLE_READ, rows);
    dataReads++;
  }

  private void readAll(PagedTable table) {
    for (int page = 0; page < table.pages(); page++) {
      read(table, page, table.rowsOf(page));
    }
  }

  private void joinByTree(PagedTable other, TreeSet<Long> values) {
    BitSet leaves = new BitSet();
    BitSet pages = new BitSet();
    for (long value : values) {
      Range range = new Range(value, value);
      leaves.or(other.leaves(range));
      pages.or(other.exact(range));
    }
    if (kind != Kind.ORACLE) {
      walk(other, leaves);
      int work = values.size() * PagedTable.LEVELS;
      if (kind == Kind.DEVICE_TREE) {
        commands.device(ModelWork.TREE_NODE, work);
      } else {
        commands.host(ModelWork.TREE_NODE, work);
      }
    }
    readRows(other, pages, Math.ceilDiv(values.size(), Math.max(1, pages.cardinality())));
  }

  /** Has the device check an entry for a command, and read its page if that matches. */
  private void check(PagedTable table, int page, boolean matches, boolean join) {
    commands.device(ModelWork.INDEX_CHECK, 1);
    if (!matches) {
      commands.ask(0);
      return;
    }
    if (join) {
      commands.device(ModelWork.TUPLE_READ, table.rowsOf(page)); // into the per-table bitmap
    }
    read(table, page, table.rowsOf(page));
  }

  /** Asks for all pages of a table in order, one command a page. */
  private void stream(PagedTable table, BitSet matches, boolean join) throws IOException {
    for (int page = 0; page < table.pages(); page++) {
      if (kind.isCached() && page % OffloadWire.MAX_READ_IDX_LBAS == 0) {
        loadIndex(table, page, Math.min(table.pages(), page + OffloadWire.MAX_READ_IDX_LBAS));
      }
      check(table, page, matches.get(page), join);
    }
  }

  /** Reads the index pages that the engine has to read for pages of a table. */
  private void loadIndex(PagedTable table, int from, int to) throws IOException {
    long before = store.indexLoads();
    table.indexed(from, to, new Range(Long.MIN_VALUE, Long.MIN_VALUE));
    for (long i = store.indexLoads() - before; i > 0; i--) {
      commands.inside(INDEX_LBA + indexPages++, OffloadWire.LBA_BYTES);
    }
  }

  private void readCandidates(PagedTable table, Range range, Range second, boolean join)
      throws IOException {
    BitSet candidates = table.candidates(range);
    BitSet bySecond = second == null ? candidates : table.indexedBySecond(second);
    commands.host(ModelWork.TREE_NODE, 1);
    for (int page = candidates.nextSetBit(0); page >= 0; page = candidates.nextSetBit(page + 1)) {
      if (kind.isCached()) {
        loadIndex(table, page, page + 1);
      }
      boolean matches = bySecond.get(page) && table.indexed(page, page + 1, range).get(page);
      check(table, page, matches, join);
    }
  }
}
