/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.set;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;

/**
 * Names a set of docs: those that a query matches in a segment, deleted ones included. Or, with
 * {@link org.luceneoffload.search.score.CombinedFields#anyTerm}, the norms of a segment's docs.
 *
 * @param core of the segment, as long as it is open
 * @param query does not change, and depends on nothing but what makes it equal
 * @param part whether it is a set without the docs of the query's longest lists
 */
public record DocSetKey(IndexReader.CacheKey core, Query query, boolean part) {
  /** Names a whole set. */
  public DocSetKey(IndexReader.CacheKey core, Query query) {
    this(core, query, false);
  }
}
