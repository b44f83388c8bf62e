/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.ProgramEstimate;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.ProgramRequest;
import org.luceneoffload.report.LeafEstimate;
import org.luceneoffload.wire.OffloadWire;

/** The expected cost of a segment's plan. */
public final class LeafCosts {
  private LeafCosts() {}

  /**
   * Weighs device and host for a plan.
   *
   * @param mode the mode that it runs in
   * @param k TOP_K: hits wanted
   * @param threshold TOP_K: matches to count exactly
   */
  public static LeafEstimate estimate(
      CostModel costs, LeafPlan plan, int mode, int k, int threshold) {
    PlanLayout layout = plan.layout();
    return ProgramEstimate.of(
        costs,
        node(plan.root(), layout.maxDoc()),
        new ProgramRequest(
            mode, k, threshold, layout.maxDoc(), layout.bytes(), layout.tailColumnPages()));
  }

  /** As the conjunction of its places, over the pages with their terms' positions as well. */
  private static ProgramNode phrase(PhraseLeaf phrase) {
    List<ProgramNode> places = new ArrayList<>(phrase.termCount());
    for (int from = 0; from < phrase.termCount(); ) {
      int to = from + 1;
      while (to < phrase.termCount() && phrase.slot(to) == phrase.slot(from)) {
        to++;
      }
      if (to == from + 1) {
        places.add(term(phrase, from, OffloadWire.Occur.MUST));
      } else {
        List<ProgramNode> terms = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
          terms.add(term(phrase, i, OffloadWire.Occur.SHOULD));
        }
        places.add(ProgramNode.bool(OffloadWire.Occur.MUST, 0, terms));
      }
      from = to;
    }
    return ProgramNode.bool(phrase.occur(), 0, places);
  }

  private static ProgramNode term(PhraseLeaf phrase, int i, int occur) {
    OffloadTermState list = phrase.list(i);
    return ProgramNode.term(occur, list.docFreq, phrase.listPages(i) + list.positionPageCount());
  }

  private static ProgramNode union(UnionLeaf union) {
    TermLists lists = union.lists();
    if (lists.size() == 1) {
      return ProgramNode.term(union.occur(), lists.postings(0), lists.pageCount(0));
    }
    List<ProgramNode> terms = new ArrayList<>(lists.size());
    for (int i = 0; i < lists.size(); i++) {
      terms.add(ProgramNode.term(OffloadWire.Occur.SHOULD, lists.postings(i), lists.pageCount(i)));
    }
    return ProgramNode.bool(union.occur(), 0, terms);
  }

  private static ProgramNode node(LeafNode node, int maxDoc) {
    if (node instanceof TermLeaf term) {
      return ProgramNode.term(term.occur(), term.list().docFreq, term.pageCount());
    }
    if (node instanceof PhraseLeaf phrase) {
      return phrase(phrase);
    }
    if (node instanceof UnionLeaf union) {
      return union(union);
    }
    if (node instanceof DocSetLeaf set) {
      return ProgramNode.column(set.occur(), Math.toIntExact(set.cost()), set.pages());
    }
    if (node instanceof ColumnLeaf column) {
      int docs = Math.toIntExact(column.cost());
      return ProgramNode.column(column.occur(), docs, column.pagesToRead(maxDoc));
    }
    List<ProgramNode> children = new ArrayList<>(node.children().length);
    for (LeafNode child : node.children()) {
      children.add(node(child, maxDoc));
    }
    int minShould = node instanceof LeafNode.Bool bool ? bool.minShould() : 0;
    // A DIS_MAX or SYNONYM is read as any disjunction. No COMBINED comes here: a modelled device
    // keeps no norms.
    boolean isUnion = node instanceof LeafNode.DisMax || node instanceof LeafNode.Synonym;
    int op = isUnion ? OffloadWire.Op.BOOL : node.op();
    return new ProgramNode(op, node.occur(), minShould, 0, 0, children);
  }
}
