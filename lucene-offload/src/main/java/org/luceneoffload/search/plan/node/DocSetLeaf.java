/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.wire.OffloadWire;

/** The docs of a union, as a set that the device keeps. */
public final class DocSetLeaf extends ResourceLeaf {
  private final SetDocs docs;
  private final SegmentImage image;
  private final int maxDoc;

  /**
   * Makes a node.
   *
   * @param docs finds the docs if the device does not have them
   * @param image on the device
   * @param cost about how many they are
   */
  public DocSetLeaf(DocSetKey key, SetDocs docs, SegmentImage image, long cost, int maxDoc) {
    super(OffloadWire.Op.DOC_SET, 0f, NO_CHILDREN, Math.min(cost, maxDoc), 0f, key);
    this.docs = docs;
    this.image = image;
    this.maxDoc = maxDoc;
  }

  @Override
  public IndexReader.CacheHelper core() {
    return docs.core();
  }

  /** Returns the image that has the lists of its docs. */
  public SegmentImage image() {
    return image;
  }

  @Override
  public int pages() {
    return maxDoc / (Byte.SIZE * OffloadWire.PAGE_BYTES) + 1;
  }

  @Override
  public FixedBitSet bits(DocFinder finder) throws IOException {
    FixedBitSet bits = new FixedBitSet(maxDoc);
    for (UnionLeaf lists : docs.lists(bits)) {
      finder.find(lists, bits);
    }
    return bits;
  }

  @Override
  void write(PlanSink sink) {
    sink.node(fields().list(sink.resource(index())).count((int) cost()));
  }

  @Override
  public ProgramNode estimate(int ofSegment) {
    return ProgramNode.column(occur(), Math.toIntExact(cost()), pages());
  }

  @Override
  public PlanExplanation.Node explain() {
    long bytes = (long) pages() * OffloadWire.PAGE_BYTES;
    PlanExplanation.TermList list =
        new PlanExplanation.TermList(
            key().query().toString(), (int) cost(), pages(), bytes, false, List.of());
    return explain(list, null, List.of());
  }
}
