/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.wire.OffloadWire;

/** A term of several fields, which counts as one of one field. */
public final class CombinedLeaf extends ResourceLeaf {
  private final QueryNode.CombinedNode node;
  private final LeafReader reader;

  private int tableIndex; // in the plan's tables, from PlanLayout

  /**
   * Makes a node of terms.
   *
   * @param terms those that the segment has, with the fields' weights
   * @param reader of the segment
   */
  public CombinedLeaf(QueryNode.CombinedNode node, LeafNode[] terms, long cost, LeafReader reader) {
    super(
        OffloadWire.Op.COMBINED,
        node.weight(),
        terms,
        cost,
        node.weight(),
        new DocSetKey(reader.getCoreCacheHelper().getKey(), node.fields().anyTerm()));
    this.node = node;
    this.reader = reader;
  }

  @Override
  public IndexReader.CacheHelper core() {
    return reader.getCoreCacheHelper();
  }

  @Override
  public int pages() {
    return reader.maxDoc() / OffloadWire.PAGE_BYTES + 1;
  }

  /** Returns the norms of all docs, a byte each. */
  @Override
  public FixedBitSet bits(DocFinder finder) throws IOException {
    return node.fields().norms(reader);
  }

  @Override
  void number(PlanLayout layout) throws RefusedException {
    super.number(layout);
    tableIndex = layout.table(node.table());
  }

  @Override
  void write(PlanSink sink) {
    sink.node(fields().list(sink.resource(index())).table(tableIndex));
  }

  /**
   * Returns an estimate of next to nothing: a device whose time is estimated has no norms as
   * resources.
   */
  @Override
  public ProgramNode estimate(int maxDoc) {
    return new ProgramNode(op(), occur(), 0, 0, 0, childEstimates(maxDoc));
  }

  @Override
  public PlanExplanation.Node explain() {
    return explain(0);
  }
}
