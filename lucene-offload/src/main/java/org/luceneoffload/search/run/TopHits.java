/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;

/**
 * The best hits so far of a run of segments that are visited in the order of their doc IDs, and the
 * number of matches.
 */
final class TopHits {
  private static final int[] NO_DOCS = {};
  private static final float[] NO_SCORES = {};

  private final int k;
  private int[] docs = NO_DOCS;
  private float[] scores = NO_SCORES;
  private int[] spareDocs = NO_DOCS;
  private float[] spareScores = NO_SCORES;
  private int size;
  private long count;
  private boolean lowerBound;

  TopHits(int k) {
    this.k = k;
  }

  /** Returns whether there are k hits, so that another one has to beat the last. */
  boolean isFull() {
    return size == k;
  }

  /** Returns the score of the last hit; there must be one. */
  float lastScore() {
    return scores[size - 1];
  }

  /** Returns the doc ID, in the whole index, of the last hit; there must be one. */
  int lastDoc() {
    return docs[size - 1];
  }

  /** Returns the number of matches counted. */
  long count() {
    return count;
  }

  /** Counts matches. */
  void addCount(long matches, boolean isLowerBound) {
    count += matches;
    lowerBound |= isLowerBound;
  }

  /**
   * Merges hits in: score descending, then doc ascending, all of docs after those merged before.
   * The arrays are taken over.
   *
   * @param docBase what to add to the doc IDs
   */
  void merge(int[] newDocs, float[] newScores, int newSize, int docBase) {
    if (size == 0) {
      // Most searches have the hits of one segment only.
      takeOver(newDocs, newScores, newSize, docBase);
      return;
    }
    int total = Math.min(k, size + newSize);
    if (spareDocs.length < total) {
      int capacity = (int) Math.min(k, Math.max(total, spareDocs.length * 2L));
      spareDocs = new int[capacity];
      spareScores = new float[capacity];
    }
    int i = 0;
    int j = 0;
    for (int to = 0; to < total; to++) {
      // At equal scores the present hit wins: its doc ID is lower.
      if (j == newSize || (i < size && scores[i] >= newScores[j])) {
        spareDocs[to] = docs[i];
        spareScores[to] = scores[i++];
      } else {
        spareDocs[to] = newDocs[j] + docBase;
        spareScores[to] = newScores[j++];
      }
    }
    int[] oldDocs = docs;
    float[] oldScores = scores;
    docs = spareDocs;
    scores = spareScores;
    spareDocs = oldDocs;
    spareScores = oldScores;
    size = total;
  }

  private void takeOver(int[] newDocs, float[] newScores, int newSize, int docBase) {
    docs = newDocs;
    scores = newScores;
    size = Math.min(k, newSize);
    for (int i = 0; i < size; i++) {
      docs[i] += docBase;
    }
  }

  /** Merges the hits of one segment that the host searched; their doc IDs are of the index. */
  void merge(TopDocs hits) {
    int newSize = hits.scoreDocs.length;
    int[] newDocs = new int[newSize];
    float[] newScores = new float[newSize];
    for (int i = 0; i < newSize; i++) {
      newDocs[i] = hits.scoreDocs[i].doc;
      newScores[i] = hits.scoreDocs[i].score;
    }
    merge(newDocs, newScores, newSize, 0);
    addCount(
        hits.totalHits.value(),
        hits.totalHits.relation() == TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO);
  }

  /**
   * Counts one more than a threshold if there are more: where no hit can be better than others,
   * stock ends at that one.
   */
  void stopCountingBeyond(int threshold) {
    if (lowerBound) {
      count = Math.min(count, threshold + 1L);
    }
  }

  /** Returns the hits as Lucene returns them. */
  TopDocs toTopDocs() {
    ScoreDoc[] hits = new ScoreDoc[size];
    for (int i = 0; i < size; i++) {
      hits[i] = new ScoreDoc(docs[i], scores[i]);
    }
    TotalHits.Relation relation =
        lowerBound ? TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO : TotalHits.Relation.EQUAL_TO;
    return new TopDocs(new TotalHits(count, relation), hits);
  }
}
