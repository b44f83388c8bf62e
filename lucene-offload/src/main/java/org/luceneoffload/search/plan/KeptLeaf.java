/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.apache.lucene.index.IndexReader;
import org.luceneoffload.search.set.DocSetKey;

/** A node that refers to data of a segment which the device keeps for queries to come. */
public abstract sealed class KeptLeaf extends LeafNode permits CombinedLeaf, DocSetLeaf {
  private final DocSetKey key;

  int index; // among all of the plan, from PlanLayout

  KeptLeaf(int op, float weight, LeafNode[] children, long cost, float maxScore, DocSetKey key) {
    super(op, weight, children, cost, maxScore);
    this.key = key;
  }

  /** Returns what names the data. */
  public final DocSetKey key() {
    return key;
  }

  /** Returns the segment, as long as it is open. */
  public abstract IndexReader.CacheHelper core();

  /** Returns how many pages of memory the data take. */
  public abstract int pages();
}
