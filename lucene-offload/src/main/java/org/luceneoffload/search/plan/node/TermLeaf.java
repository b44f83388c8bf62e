/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.List;
import org.apache.lucene.index.Term;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.FeatureTable;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanWriter;
import org.luceneoffload.wire.plan.ScoreTable;
import org.luceneoffload.wire.plan.ScoringTable;

/** The postings of a list. */
public final class TermLeaf extends PagedLeaf {
  private final Term term;
  private final OffloadTermState list;
  private final ScoringTable table;
  private final int minShould; // of the node of the plan, where the operator says what it means

  // Numbers in the plan's tables, from PlanLayout.
  private int listIndex;
  private int tableIndex;
  private PlanWriter.Extents extents;

  /** Makes the node of a term. */
  public TermLeaf(QueryNode.TermNode node, OffloadTermState list, SegmentImage image) {
    super(OffloadWire.Op.TERM, node.weight(), list.docFreq, image);
    this.term = node.term();
    this.table = node.table();
    this.minShould = 0;
    this.list = list;
  }

  /** Gives the postings of a term other scores: none is above that of the highest frequency. */
  public TermLeaf(TermLeaf unscored, ScoreTable scores) {
    super(
        OffloadWire.Op.TABLE_TERM,
        scores.get(scores.count(), 0),
        unscored.list.docFreq,
        unscored.image());
    this.term = unscored.term;
    this.table = scores;
    this.minShould = 0;
    this.list = unscored.list;
  }

  /** Gives the postings of a term the scores of a feature. */
  public TermLeaf(TermLeaf unscored, FeatureTable scores) {
    super(OffloadWire.Op.FEATURE_TERM, scores.greatest(), unscored.list.docFreq, unscored.image());
    this.term = unscored.term;
    this.table = scores;
    this.minShould = scores.firstHigh();
    this.list = unscored.list;
  }

  /**
   * Gives the postings of a term the values of a feature, times a factor.
   *
   * @param greatestFreq the greatest frequency of the postings
   * @param maxScore the score of that
   */
  public TermLeaf(TermLeaf unscored, float factor, int greatestFreq, float maxScore) {
    super(OffloadWire.Op.LINEAR_TERM, factor, unscored.list.docFreq, maxScore, unscored.image());
    this.term = unscored.term;
    this.table = null;
    this.minShould = greatestFreq;
    this.list = unscored.list;
  }

  /** Returns field and term. */
  public Term term() {
    return term;
  }

  /** Returns where the list is in the image. */
  public OffloadTermState list() {
    return list;
  }

  @Override
  int firstPage() {
    return list.firstPage();
  }

  /** Returns the pages that hold blocks of the list; 0 if it is in the plan itself. */
  @Override
  public int pageCount() {
    return list.isInline() ? 0 : list.pageCount();
  }

  /** Returns how many tables of scores there are; 0 with a norm table or none. */
  private int scoreTables() {
    return table instanceof NormTable || table == null ? 0 : table.count();
  }

  @Override
  void number(PlanLayout layout) throws RefusedException {
    listIndex = layout.addLists(1);
    if (table != null) {
      tableIndex = layout.table(table);
    }
    if (!list.isInline()) {
      layout.addPages(list.pageCount());
      extents = layout.extents(image(), firstPage(), list.pageCount());
    }
  }

  @Override
  void write(PlanSink sink) {
    sink.node(fields().list(listIndex).table(tableIndex).count(scoreTables()).minShould(minShould));
    sink.list(sink.listOffset(listIndex), list, image(), extents);
  }

  @Override
  void addPages(PageRuns runs) {
    runs.add(image(), firstPage(), pageCount());
  }

  @Override
  public ProgramNode estimate(int maxDoc) {
    return ProgramNode.term(occur(), list.docFreq, pageCount());
  }

  @Override
  public PlanExplanation.Node explain() {
    List<PlanExplanation.PageRun> runs = PageRuns.of(image(), firstPage(), pageCount());
    return explain(explained(term, list, pageCount(), runs), null, List.of());
  }

  /** Returns what people read of a term's list, which has so many pages, and where these are. */
  static PlanExplanation.TermList explained(
      Term term, OffloadTermState list, int pages, List<PlanExplanation.PageRun> runs) {
    return new PlanExplanation.TermList(
        term.toString(),
        list.docFreq,
        pages,
        (long) pages * OffloadWire.PAGE_BYTES,
        list.isInline(),
        runs);
  }
}
