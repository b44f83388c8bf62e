/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import org.luceneoffload.codec.SegmentImage;

/** A node of what is in pages of an image, which stand one after the other. */
abstract class PagedLeaf extends LeafNode {
  private final SegmentImage image;

  PagedLeaf(int op, float weight, long cost, SegmentImage image) {
    this(op, weight, cost, weight, image);
  }

  PagedLeaf(int op, float weight, long cost, float maxScore, SegmentImage image) {
    super(op, weight, NO_CHILDREN, cost, maxScore);
    this.image = image;
  }

  /** Returns the image that the pages are in. */
  public final SegmentImage image() {
    return image;
  }

  /** Returns the page number, in the image, of the first page. */
  abstract int firstPage();

  /** Returns how many pages there are; 0 if it is in the plan itself. */
  abstract int pageCount();
}
