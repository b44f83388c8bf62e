/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;

/** Which similarity scores a field. */
public final class FieldSimilarity {
  private FieldSimilarity() {}

  /** Returns the similarity of a field. */
  public static Similarity of(Similarity searcherSimilarity, String field) throws RefusedException {
    Similarity similarity = searcherSimilarity;
    while (similarity instanceof PerFieldSimilarityWrapper wrapper) {
      similarity = wrapper.get(field);
    }
    if (similarity == null) {
      throw refused(field, "null");
    }
    return similarity;
  }

  /** Returns the similarity of a field, which has to be BM25 itself. */
  public static BM25Similarity bm25(Similarity searcherSimilarity, String field)
      throws RefusedException {
    Similarity similarity = of(searcherSimilarity, field);
    if (!isBm25(similarity)) {
      throw refused(field, similarity.getClass().getName());
    }
    return (BM25Similarity) similarity;
  }

  /** Returns whether scores are those that {@link Bm25Tables} computes. */
  public static boolean isBm25(Similarity similarity) {
    return similarity.getClass() == BM25Similarity.class; // others may compute otherwise
  }

  /** Returns whether whatever matches in a field scores its boost. */
  public static boolean isConstant(Similarity searcherSimilarity, String field)
      throws RefusedException {
    return of(searcherSimilarity, field).getClass() == BooleanSimilarity.class;
  }

  private static RefusedException refused(String field, String name) {
    return new RefusedException(
        Refusal.Reason.SIMILARITY, "field \"" + field + "\" is scored by " + name);
  }
}
