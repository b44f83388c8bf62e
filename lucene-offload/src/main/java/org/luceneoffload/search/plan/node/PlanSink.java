/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.nio.ByteBuffer;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.plan.PlanWriter;

/** The buffer that the nodes of a plan write themselves to: one after the other, in pre-order. */
final class PlanSink {
  private final ByteBuffer b;
  private final int lists;
  private final int ranges;
  private final int[] resources;
  private int next = PlanHeaderLayout.BYTES;

  /**
   * Makes a sink for the nodes of a plan whose parts are counted.
   *
   * @param lists offset of the lists
   * @param ranges offset of the value ranges
   * @param resources of the request, in the order of the nodes that refer to them
   */
  PlanSink(ByteBuffer b, int lists, int ranges, int[] resources) {
    this.b = b;
    this.lists = lists;
    this.ranges = ranges;
    this.resources = resources;
  }

  /** Writes a subtree. */
  void tree(LeafNode root) {
    root.write(this);
    for (LeafNode child : root.children()) {
      tree(child);
    }
  }

  /** Writes the next node. */
  void node(PlanWriter.Node fields) {
    next = PlanWriter.writeNode(b, next, fields);
  }

  /**
   * Writes the next nodes: terms whose lists follow each other.
   *
   * @param scores of the terms; null: they have none
   */
  void terms(int count, int firstList, float[] scores) {
    int first = next;
    next = PlanWriter.writeTerms(b, next, count, firstList);
    for (int i = 0; scores != null && i < count; i++) {
      PlanNodeLayout.weight(b, first + i * PlanNodeLayout.BYTES, scores[i]);
    }
  }

  /** Writes a list, in pages or of one posting; returns the offset after it. */
  int list(int at, OffloadTermState list, SegmentImage image, PlanWriter.Extents extents) {
    if (list.isInline()) {
      return PlanWriter.writeInline(b, at, list.inlineDoc(), list.inlineFreq(), list.inlineNorm());
    }
    PlanWriter.Pages pages =
        new PlanWriter.Pages(list.firstPage(), list.pageCount(), image.stamp(), extents);
    PlanWriter.ListPlace place = new PlanWriter.ListPlace(pages, list.slot(), list.docFreq);
    return PlanWriter.writePaged(b, at, place, list.impacts());
  }

  /** Returns the buffer, to write lists and ranges to. */
  ByteBuffer buffer() {
    return b;
  }

  /** Returns the offset of a list. */
  int listOffset(int index) {
    return lists + index * ListRefLayout.BYTES;
  }

  /** Returns the offset of a value range. */
  int rangeOffset(int index) {
    return ranges + index * ValueRangeLayout.BYTES;
  }

  /** Returns what the device calls a resource of the plan. */
  int resource(int index) {
    return resources[index];
  }
}
