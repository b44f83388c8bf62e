/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;

/**
 * Searches whose clauses the query cache did not keep although its policy would have: it leaves out
 * what is long beside the clause that leads. Finding that out takes as long as stock's search, and
 * comes to the same each time, so that it is tried again only now and then.
 */
public final class InVain {
  private static final int MAX_ENTRIES = 4096;
  private static final int TRY_AGAIN = 64;

  /** A reader, and the hash of a query: keeping queries may take much memory. */
  private record Search(Object reader, int query, ScoreMode scoreMode) {}

  private final Map<Search, Integer> left =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Search, Integer> eldest) {
              return size() > MAX_ENTRIES;
            }
          });

  /** Nothing yet, for a node. */
  public InVain() {}

  /** Returns null for a reader that is not known by a key. */
  private static Search search(IndexReader reader, Query query, ScoreMode scoreMode) {
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    return helper == null ? null : new Search(helper.getKey(), query.hashCode(), scoreMode);
  }

  /** Returns whether the cache kept nothing the last time, which was not long ago. */
  boolean isKnown(IndexReader reader, Query query, ScoreMode scoreMode) {
    Search search = search(reader, query, scoreMode);
    return search != null
        && left.computeIfPresent(search, (known, times) -> times == 0 ? null : times - 1) != null;
  }

  /** Notes that the cache kept nothing. */
  void note(IndexReader reader, Query query, ScoreMode scoreMode) {
    Search search = search(reader, query, scoreMode);
    if (search != null) {
      left.put(search, TRY_AGAIN);
    }
  }
}
