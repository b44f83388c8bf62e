/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * How the docs of a union are found in a segment: those of lists that are one doc are known, the
 * others are asked for by plans of as many lists as fit. The longest are in one plan, so that a doc
 * of frequent terms is found once. For one thread at a time.
 */
public final class SetDocs {
  /** Most lists of a union: to find more takes the host longer than to answer. */
  public static final int MAX_LISTS = 1 << 20;

  private final TermUnion union;
  private final OffloadTerms terms;
  private final IndexReader.CacheHelper core;
  private final boolean whole;
  private TermLists.Split lists;

  /**
   * Makes a finder of the docs of a union.
   *
   * @param lists those of the union; null if they are to be looked for when they are needed
   * @param whole whether the docs of the longest lists are wanted, too
   */
  public SetDocs(
      TermUnion union,
      OffloadTerms terms,
      TermLists.Split lists,
      boolean whole,
      IndexReader.CacheHelper core) {
    this.union = union;
    this.terms = terms;
    this.lists = lists;
    this.whole = whole;
    this.core = core;
  }

  /** Returns the segment's core. */
  IndexReader.CacheHelper core() {
    return core;
  }

  /**
   * Returns the lists that plans have to find the docs of, as many as fit a plan at a time; adds
   * the docs that need no plan.
   *
   * @param docs of the whole segment
   */
  List<UnionLeaf> lists(FixedBitSet docs) throws IOException {
    if (lists == null) {
      TermLists all = union.in(terms, MAX_LISTS);
      if (all == null || all == TermUnion.TOO_MANY) {
        throw new OffloadException(
            OffloadWire.Status.BUSY, "the lists of " + union + " are not known any more");
      }
      lists = all.split(UnionLeaf.MAX_LISTS);
    }
    List<UnionLeaf> plans = new ArrayList<>();
    TermLists others = lists.others();
    TermLists.Builder piece = new TermLists.Builder();
    for (int i = 0; i < others.size(); i++) {
      if (others.isInline(i)) {
        docs.set(others.inlineDoc(i));
        continue;
      }
      piece.add(others, i);
      if (piece.size() == UnionLeaf.MAX_LISTS) {
        plans.add(plan(piece.build()));
        piece.clear();
      }
    }
    if (piece.size() > 0) {
      plans.add(plan(piece.build()));
    }
    if (whole && lists.longest().size() > 0) {
      plans.add(plan(lists.longest()));
    }
    return plans;
  }

  private UnionLeaf plan(TermLists piece) {
    return new UnionLeaf(union, piece, terms.image());
  }
}
