/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.QuickRun;

/** The ways in which an application has its queries offloaded. */
public enum Way {
  /** A searcher of ours, the application's own queries. */
  OWN_SEARCHER,
  /** The application's own searcher, queries wrapped. */
  WRAPPED_QUERY,
  /** Both at once. */
  BOTH;

  private static final Random RANDOM = new Random(Long.getLong("tests.seed", System.nanoTime()));

  /** Returns all ways; in a quick run one that is drawn: thousands of queries ask in each. */
  public static List<Way> drawn() {
    return QuickRun.QUICK ? List.of(values()[RANDOM.nextInt(values().length)]) : List.of(values());
  }

  public IndexSearcher searcher(IndexReader reader) {
    return searcher(reader, null);
  }

  public IndexSearcher searcher(IndexReader reader, Executor executor) {
    return this == WRAPPED_QUERY
        ? new IndexSearcher(reader, executor)
        : new OffloadIndexSearcher(reader, executor);
  }

  public Query query(Query query) {
    return this == OWN_SEARCHER ? query : new OffloadQuery(query);
  }
}
