/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.List;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;

/**
 * A request that one of Lucene's own collector managers makes. Subclasses may collect as they like,
 * so nothing is known of them.
 */
public sealed interface ManagerRequest {
  /** Asks for the best hits. */
  record Hits(int numHits, ScoreDoc after, int totalHitsThreshold) implements ManagerRequest {}

  /** Asks for the first hits by sort fields. */
  record SortedHits(Sort sort, int numHits, FieldDoc after, int totalHitsThreshold)
      implements ManagerRequest {}

  /** Asks for the number of matches. */
  record Count() implements ManagerRequest {}

  /** Asks for the results of some managers, in an array. */
  record Several(List<CollectorManager<?, ?>> managers) implements ManagerRequest {}

  /** Returns the request of a manager; null if that is not known. */
  static ManagerRequest by(CollectorManager<?, ?> manager) {
    Class<?> type = manager.getClass();
    if (type == TopScoreDocCollectorManager.class) {
      return ManagerFields.hits((TopScoreDocCollectorManager) manager);
    } else if (type == TopFieldCollectorManager.class) {
      return ManagerFields.sortedHits((TopFieldCollectorManager) manager);
    } else if (type == TotalHitCountCollectorManager.class) {
      return new Count();
    } else if (type == MultiCollectorManager.class) {
      return ManagerFields.several((MultiCollectorManager) manager);
    }
    return null;
  }
}
