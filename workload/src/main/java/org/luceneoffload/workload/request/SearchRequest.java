/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.CombinedField;

/**
 * A search request: what a searcher is asked for.
 *
 * @param query which documents
 * @param size hits wanted; 0: the matches are counted only
 * @param sort their order; null: by score
 * @param after the hit after which the page begins; null: the first page
 * @param collapse the field of whose values each is to have its best hit alone; null: none
 * @param aggregations numbers about all matches
 * @param otherWork what else is wanted of the matches, that a plan has no words for, and why; null:
 *     nothing
 */
public record SearchRequest(
    Query query,
    int size,
    Sort sort,
    FieldDoc after,
    CombinedField collapse,
    List<Aggregation<?>> aggregations,
    String otherWork) {

  /** Asks for the best hits of a query. */
  static SearchRequest top(Query query, int size) {
    return new SearchRequest(query, size, null, null, null, List.of(), null);
  }
}
