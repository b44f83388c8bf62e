/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.apache.lucene.index.Term;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.FeatureTable;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.ScoreTable;
import org.luceneoffload.wire.ScoringTable;

/** The postings of a list. */
public final class TermLeaf extends PagedLeaf {
  private final Term term;
  private final OffloadTermState list;
  private final ScoringTable table;

  // Numbers in the plan's tables, from PlanLayout.
  int listIndex;
  int tableIndex;
  int firstExtent;
  int extentCount;

  TermLeaf(QueryNode.TermNode node, OffloadTermState list, SegmentImage image) {
    super(OffloadWire.Op.TERM, node.weight(), list.docFreq, image);
    this.term = node.term();
    this.table = node.table();
    this.list = list;
  }

  /** The postings of a term, with other scores: none is above that of the highest frequency. */
  TermLeaf(TermLeaf unscored, ScoreTable scores) {
    super(
        OffloadWire.Op.TABLE_TERM,
        scores.get(scores.count(), 0),
        unscored.list.docFreq,
        unscored.image());
    this.term = unscored.term;
    this.table = scores;
    this.list = unscored.list;
  }

  /** The postings of a feature. */
  TermLeaf(TermLeaf unscored, FeatureTable scores) {
    super(OffloadWire.Op.FEATURE_TERM, scores.greatest(), unscored.list.docFreq, unscored.image());
    this.term = unscored.term;
    this.table = scores;
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

  /** Returns the norm table or the scores; null if the score is not needed. */
  ScoringTable table() {
    return table;
  }

  /** Returns how many tables of scores there are; 0 with a norm table or none. */
  int scoreTables() {
    return table instanceof NormTable || table == null ? 0 : table.count();
  }

  /** Returns the high byte of the lowest frequency with a score of its own; 0 of other terms. */
  int firstHigh() {
    return table instanceof FeatureTable feature ? feature.firstHigh() : 0;
  }
}
