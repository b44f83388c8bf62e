/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;

/**
 * A query, and what a kind of work asks about its matches beside.
 *
 * @param sort what sorted kinds sort by; else null
 * @param aggregate what the kind AGGREGATE asks for; else null
 */
public record BenchTask(Query query, Sort sort, BenchAggregates.Aggregate aggregate) {
  /** Returns the task of a query alone. */
  public static BenchTask of(Query query) {
    return new BenchTask(query, null, null);
  }
}
