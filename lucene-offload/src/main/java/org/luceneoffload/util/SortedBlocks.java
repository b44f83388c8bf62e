/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafMetaData;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Sort;

/**
 * Segments with blocks that are sorted by a field: the blocks are in the order of their parents,
 * and the children may have other values. Stock takes all docs for sorted then, so that its queries
 * for values of the field miss some.
 */
public final class SortedBlocks {
  private SortedBlocks() {}

  /** Returns whether a segment has blocks and is sorted by a field. */
  public static boolean areBy(LeafReader segment, String field) {
    LeafMetaData data = segment.getMetaData();
    Sort order = data.sort();
    return order != null && data.hasBlocks() && field.equals(order.getSort()[0].getField());
  }

  /** Returns whether any segment of an index has blocks and is sorted by a field. */
  public static boolean areBy(IndexReader reader, String field) {
    for (LeafReaderContext leaf : reader.leaves()) {
      if (areBy(leaf.reader(), field)) {
        return true;
      }
    }
    return false;
  }
}
