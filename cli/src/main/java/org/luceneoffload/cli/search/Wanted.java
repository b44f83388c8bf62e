/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.List;
import org.luceneoffload.workload.TypedFields;

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
  /**
   * Asks for the first hits.
   *
   * @param sort their order as the command line says it; null: by score
   * @param fields of the index
   * @throws org.luceneoffload.cli.command.Failure of usage if the index has no such fields
   */
  public static Wanted top(int k, String sort, TypedFields fields) {
    SortOrder order = sort == null ? null : SortOrder.parse(sort, fields);
    return new Wanted(SearchMode.TOP, k, order, List.of(), false);
  }

  /**
   * Asks for numbers about all matches.
   *
   * @param aggregates as the command line says them
   * @param fields of the index
   * @throws org.luceneoffload.cli.command.Failure of usage if one is wrong
   */
  public static Wanted aggregates(List<String> aggregates, TypedFields fields) {
    return new Wanted(
        SearchMode.AGGREGATE,
        0,
        null,
        aggregates.stream().map(text -> AggregateOption.parse(text, fields)).toList(),
        false);
  }
}
