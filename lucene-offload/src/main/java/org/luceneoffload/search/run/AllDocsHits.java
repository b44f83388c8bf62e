/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.Bits;

/**
 * The best hits where all docs match with one score: the first live docs. There is nothing to ask a
 * device for, and no segment to search.
 */
public final class AllDocsHits {
  private AllDocsHits() {}

  /** Returns the score of every doc; NaN if the rewritten query is another one. */
  private static float score(Query query) {
    if (query instanceof BoostQuery boost) {
      return boost.getBoost() * score(boost.getQuery());
    }
    Query inner = query instanceof ConstantScoreQuery constant ? constant.getQuery() : query;
    return inner instanceof MatchAllDocsQuery ? 1f : Float.NaN;
  }

  /**
   * Finds the hits.
   *
   * @param after hits have to come after this one; null for the first ones
   * @param k hits wanted, at most the docs of the index
   * @param threshold matches to count exactly
   * @return null if the query is another one, or has a time limit
   */
  public static TopDocs of(
      IndexSearcher searcher, Query rewritten, ScoreDoc after, int k, int threshold) {
    float score = score(rewritten);
    if (Float.isNaN(score)
        || searcher.getTimeout() != null
        || (after != null && Float.isNaN(after.score))) {
      return null;
    }
    boolean allBefore = after != null && score > after.score;
    ScoreDoc[] hits = new ScoreDoc[allBefore ? 0 : k];
    int found = 0;
    int seen = 0; // live docs up to the last hit
    int first = after != null && score == after.score ? after.doc + 1 : 0;
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    for (int i = 0; i < leaves.size() && found < hits.length; i++) {
      LeafReaderContext leaf = leaves.get(i);
      Bits live = leaf.reader().getLiveDocs();
      int maxDoc = leaf.reader().maxDoc();
      int from = Math.clamp((long) first - leaf.docBase, 0, maxDoc);
      seen += countLive(live, from);
      for (int doc = from; doc < maxDoc && found < hits.length; doc++) {
        if (live == null || live.get(doc)) {
          seen++;
          hits[found++] = new ScoreDoc(leaf.docBase + doc, score);
        }
      }
    }
    ScoreDoc[] all = Arrays.copyOf(hits, found);
    return new TopDocs(total(searcher.getIndexReader().numDocs(), seen, found, k, threshold), all);
  }

  /**
   * Returns the number of matches as stock counts them: it stops when it has the hits and more
   * matches than the threshold.
   */
  private static TotalHits total(int matches, int seen, int found, int k, int threshold) {
    int counted = Math.max(k, threshold);
    return found < k || matches <= counted
        ? new TotalHits(matches, TotalHits.Relation.EQUAL_TO)
        : new TotalHits(Math.max(counted + 1, seen), TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO);
  }

  private static int countLive(Bits live, int end) {
    if (live == null) {
      return end;
    }
    int count = 0;
    for (int doc = 0; doc < end; doc++) {
      count += live.get(doc) ? 1 : 0;
    }
    return count;
  }
}
