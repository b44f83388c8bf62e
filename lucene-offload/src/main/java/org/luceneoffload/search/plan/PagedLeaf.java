/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.codec.SegmentImage;

/** What is in pages of an image. */
abstract sealed class PagedLeaf extends LeafNode permits ColumnLeaf, TermLeaf, UnionLeaf {
  private final SegmentImage image;

  PagedLeaf(int op, float weight, long cost, SegmentImage image) {
    super(op, weight, NO_CHILDREN, cost, weight);
    this.image = image;
  }

  /** Returns the image that the pages are in. */
  final SegmentImage image() {
    return image;
  }

  /** Returns the page number, in the image, of the first page. */
  abstract int firstPage();

  /** Returns how many pages there are; 0 if it is in the plan itself. */
  abstract int pageCount();
}
