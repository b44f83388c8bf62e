/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;

/** A term of several fields, which counts as one of one field. */
public final class CombinedLeaf extends KeptLeaf {
  private final QueryNode.CombinedNode node;
  private final LeafReader reader;

  int tableIndex; // in the plan's tables, from PlanLayout

  /**
   * A node of terms.
   *
   * @param terms those that the segment has, with the fields' weights
   * @param reader of the segment
   */
  CombinedLeaf(QueryNode.CombinedNode node, LeafNode[] terms, long cost, LeafReader reader) {
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

  /** Returns the norm table. */
  NormTable table() {
    return node.table();
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
  public FixedBitSet norms() throws IOException {
    return node.fields().norms(reader);
  }
}
