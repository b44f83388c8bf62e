/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;

/** The scores of terms under similarities other than BM25, as far as a searcher's queries asked. */
public final class ScoreTables {
  /** Each may take up to 512 KB, those of most terms a few per cent of it. */
  private static final int MAX_TERMS = 128;

  private record Key(
      Similarity similarity, float boost, CollectionStatistics collection, TermStatistics term) {}

  private final Map<Key, TermScores> known = new ConcurrentHashMap<>();

  /** Returns the scores of a term. */
  public TermScores of(
      Similarity similarity, float boost, CollectionStatistics collection, TermStatistics term) {
    SimScorer scorer = similarity.scorer(boost, collection, term);
    Key key = new Key(similarity, boost, collection, term);
    TermScores scores = known.get(key);
    // A similarity may have been told to compute otherwise since.
    if (scores == null || !scores.areOf(scorer)) {
      scores = new TermScores(scorer, collection.field());
      if (known.size() >= MAX_TERMS) {
        known.clear();
      }
      known.put(key, scores);
    }
    return scores;
  }
}
