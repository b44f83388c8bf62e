/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.join;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.LongsRef;

/**
 * A join by numbers with scores, of a field whose points are its doc values. To Lucene it is the
 * query of JoinUtil; plans ask for the numbers in doc values. The class of that query is not
 * public, and belongs to a module that an application may lack: it is known by its name, and asked
 * for its numbers and scores by way of the {@link SoughtPoints} of no index. Immutable.
 */
public final class NumberJoin extends Query {
  private static final String SCORED =
      "org.apache.lucene.search.join.PointInSetIncludingScoreQuery";

  /** Joins by more numbers are not looked at. */
  private static final int MAX_NUMBERS = 8192;

  private final Query join;
  private final String field;
  private final long[] numbers;
  private final float score;
  private final boolean hasOneScore;

  private NumberJoin(Query join, String field, long[] numbers, float[] scores) {
    this.join = join;
    this.field = field;
    this.numbers = numbers;
    this.score = scores[0];
    boolean same = true;
    for (float other : scores) {
      same &= other == score;
    }
    this.hasOneScore = same;
  }

  /** Returns whether a query is a join by numbers with scores. */
  public static boolean takes(Query query) {
    return query.getClass().getSuperclass().getName().equals(SCORED);
  }

  /**
   * Returns a join for doc values, too.
   *
   * @param join a query of {@link #takes}
   * @param field that it asks about
   * @return null if it asks for nothing, or for too many numbers
   */
  public static NumberJoin of(Query join, String field) throws IOException {
    SoughtPoints points = new SoughtPoints(Long.BYTES, MAX_NUMBERS);
    Scorer scorer;
    try {
      scorer = scorer(join, field, points);
    } catch (IllegalArgumentException e) {
      points = new SoughtPoints(Integer.BYTES, MAX_NUMBERS); // its numbers are not so long
      scorer = scorer(join, field, points);
    }
    LongsRef numbers = points.sought();
    if (numbers.length == 0 || numbers.length == MAX_NUMBERS) {
      return null;
    }
    float[] scores = new float[numbers.length];
    DocIdSetIterator docs = scorer.iterator();
    for (int i = 0; i < scores.length; i++) {
      if (docs.nextDoc() != i) {
        return null;
      }
      scores[i] = scorer.score();
    }
    return new NumberJoin(join, field, Arrays.copyOf(numbers.longs, numbers.length), scores);
  }

  private static Scorer scorer(Query join, String field, SoughtPoints points) throws IOException {
    return join.createWeight(JoinTerms.NO_DOCS, ScoreMode.COMPLETE, 1f)
        .scorer(new SoughtPoints.Reader(field, points).getContext());
  }

  /** Returns the query of JoinUtil. */
  public Query join() {
    return join;
  }

  /** Returns the name of the field. */
  public String field() {
    return field;
  }

  /** Returns the numbers, ascending. */
  public long[] numbers() {
    return numbers.clone();
  }

  /**
   * Returns whether all docs have the same score, which is finite and not negative. Of several
   * numbers of a doc the first counts or the last: doc values do not tell which one a plan found.
   */
  public boolean hasOneScore() {
    return hasOneScore && Float.floatToRawIntBits(score) >= 0 && Float.isFinite(score);
  }

  /** Returns the score of all docs, at whatever boost: that of a join is not used. */
  public float score() {
    return score;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    return join.createWeight(searcher, mode, boost);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    join.visit(visitor);
  }

  @Override
  public String toString(String defaultField) {
    return join.toString(defaultField);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NumberJoin that && join.equals(that.join);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + join.hashCode();
  }
}
