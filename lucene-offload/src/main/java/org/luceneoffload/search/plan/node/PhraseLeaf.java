/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.Term;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanWriter;

/** The docs of a phrase. */
public final class PhraseLeaf extends LeafNode {
  private final QueryNode.PhraseNode node;
  private final int[] kept; // of the phrase's terms
  private final OffloadTermState[] lists; // of these
  private final SegmentImage image;

  // Numbers in the plan's tables, from PlanLayout.
  private int listIndex; // of the first list; the positions of each follow it
  private int tableIndex;
  private final PlanWriter.Extents[] extents; // of each list, and of its positions

  /**
   * Makes a node.
   *
   * @param kept which of the phrase's terms the segment has, at least one for each place; kept
   * @param lists where their lists are in the image; kept
   */
  public PhraseLeaf(
      QueryNode.PhraseNode node, int[] kept, OffloadTermState[] lists, SegmentImage image) {
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
    this.extents = new PlanWriter.Extents[2 * lists.length];
  }

  /** Returns PHRASE if there is one term for each place, none of which may move. */
  private static int opOf(PhraseTerms phrase, int terms) {
    if (phrase.near() != 0) {
      return phrase.near();
    }
    int places = phrase.slots()[phrase.slots().length - 1] + 1;
    return phrase.slop() == 0 && terms == places
        ? OffloadWire.Op.PHRASE
        : OffloadWire.Op.MULTI_PHRASE;
  }

  /** Returns how many postings the place has that has the fewest. */
  private static long fewest(int[] slots, int[] kept, OffloadTermState[] lists) {
    long[] sums = new long[slots[slots.length - 1] + 1];
    for (int i = 0; i < lists.length; i++) {
      sums[slots[kept[i]]] += lists[i].docFreq;
    }
    return Arrays.stream(sums).min().getAsLong();
  }

  /** Returns which place of the phrase a term stands at, from 0 on, ascending. */
  private int slot(int i) {
    return node.phrase().slots()[kept[i]];
  }

  private boolean sharesSlot(int i) {
    return (i > 0 && slot(i - 1) == slot(i)) || (i + 1 < lists.length && slot(i + 1) == slot(i));
  }

  /** Returns what the plan says of a term's positions: {@link OffloadWire.PositionUse}. */
  private int uses(int i) {
    boolean equal = !lists[i].hasOnePosition() && lists[i].hasEqualPositions();
    return (equal ? OffloadWire.PositionUse.EQUAL : 0)
        | (i > 0 && slot(i) == slot(i - 1) ? OffloadWire.PositionUse.ALTERNATIVE : 0)
        | (node.phrase().repeats()[kept[i]] ? OffloadWire.PositionUse.REPEAT : 0);
  }

  /** Returns how many pages hold a term's list, and its positions. */
  private int pages(int i) {
    return (lists[i].isInline() ? 0 : lists[i].pageCount()) + lists[i].positionPageCount();
  }

  /** Returns the page number, in the image, of the first page with positions of a term. */
  private int firstPositionPage(int i) {
    return image.positionStart() + lists[i].positionPage();
  }

  @Override
  void number(PlanLayout layout) throws RefusedException {
    listIndex = layout.addLists(extents.length);
    if (node.table() != null) {
      tableIndex = layout.table(node.table());
    }
    for (int i = 0; i < lists.length; i++) {
      OffloadTermState list = lists[i];
      if (!list.isInline()) {
        layout.addPages(list.pageCount());
        extents[2 * i] = layout.extents(image, list.firstPage(), list.pageCount());
      }
      if (!list.hasOnePosition()) {
        int count = list.positionPageCount();
        layout.addPages(count);
        extents[2 * i + 1] = layout.extents(image, firstPositionPage(i), count);
      }
    }
  }

  @Override
  void write(PlanSink sink) {
    sink.node(
        fields()
            .list(listIndex)
            .table(tableIndex)
            .count(lists.length)
            .minShould(node.phrase().slop()));
    int at = sink.listOffset(listIndex);
    for (int i = 0; i < lists.length; i++) {
      at = sink.list(at, lists[i], image, extents[2 * i]);
      at = writePositions(sink, at, i);
    }
  }

  private int writePositions(PlanSink sink, int at, int i) {
    OffloadTermState list = lists[i];
    int place = node.phrase().places()[kept[i]];
    if (list.hasOnePosition()) {
      return PlanWriter.writeOnePosition(sink.buffer(), at, place, list.onePosition(), uses(i));
    }
    PlanWriter.Pages pages =
        new PlanWriter.Pages(
            firstPositionPage(i), list.positionPageCount(), image.stamp(), extents[2 * i + 1]);
    PlanWriter.ListPlace positions =
        new PlanWriter.ListPlace(pages, list.positionSlot(), list.docFreq);
    return PlanWriter.writePositions(sink.buffer(), at, positions, place, uses(i));
  }

  @Override
  void addPages(PageRuns runs) {
    for (OffloadTermState list : lists) {
      if (!list.isInline()) {
        runs.add(image, list.firstPage(), list.pageCount());
      }
    }
  }

  /** Returns what is known of the conjunction of its places, with the pages of their positions. */
  @Override
  public ProgramNode estimate(int maxDoc) {
    List<ProgramNode> places = new ArrayList<>(lists.length);
    for (int from = 0; from < lists.length; ) {
      int to = from + 1;
      while (to < lists.length && slot(to) == slot(from)) {
        to++;
      }
      if (to == from + 1) {
        places.add(estimate(from, OffloadWire.Occur.MUST));
      } else {
        List<ProgramNode> terms = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
          terms.add(estimate(i, OffloadWire.Occur.SHOULD));
        }
        places.add(ProgramNode.bool(OffloadWire.Occur.MUST, 0, terms));
      }
      from = to;
    }
    return ProgramNode.bool(occur(), 0, places);
  }

  private ProgramNode estimate(int i, int occur) {
    return ProgramNode.term(occur, lists[i].docFreq, pages(i));
  }

  private List<PlanExplanation.PageRun> runs(int i) {
    OffloadTermState list = lists[i];
    List<PlanExplanation.PageRun> runs = new ArrayList<>();
    if (!list.isInline()) {
      runs.addAll(PageRuns.of(image, list.firstPage(), list.pageCount()));
    }
    if (!list.hasOnePosition()) {
      runs.addAll(PageRuns.of(image, firstPositionPage(i), list.positionPageCount()));
    }
    return runs;
  }

  /** Returns the terms as children; those that share a place as optional ones. */
  @Override
  public PlanExplanation.Node explain() {
    List<PlanExplanation.Node> terms = new ArrayList<>(lists.length);
    for (int i = 0; i < lists.length; i++) {
      Term term = node.phrase().terms().get(kept[i]);
      int occur = sharesSlot(i) ? OffloadWire.Occur.SHOULD : OffloadWire.Occur.MUST;
      terms.add(
          new PlanExplanation.Node(
              WireNames.op(OffloadWire.Op.TERM),
              WireNames.occur(occur),
              0,
              0f,
              TermLeaf.explained(term, lists[i], pages(i), runs(i)),
              null,
              List.of()));
    }
    return explain(null, null, terms);
  }
}
