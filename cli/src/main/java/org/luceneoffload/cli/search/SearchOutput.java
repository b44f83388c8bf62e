/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

/**
 * Takes the results of a search one by one, so that none has to be kept: one query may have
 * millions of doc IDs, and there may be many queries.
 */
interface SearchOutput {
  /** Takes what is searched, before the first result. */
  void begin(SearchReport report);

  /** Takes the result of the next query. */
  void add(QueryResult result);

  /** Takes what all results add up to, after the last one. */
  void end(SearchSummary summary);
}
