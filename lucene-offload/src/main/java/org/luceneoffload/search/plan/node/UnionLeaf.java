/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanWriter;

/**
 * The docs of any of several lists, without scores or with one for each list. On the wire it is a
 * BOOL or JOIN of TERMs.
 */
public final class UnionLeaf extends PagedLeaf {
  /** A union that has more lists fits no plan: a plan has some for other terms, too. */
  public static final int MAX_LISTS = OffloadWire.MAX_PLAN_LISTS - 64;

  private final TermUnion union;
  private final TermLists lists;
  private final float[] scores; // of the lists; null: there are none

  // Numbers in the plan's tables, from PlanLayout.
  private int listIndex; // of the first list
  private PlanWriter.Extents extents; // those that all lists share

  /**
   * Makes a node.
   *
   * @param union what was asked for
   * @param lists at least one
   */
  public UnionLeaf(TermUnion union, TermLists lists, SegmentImage image) {
    super(
        lists.size() == 1 ? OffloadWire.Op.TERM : OffloadWire.Op.BOOL, 0f, lists.postings(), image);
    this.union = union;
    this.lists = lists;
    this.scores = null;
  }

  /**
   * Makes a node of lists with scores: a doc of several has that of the first.
   *
   * @param scores of the lists
   * @param most none of them is above it
   */
  public UnionLeaf(
      TermUnion union, TermLists lists, SegmentImage image, float[] scores, float most) {
    super(OffloadWire.Op.JOIN, most, lists.postings(), image);
    this.union = union;
    this.lists = lists;
    this.scores = scores;
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

  /** Returns how many nodes are below it on the wire. */
  private int terms() {
    return op() == OffloadWire.Op.TERM ? 0 : lists.size();
  }

  private float score(int i) {
    return scores == null ? 0f : scores[i];
  }

  @Override
  void number(PlanLayout layout) throws RefusedException {
    if (terms() > 0) {
      layout.addChildren(terms());
    }
    listIndex = layout.addLists(lists.size());
    if (pageCount() > 0) {
      layout.addPages(lists.pages());
      extents = layout.extents(image(), firstPage(), pageCount());
    }
  }

  @Override
  void write(PlanSink sink) {
    if (terms() == 0) {
      sink.node(fields().list(listIndex));
    } else {
      sink.node(fields().children(terms()));
      sink.terms(terms(), listIndex, scores);
    }
    writeLists(sink);
  }

  private void writeLists(PlanSink sink) {
    long stamp = image().stamp();
    int at = sink.listOffset(listIndex);
    for (int i = 0; i < lists.size(); i++) {
      if (lists.isInline(i)) {
        at = PlanWriter.writeInline(sink.buffer(), at, lists.inlineDoc(i), 1, 1);
      } else {
        PlanWriter.Pages pages =
            new PlanWriter.Pages(lists.firstPage(i), lists.pageCount(i), stamp, extents);
        PlanWriter.ListPlace place =
            new PlanWriter.ListPlace(pages, lists.slot(i), lists.postings(i));
        at = PlanWriter.writePaged(sink.buffer(), at, place, 0);
      }
    }
  }

  @Override
  void addPages(PageRuns runs) {
    runs.add(image(), firstPage(), pageCount());
  }

  @Override
  public ProgramNode estimate(int maxDoc) {
    if (terms() == 0) {
      return ProgramNode.term(occur(), lists.postings(0), lists.pageCount(0));
    }
    List<ProgramNode> terms = new ArrayList<>(lists.size());
    for (int i = 0; i < lists.size(); i++) {
      terms.add(ProgramNode.term(OffloadWire.Occur.SHOULD, lists.postings(i), lists.pageCount(i)));
    }
    return ProgramNode.bool(occur(), 0, terms);
  }

  @Override
  public PlanExplanation.Node explain() {
    if (terms() == 0) {
      return explain(explained(0), null, List.of());
    }
    List<PlanExplanation.Node> terms = new ArrayList<>(lists.size());
    for (int i = 0; i < lists.size(); i++) {
      terms.add(
          new PlanExplanation.Node(
              WireNames.op(OffloadWire.Op.TERM),
              WireNames.occur(OffloadWire.Occur.SHOULD),
              0,
              score(i),
              explained(i),
              null,
              List.of()));
    }
    return explain(null, null, terms);
  }

  private PlanExplanation.TermList explained(int i) {
    int pages = lists.pageCount(i);
    return new PlanExplanation.TermList(
        union.toString(),
        lists.postings(i),
        pages,
        (long) pages * OffloadWire.PAGE_BYTES,
        lists.isInline(i),
        PageRuns.of(image(), lists.firstPage(i), pages));
  }
}
