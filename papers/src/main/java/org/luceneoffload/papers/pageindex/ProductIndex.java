/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The page index of the engine itself, for the tables of the experiments.
 *
 * @param share of its bytes on the store in those of the pages that it describes, of 4 KB
 * @param columnPages that it describes
 * @param looks pages that the look-ups of the kernel of scans asked for
 * @param loads index pages that were read for them, with an empty cache of two index pages
 * @param rebuilt entries that were built again when the power failed after pages were written
 * @param rebuiltAfterFlush likewise, but after a flush
 */
record ProductIndex(
    double share, long columnPages, long looks, long loads, long rebuilt, long rebuiltAfterFlush) {
  /** Pages that are written before the power fails. */
  static final int REWRITTEN = 100;

  private static final int ENTRIES = 3;

  /** Asks the index of a lab's store. */
  static ProductIndex of(IndexLab lab) throws IOException {
    IndexedStore store = lab.store();
    PagedTable table = lab.tables().lineitem;
    double share = store.indexShare();
    long afterFlush = store.rebuiltAfterCrash();
    for (int i = 0; i < REWRITTEN; i++) {
      table.rewrite(i * (table.pages() / REWRITTEN));
    }
    long rebuilt = store.rebuiltAfterCrash();
    store.cool();
    long before = store.indexLoads();
    long looks = 0;
    for (int row = 0; row < table.rowCount(); row += PagedTable.ROWS) {
      int page = row / PagedTable.ROWS;
      table.indexed(page, page + 1, new Range(table.key(row), table.key(row)));
      looks++;
    }
    return new ProductIndex(
        share, store.pages(), looks, store.indexLoads() - before, rebuilt, afterFlush);
  }

  /** Returns the bytes of an entry, in percent of a page of a table, which is of 16 KB. */
  double pagePercent() {
    return 100 * share * OffloadWire.PAGE_BYTES / PagedTable.PAGE_BYTES;
  }

  /**
   * Returns the bytes of three entries, in percent of those that the rows of a page have in a tree.
   */
  double treePercent() {
    return ENTRIES
        * pagePercent()
        * PagedTable.PAGE_BYTES
        / (PagedTable.ROWS * PagedTable.TREE_ENTRY_BYTES);
  }

  /** Returns the look-ups that found their index page in the cache, in percent. */
  double hitPercent() {
    return 100.0 * (looks - loads) / looks;
  }
}
