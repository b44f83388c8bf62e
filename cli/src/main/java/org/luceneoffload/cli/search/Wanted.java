/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.List;

/**
 * What a query is asked for.
 *
 * @param k hits wanted in mode TOP, at least 1
 * @param order of the hits in mode TOP; null: by score
 * @param aggregates what mode AGGREGATE asks for; else empty
 * @param showDocs whether the answer lists the doc IDs of mode DOCS
 */
public record Wanted(
    SearchMode mode, int k, SortOrder order, List<AggregateOption> aggregates, boolean showDocs) {
  /** The best hits by score. */
  public static Wanted top(int k) {
    return new Wanted(SearchMode.TOP, k, null, List.of(), false);
  }
}
