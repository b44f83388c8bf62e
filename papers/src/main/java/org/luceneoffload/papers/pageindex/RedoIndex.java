/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The index entries of pages, each the least and greatest key, with a redo bit (section 4.6): it is
 * cleared when a write arrives, and set when the entry is built. After a loss of power the entries
 * whose bit is 0 are built again from their pages. Not safe for use by several threads at once.
 */
final class RedoIndex {
  /** Bytes of the entry of one key: two 32-bit numbers. */
  static final int ENTRY_BYTES = 2 * Integer.BYTES;

  private final int[][] pages;
  private final int[] least;
  private final int[] greatest;
  private final boolean[] built;

  /** Entries of so many pages, none of which is written. */
  RedoIndex(int pages) {
    this.pages = new int[pages][];
    least = new int[pages];
    greatest = new int[pages];
    built = new boolean[pages];
    Arrays.fill(built, true);
  }

  /** Steps of a write, in order; power may be lost after each. */
  enum Step {
    CLEARED,
    PROGRAMMED,
    BUILT,
    MARKED
  }

  /** Writes a page, as far as a step. */
  void write(int page, int[] keys, Step last) {
    built[page] = false;
    if (last == Step.CLEARED) {
      return;
    }
    pages[page] = keys.clone();
    if (last == Step.PROGRAMMED) {
      return;
    }
    build(page);
    built[page] = last == Step.MARKED;
  }

  /** Writes a page. */
  void write(int page, int[] keys) {
    write(page, keys, Step.MARKED);
  }

  private void build(int page) {
    int[] keys = pages[page] == null ? new int[0] : pages[page];
    least[page] = Arrays.stream(keys).min().orElse(Integer.MAX_VALUE);
    greatest[page] = Arrays.stream(keys).max().orElse(Integer.MIN_VALUE);
  }

  /** Builds the entries whose bit is 0, as at power-on; returns their pages. */
  List<Integer> recover() {
    List<Integer> again = new ArrayList<>();
    for (int page = 0; page < built.length; page++) {
      if (!built[page]) {
        build(page);
        built[page] = true;
        again.add(page);
      }
    }
    return again;
  }

  int least(int page) {
    return least[page];
  }

  int greatest(int page) {
    return greatest[page];
  }

  /** Returns whether a page may hold a key from {@code low} to below {@code high}. */
  boolean mayMatch(int page, int low, int high) {
    return least[page] < high && greatest[page] >= low;
  }
}
