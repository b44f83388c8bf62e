/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import org.apache.lucene.index.Terms;
import org.apache.lucene.search.CollectionStatistics;

/**
 * The facts that are the same for all queries of one field of a searcher.
 *
 * @param terms the field's terms in each segment, null where it has none, each other {@link
 *     org.luceneoffload.codec.OffloadTerms} with a hash; null if any segment's are not
 * @param isPositioned whether a segment's lists of the field have positions
 * @param hasOtherNorms whether a segment's terms may come with norms that are not those on the
 *     device
 * @param hasUniqueTerms whether every term is in one document, in each segment that has terms
 * @param statistics what stock's searcher says of the field; null if it says nothing, or is not the
 *     one to be asked
 */
public record IndexedField(
    String name,
    Terms[] terms,
    boolean isPositioned,
    boolean hasOtherNorms,
    boolean hasUniqueTerms,
    CollectionStatistics statistics) {
  /** Returns whether every segment's terms are found by their hash. */
  public boolean isHashed() {
    return terms != null;
  }
}
