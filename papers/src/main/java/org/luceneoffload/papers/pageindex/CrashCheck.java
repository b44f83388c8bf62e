/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.util.List;

/** Loses power after each step of each of several writes, and recovers. */
final class CrashCheck {
  private static final int PAGES = 16;

  /** Crashes that are tried. */
  static final int CRASHES = PAGES * RedoIndex.Step.values().length;

  private CrashCheck() {}

  /**
   * Returns whether after every crash the entries of the page under way alone are built again, if
   * its bit was 0, and all entries are then those of what the pages hold.
   */
  static boolean holds() {
    boolean holds = true;
    for (int at = 0; at < PAGES; at++) {
      for (RedoIndex.Step last : RedoIndex.Step.values()) {
        holds &= holds(at, last);
      }
    }
    return holds;
  }

  private static boolean holds(int at, RedoIndex.Step last) {
    RedoIndex index = new RedoIndex(PAGES);
    for (int page = 0; page < PAGES; page++) {
      index.write(page, new int[] {page, page + 10});
    }
    index.write(at, new int[] {100, 200}, last);
    boolean lost = last != RedoIndex.Step.MARKED;
    boolean holds = index.recover().equals(lost ? List.of(at) : List.of());
    for (int page = 0; page < PAGES; page++) {
      boolean changed = page == at && last != RedoIndex.Step.CLEARED;
      holds &= index.least(page) == (changed ? 100 : page);
      holds &= index.greatest(page) == (changed ? 200 : page + 10);
    }
    return holds && index.recover().isEmpty();
  }
}
