/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/**
 * Steps of a search that an application's subclass of our searcher takes in its own way: then it
 * has to be asked, and no way may lead past it.
 *
 * @param rewrite whether it rewrites queries
 * @param count whether it counts; stock counts the parts of some queries one by one, and so asks it
 * @param search whether it makes weights, or searches with them
 */
public record SearchOverrides(boolean rewrite, boolean count, boolean search) {
  /** Returns what each subclass of {@code base} overrides; found once for each of them. */
  public static ClassValue<SearchOverrides> below(Class<?> base) {
    return new ClassValue<>() {
      @Override
      protected SearchOverrides computeValue(Class<?> type) {
        return find(type, base);
      }
    };
  }

  private static SearchOverrides find(Class<?> type, Class<?> base) {
    boolean rewrite = false;
    boolean count = false;
    boolean search = false;
    for (Class<?> at = type; at != base; at = at.getSuperclass()) {
      Class<?> leaf = LeafReaderContext.class;
      rewrite |= declares(at, "rewrite", Query.class);
      count |= declares(at, "count", Query.class);
      search |=
          declares(at, "createWeight", Query.class, ScoreMode.class, float.class)
              || declares(at, "search", Query.class, CollectorManager.class)
              || declares(
                  at, "search", LeafReaderContextPartition[].class, Weight.class, Collector.class)
              || declares(
                  at, "searchLeaf", leaf, int.class, int.class, Weight.class, Collector.class);
    }
    return new SearchOverrides(rewrite, count, search);
  }

  private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
    try {
      type.getDeclaredMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
