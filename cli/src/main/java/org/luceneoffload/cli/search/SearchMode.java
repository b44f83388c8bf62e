/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

/** The kinds of result that a query can be asked for. */
public enum SearchMode {
  /** The k best hits; matches are counted up to Lucene's threshold of 1,000. */
  TOP,
  /** The number of matches. */
  COUNT,
  /** Every matching doc ID, without scores. */
  DOCS,
  /** Numbers about the values of all matches. */
  AGGREGATE
}
