/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.wire.OffloadWire;

/** The docs of any of several lists, without scores. On the wire it is a BOOL of TERMs. */
public final class UnionLeaf extends PagedLeaf {
  private final TermUnion union;
  private final TermLists lists;

  // Numbers in the plan's tables, from PlanLayout.
  int listIndex; // of the first list
  int firstExtent; // those that all lists share
  int extentCount;

  /**
   * A node.
   *
   * @param union what was asked for
   * @param lists at least one
   */
  UnionLeaf(TermUnion union, TermLists lists, SegmentImage image) {
    super(
        lists.size() == 1 ? OffloadWire.Op.TERM : OffloadWire.Op.BOOL, 0f, lists.postings(), image);
    this.union = union;
    this.lists = lists;
  }

  /** Returns what was asked for. */
  public String name() {
    return union.toString();
  }

  /** Returns the lists. */
  public TermLists lists() {
    return lists;
  }

  @Override
  int firstPage() {
    return lists.firstPage();
  }

  /** Returns the pages from the first of any list to the last of any list. */
  @Override
  int pageCount() {
    return lists.endPage() - lists.firstPage();
  }
}
