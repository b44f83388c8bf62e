/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A table of rows of 128 bytes in pages of 16 KB, whose key grows with the rows but for some
 * disorder, and queries of several ranges of it. The paper gives neither: they are assumed.
 */
final class PageTable {
  static final int PAGES = 2048;
  static final int PAGE_BYTES = 16_384;
  static final int ROWS = PAGE_BYTES / 128;

  /** Entries of 16 bytes, as many as fill 69 % of a node of 16 KB. */
  static final int LEAF_ROWS = 704;

  static final int LEAVES = (PAGES * ROWS + LEAF_ROWS - 1) / LEAF_ROWS;

  /** Leaves below an inner node: few, so that a small table has the levels of a large one. */
  static final int INNER_LEAVES = 8;

  static final int TREE_ENTRY_BYTES = 16;

  /** Nodes from the root, which is in memory, to a leaf. */
  static final int LEVELS = 3;

  private static final int DISORDER = 64;
  private static final int RANGES = 16;
  private static final int RANGE_ROWS = 100;
  private static final long SEED = 4;

  /** Rows of a DocValuesSkipper's interval. */
  static final int INTERVAL_ROWS = 4096;

  private final int[] keys = new int[PAGES * ROWS];
  private final RedoIndex index = new RedoIndex(PAGES);

  /** Of a second key, which is clustered too, but in another order of the pages. */
  private final RedoIndex second = new RedoIndex(PAGES);

  PageTable() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int row = 0; row < keys.length; row++) {
      keys[row] = row + noise(random);
    }
    List<Integer> order = new ArrayList<>();
    for (int page = 0; page < PAGES; page++) {
      order.add(random.nextInt(order.size() + 1), page);
    }
    for (int page = 0; page < PAGES; page++) {
      index.write(page, Arrays.copyOfRange(keys, page * ROWS, (page + 1) * ROWS));
      int first = order.get(page) * ROWS;
      second.write(page, new int[] {first, first + ROWS - 1});
    }
  }

  /** Returns a number that is mostly small. */
  private static int noise(SplittableRandom random) {
    int most = DISORDER / 2;
    return random.nextInt(-most, most + 1) + random.nextInt(-most, most + 1);
  }

  /** Returns whether a page may hold a row whose second key is in the lower half of its values. */
  boolean secondMayMatch(int page) {
    return second.mayMatch(page, 0, PAGES * ROWS / 2);
  }

  /**
   * A range of keys.
   *
   * @param low its first
   * @param high the one behind its last
   */
  record Range(int low, int high) {}

  RedoIndex index() {
    return index;
  }

  /** Returns the ranges of a query. */
  static List<Range> query(int number) {
    SplittableRandom random = new SplittableRandom(SEED + 1 + number);
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < RANGES; i++) {
      int low = random.nextInt(DISORDER, PAGES * ROWS - RANGE_ROWS - DISORDER);
      ranges.add(new Range(low, low + RANGE_ROWS));
    }
    return ranges;
  }

  /** Returns the pages that hold a row of the range, which a tree over the rows knows. */
  TreeSet<Integer> exact(Range range) {
    TreeSet<Integer> pages = new TreeSet<>();
    int from = Math.max(0, range.low() - DISORDER);
    int to = Math.min(keys.length, range.high() + DISORDER);
    for (int row = from; row < to; row++) {
      if (keys[row] >= range.low() && keys[row] < range.high()) {
        pages.add(row / ROWS);
      }
    }
    return pages;
  }

  /** Returns the pages whose index entry may match, which the device finds. */
  TreeSet<Integer> indexed(Range range) {
    TreeSet<Integer> pages = new TreeSet<>();
    for (int page = 0; page < PAGES; page++) {
      if (index.mayMatch(page, range.low(), range.high())) {
        pages.add(page);
      }
    }
    return pages;
  }

  /**
   * Returns the pages for which a host that knows only the least key of each page asks: from the
   * one before the last whose least key is not above the range, to the last whose least key is
   * below its end. Disorder is less than a page, so no other can match.
   */
  TreeSet<Integer> candidates(Range range) {
    TreeSet<Integer> pages = new TreeSet<>();
    int first = 0;
    for (int page = 0; page < PAGES && index.least(page) < range.high(); page++) {
      if (index.least(page) <= range.low()) {
        first = Math.max(0, page - 1);
      }
      pages.add(page);
    }
    return new TreeSet<>(pages.tailSet(first));
  }

  /** Returns the pages of all intervals of {@link #INTERVAL_ROWS} rows that may match. */
  TreeSet<Integer> skipper(Range range) {
    TreeSet<Integer> pages = new TreeSet<>();
    int each = INTERVAL_ROWS / ROWS;
    for (int page : indexed(range)) {
      int first = page / each * each;
      for (int i = first; i < Math.min(PAGES, first + each); i++) {
        pages.add(i);
      }
    }
    return pages;
  }

  /** Returns the leaves of a tree over the rows that hold entries of the range. */
  static TreeSet<Integer> leaves(Range range) {
    TreeSet<Integer> leaves = new TreeSet<>();
    for (int leaf = range.low() / LEAF_ROWS; leaf <= (range.high() - 1) / LEAF_ROWS; leaf++) {
      leaves.add(leaf);
    }
    return leaves;
  }
}
