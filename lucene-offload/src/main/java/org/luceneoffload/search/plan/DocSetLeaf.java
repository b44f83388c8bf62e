/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.apache.lucene.index.IndexReader;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.wire.OffloadWire;

/** The docs of a union, as a set that the device keeps. */
public final class DocSetLeaf extends KeptLeaf {
  private final SetDocs docs;
  private final SegmentImage image;
  private final int maxDoc;

  /**
   * A node.
   *
   * @param docs finds the docs if the device does not have them
   * @param image on the device
   * @param cost about how many they are
   */
  DocSetLeaf(DocSetKey key, SetDocs docs, SegmentImage image, long cost, int maxDoc) {
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
  SegmentImage image() {
    return image;
  }

  /** Returns how its docs are found. */
  public SetDocs docs() {
    return docs;
  }

  /** Returns about how many docs it has. */
  public int docCount() {
    return (int) cost();
  }

  /** Docs of the segment are below this. */
  public int maxDoc() {
    return maxDoc;
  }

  @Override
  public int pages() {
    return maxDoc / (Byte.SIZE * OffloadWire.PAGE_BYTES) + 1;
  }
}
