/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.ScoreTable;

/**
 * What a similarity gives for each frequency and norm byte of one term: it is asked for all of
 * them, so that whatever it computes, scores are its own to the bit.
 */
public final class TermScores {
  /** Whatever knows the highest frequency of a list knows it up to here. */
  private static final int MAX_FREQ = OffloadWire.IMPACT_FREQ_UNBOUNDED - 1;

  private static final int NORMS = OffloadWire.NORM_TABLE_ENTRIES;

  private final SimScorer scorer;
  private final String field;
  private volatile ScoreTable known; // null: nothing yet

  /**
   * Nothing yet of a term.
   *
   * @param scorer the similarity's, made of boost and statistics
   */
  public TermScores(SimScorer scorer, String field) {
    this.scorer = scorer;
    this.field = field;
  }

  /** Returns whether a new scorer gives the same for some postings. */
  public boolean areOf(SimScorer other) {
    ScoreTable table = known;
    return table != null
        && isSame(other, table, 1, 1)
        && isSame(other, table, 1, 100)
        && isSame(other, table, table.count(), 50);
  }

  private static boolean isSame(SimScorer scorer, ScoreTable table, int freq, int norm) {
    return bits(scorer.score(freq, (byte) norm)) == bits(table.get(freq, norm));
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  /** Returns the score of the one posting of a list. */
  public float ofOnly(OffloadTermState list) throws RefusedException {
    return checked(list.inlineFreq(), list.inlineNorm());
  }

  /**
   * Returns the scores of all postings of a list.
   *
   * @throws RefusedException if its frequencies are too high, or the scores are none that a device
   *     takes
   */
  public ScoreTable of(OffloadTermState list) throws RefusedException {
    int most = highestFreq(list);
    if (most > MAX_FREQ) {
      throw new RefusedException(
          Refusal.Reason.SIMILARITY,
          "field \"" + field + "\" has a term more than " + MAX_FREQ + " times in a document");
    }
    ScoreTable table = known;
    return (table != null && table.count() >= most ? table : grow(most)).upTo(most);
  }

  /**
   * Returns a frequency that no posting of a list exceeds; above {@link #MAX_FREQ} if none is
   * known.
   */
  private static int highestFreq(OffloadTermState list) {
    long most = list.impacts() == 0 ? MAX_FREQ + 1 : 0;
    for (long pairs = list.impacts(); pairs != 0; pairs >>>= 16) {
      most = Math.max(most, pairs & 0xFF);
    }
    // All postings but one have at least one occurrence each.
    long left = list.totalTermFreq - list.docFreq + 1L;
    return (int) (left > 0 ? Math.min(most, left) : most);
  }

  private synchronized ScoreTable grow(int freqs) throws RefusedException {
    ScoreTable before = known;
    int from = before == null ? 0 : before.count();
    if (from >= freqs) {
      return before;
    }
    float[] scores = new float[freqs * NORMS];
    for (int freq = 1; freq <= freqs; freq++) {
      int at = (freq - 1) * NORMS;
      for (int norm = 1; norm < NORMS; norm++) {
        float score = freq <= from ? before.get(freq, norm) : checked(freq, norm);
        boolean rises = norm > 1 && score > scores[at + norm - 1];
        if (rises || (freq > 1 && score < scores[at + norm - NORMS])) {
          throw refused("does not rise with frequency and fall with norm: ", score, freq, norm);
        }
        scores[at + norm] = score;
      }
      scores[at] = scores[at + 1]; // no doc with the term has norm 0
    }
    known = new ScoreTable(scores);
    return known;
  }

  private float checked(int freq, int norm) throws RefusedException {
    // As stock reads norms: a byte with its sign.
    float score = scorer.score(freq, (byte) norm);
    if (!(score >= 0f && Float.isFinite(score)) || bits(score) < 0) {
      throw refused("is ", score, freq, norm);
    }
    return score;
  }

  private RefusedException refused(String what, float score, int freq, int norm) {
    return new RefusedException(
        Refusal.Reason.SIMILARITY,
        "a score of field \""
            + field
            + "\" "
            + what
            + score
            + " of frequency "
            + freq
            + " and norm "
            + norm);
  }
}
