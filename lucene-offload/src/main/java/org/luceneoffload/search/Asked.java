/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.List;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;

/**
 * What one of Lucene's own collector managers asks for. Subclasses may collect as they like, so
 * nothing is known of them; nor of {@link org.apache.lucene.search.TopFieldCollectorManager}, which
 * shows its collectors to whoever asks.
 */
public sealed interface Asked {
  /** The best hits. */
  record Hits(int numHits, ScoreDoc after, int totalHitsThreshold) implements Asked {}

  /** The number of matches. */
  record Count() implements Asked {}

  /** The results of some managers, in an array. */
  record Several(List<CollectorManager<?, ?>> managers) implements Asked {}

  /** Returns what a manager asks for; null if that is not known. */
  static Asked by(CollectorManager<?, ?> manager) {
    Class<?> type = manager.getClass();
    if (type == TopScoreDocCollectorManager.class) {
      return ManagerFields.hits((TopScoreDocCollectorManager) manager);
    } else if (type == TotalHitCountCollectorManager.class) {
      return new Count();
    } else if (type == MultiCollectorManager.class) {
      return ManagerFields.several((MultiCollectorManager) manager);
    }
    return null;
  }
}
