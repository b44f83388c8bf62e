/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.set.DocSetKey;

/**
 * A node that refers to a resource of the device: bits of a segment's docs, which stay in the
 * device's memory for further queries.
 */
public abstract class ResourceLeaf extends LeafNode {
  /** Finds the docs of lists on the device. */
  @FunctionalInterface
  public interface DocFinder {
    /**
     * Adds the docs of any of some lists.
     *
     * @param docs of the whole segment
     */
    void find(UnionLeaf lists, FixedBitSet docs) throws IOException;
  }

  private final DocSetKey key;
  private int index; // among the resources of the plan, from PlanLayout

  ResourceLeaf(
      int op, float weight, LeafNode[] children, long cost, float maxScore, DocSetKey key) {
    super(op, weight, children, cost, maxScore);
    this.key = key;
  }

  /** Returns the key by which the resource is found again. */
  public final DocSetKey key() {
    return key;
  }

  /** Returns the segment's core, which tells when the resource is of no more use. */
  public abstract IndexReader.CacheHelper core();

  /** Returns how many pages of the device's memory the bits take. */
  public abstract int pages();

  /**
   * Makes the bits, if the device does not have them.
   *
   * @param finder finds docs that only the device knows
   */
  public abstract FixedBitSet bits(DocFinder finder) throws IOException;

  @Override
  void number(PlanLayout layout) throws RefusedException {
    index = layout.addResource(this);
    layout.addPages(pages());
  }

  /** Returns the resource's number among those of the plan. */
  final int index() {
    return index;
  }

  @Override
  final void addPages(PageRuns runs) {}
}
