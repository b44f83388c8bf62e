/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.Arrays;
import org.apache.lucene.index.Term;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;

/** The docs of a phrase. */
public final class PhraseLeaf extends LeafNode {
  private final QueryNode.PhraseNode node;
  private final int[] kept; // of the phrase's terms
  private final OffloadTermState[] lists; // of these
  private final SegmentImage image;

  // Numbers in the plan's tables, from PlanLayout.
  int listIndex; // of the first list; the positions of each follow it
  int tableIndex;
  final int[] firstExtents; // of each list, and of its positions
  final int[] extentCounts;

  /**
   * A node.
   *
   * @param kept which of the phrase's terms the segment has, at least one for each place; kept
   * @param lists where their lists are in the image; kept
   */
  PhraseLeaf(QueryNode.PhraseNode node, int[] kept, OffloadTermState[] lists, SegmentImage image) {
    super(
        opOf(node.phrase(), kept.length),
        node.weight(),
        NO_CHILDREN,
        fewest(node.phrase().slots(), kept, lists),
        node.weight());
    this.node = node;
    this.kept = kept;
    this.lists = lists;
    this.image = image;
    this.firstExtents = new int[2 * lists.length];
    this.extentCounts = new int[2 * lists.length];
  }

  /** PHRASE if there is one term for each place, none of which may move. */
  private static int opOf(PhraseTerms phrase, int terms) {
    if (phrase.near() != 0) {
      return phrase.near();
    }
    int places = phrase.slots()[phrase.slots().length - 1] + 1;
    return phrase.slop() == 0 && terms == places
        ? OffloadWire.Op.PHRASE
        : OffloadWire.Op.MULTI_PHRASE;
  }

  /** Postings of the place that has the fewest. */
  private static long fewest(int[] slots, int[] kept, OffloadTermState[] lists) {
    long[] sums = new long[slots[slots.length - 1] + 1];
    for (int i = 0; i < lists.length; i++) {
      sums[slots[kept[i]]] += lists[i].docFreq;
    }
    return Arrays.stream(sums).min().getAsLong();
  }

  /** Returns how many terms the phrase has in this segment. */
  public int termCount() {
    return lists.length;
  }

  /** Returns field and term of a term. */
  public Term term(int i) {
    return node.phrase().terms().get(kept[i]);
  }

  /** Returns which place of the phrase a term stands at, from 0 on, ascending. */
  public int slot(int i) {
    return node.phrase().slots()[kept[i]];
  }

  /** Returns by how much terms may move, or the most gaps between them. */
  int slop() {
    return node.phrase().slop();
  }

  /** Returns what the plan says of a term's positions: {@link OffloadWire.PositionUse}. */
  int uses(int i) {
    boolean equal = !lists[i].hasOnePosition() && lists[i].hasEqualPositions();
    return (equal ? OffloadWire.PositionUse.EQUAL : 0)
        | (i > 0 && slot(i) == slot(i - 1) ? OffloadWire.PositionUse.ALTERNATIVE : 0)
        | (node.phrase().repeats()[kept[i]] ? OffloadWire.PositionUse.REPEAT : 0);
  }

  /** Returns where the list of a term is in the image, and its positions. */
  public OffloadTermState list(int i) {
    return lists[i];
  }

  /** Returns the pages that hold blocks of a term's list; 0 if it is in the plan itself. */
  public int listPages(int i) {
    return lists[i].isInline() ? 0 : lists[i].pageCount();
  }

  /** Returns the place of a term in the phrase. */
  int place(int i) {
    return node.phrase().places()[kept[i]];
  }

  /** Returns the page number, in the image, of the first page with positions of a term. */
  int firstPositionPage(int i) {
    return image.positionStart() + lists[i].positionPage();
  }

  SegmentImage image() {
    return image;
  }

  /** Returns the norm table; null if the score is not needed. */
  NormTable table() {
    return node.table();
  }
}
