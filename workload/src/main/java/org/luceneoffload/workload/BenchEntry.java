/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

/** The way in which our side is asked; stock Lucene's is always asked in its own best way. */
public enum BenchEntry {
  /** Our searcher, by its own methods. */
  OWN,
  /** Our searcher, by Lucene's collector managers. */
  MANAGERS,
  /** A stock searcher, by Lucene's collector managers; queries are wrapped. */
  QUERY
}
