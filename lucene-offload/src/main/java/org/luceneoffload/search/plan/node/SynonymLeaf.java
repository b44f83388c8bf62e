/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.NormTable;

/** Terms that count as one. */
public final class SynonymLeaf extends LeafNode {
  private final NormTable table;
  private int tableIndex; // in the plan's tables, from PlanLayout

  /**
   * Makes a node of terms.
   *
   * @param terms with factors of their frequencies as weights
   * @param table the norm table of all of them
   */
  public SynonymLeaf(LeafNode[] terms, NormTable table, float weight, long cost) {
    super(OffloadWire.Op.SYNONYM, weight, terms, cost, weight);
    this.table = table;
  }

  @Override
  void number(PlanLayout layout) {
    tableIndex = layout.table(table);
  }

  @Override
  void write(PlanSink sink) {
    sink.node(fields().table(tableIndex));
  }

  @Override
  void addPages(PageRuns runs) {}

  /** Returns what is known of any disjunction: it is read as one. */
  @Override
  public ProgramNode estimate(int maxDoc) {
    return ProgramNode.bool(occur(), 0, childEstimates(maxDoc));
  }

  @Override
  public PlanExplanation.Node explain() {
    return explain(0);
  }
}
