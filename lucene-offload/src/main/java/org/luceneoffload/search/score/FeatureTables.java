/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.search.Query;

/** The scores of features, as far as a searcher's queries asked for them. */
public final class FeatureTables {
  /** Each may take up to 255 KB, most take some 40. */
  private static final int MAX_FUNCTIONS = 64;

  private final Map<Query, FeatureScores> known = new ConcurrentHashMap<>();

  /** Returns the scores of a feature. */
  public FeatureScores of(Query query, FeatureFunction function, float weight) {
    FeatureScores scores = known.get(query);
    if (scores == null || !scores.isOf(weight)) {
      scores = new FeatureScores(function, weight);
      if (known.size() >= MAX_FUNCTIONS) {
        known.clear();
      }
      known.put(query, scores);
    }
    return scores;
  }
}
