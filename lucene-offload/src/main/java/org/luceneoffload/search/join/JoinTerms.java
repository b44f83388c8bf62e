/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.join;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefIterator;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;

/**
 * The terms that a query of JoinUtil looks for, each with the score of the documents it was joined
 * from. The classes of these queries are not public, and belong to a module that an application may
 * lack: they are known by their names, and asked for their terms and scores by way of the {@link
 * SoughtTerms} of no index. For any number of threads.
 */
public final class JoinTerms {
  private static final String SET = "org.apache.lucene.search.join.TermsQuery";
  private static final String SCORED = "org.apache.lucene.search.join.TermsIncludingScoreQuery";

  /** The scorers of scored queries: a doc has the score of the first of its terms, or the last. */
  private static final String FIRST_COUNTS = "MVInOrderScorer";

  private static final String LAST_COUNTS = "SVInOrderScorer";

  /** A searcher of no index, which hidden classes of queries are asked with. */
  static final IndexSearcher NO_DOCS = searcherOfNothing();

  private final TermInSetQuery terms;
  private final float[] scores; // of the terms in their order
  private final boolean firstCounts;
  private final float least;
  private final float most;

  private JoinTerms(TermInSetQuery terms, float[] scores, boolean firstCounts) {
    this.terms = terms;
    this.scores = scores;
    this.firstCounts = firstCounts;
    float low = scores.length == 0 ? 0f : scores[0];
    float high = low;
    for (float score : scores) {
      low = Math.min(low, score);
      high = Math.max(high, score);
    }
    this.least = low;
    this.most = high;
  }

  private static IndexSearcher searcherOfNothing() {
    try {
      return new IndexSearcher(new MultiReader());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether queries of a class may be joins with scores. */
  public static boolean takes(Class<?> type) {
    return type.getName().equals(SCORED);
  }

  /** Returns the terms and scores of a join; null if it is another one than is known. */
  public static JoinTerms of(Query query) {
    try {
      SoughtTerms sought = new SoughtTerms(0);
      String scorer = scorer(query, sought).getClass().getSimpleName();
      List<BytesRef> terms = sought.sought();
      float[] scores = new float[terms.size()];
      Scorer known = scorer(query, new SoughtTerms(scores.length));
      DocIdSetIterator docs = known.iterator();
      for (int i = 0; i < scores.length; i++) {
        if (docs.nextDoc() != i) {
          return null;
        }
        scores[i] = known.score();
      }
      return scorer.equals(FIRST_COUNTS) || scorer.equals(LAST_COUNTS)
          ? new JoinTerms(
              new TermInSetQuery(sought.field(), terms), scores, scorer.equals(FIRST_COUNTS))
          : null;
    } catch (IOException e) {
      throw new AssertionError(e); // nothing is read
    }
  }

  /**
   * Returns what scores the docs of some terms. A query that is asked for scores does not change;
   * one that is not would sort its terms anew, which other threads may be reading.
   */
  private static Scorer scorer(Query query, SoughtTerms terms) throws IOException {
    Weight weight = query.createWeight(NO_DOCS, ScoreMode.COMPLETE, 1f);
    return weight.scorer(new SoughtTerms.Reader(terms).getContext());
  }

  /** Returns whether a query is a join without scores. */
  public static boolean isSet(MultiTermQuery query) {
    return query.getClass().getName().equals(SET);
  }

  /** Returns the query for the terms of a join without scores: a set, which tells its terms. */
  public static TermInSetQuery set(MultiTermQuery join) {
    try {
      SoughtTerms sought = new SoughtTerms(0);
      TermsEnum terms = join.getTermsEnum(sought);
      while (terms.next() != null) {
        // Each is noted.
      }
      return new TermInSetQuery(join.getField(), sought.sought());
    } catch (IOException e) {
      throw new AssertionError(e); // nothing is read
    }
  }

  /** Returns the terms. */
  public TermInSetQuery terms() {
    return terms;
  }

  /** Returns whether all scores are finite, and none is negative. */
  public boolean hasPlainScores() {
    return Float.floatToRawIntBits(least) >= 0 && Float.isFinite(most);
  }

  /** Returns whether all terms have the same score. */
  public boolean hasOneScore() {
    return least == most;
  }

  /** Returns the greatest score. */
  public float most() {
    return most;
  }

  /**
   * The lists of a segment, and the score of each.
   *
   * @param lists those that score a doc of several of them first
   */
  public record Found(TermLists lists, float[] scores) {}

  /**
   * Returns the lists of the terms that a segment has.
   *
   * @param limit of more lists one more is found
   * @return null if it is not known where a term's list is
   */
  public Found in(OffloadTerms all, int limit) throws IOException {
    TermLists.Builder lists = new TermLists.Builder();
    float[] found = new float[Math.min(scores.length, limit + 1)];
    BytesRefIterator wanted = terms.getBytesRefIterator();
    TermsEnum at = all.isHashed() ? null : all.acquireEnum();
    for (int i = 0; i < scores.length && lists.size() <= limit; i++) {
      BytesRef term = wanted.next();
      OffloadTermState state = null;
      if (at == null) {
        state = all.find(term);
      } else if (at.seekExact(term)) {
        state = all.withList(at.termState(), term, false);
        if (state == null) {
          return null;
        }
      }
      if (state == null) {
        continue;
      }
      found[lists.size()] = scores[i];
      if (!state.hasDeviceList() || !lists.add(state)) {
        return null;
      }
    }
    if (at != null) {
      all.release(at);
    }
    return firstCounts ? new Found(lists.build(), found) : reversed(lists.build(), found);
  }

  private static Found reversed(TermLists lists, float[] scores) {
    TermLists.Builder other = new TermLists.Builder();
    float[] others = new float[scores.length];
    for (int i = lists.size() - 1; i >= 0; i--) {
      others[other.size()] = scores[i];
      other.add(lists, i);
    }
    return new Found(other.build(), others);
  }
}
