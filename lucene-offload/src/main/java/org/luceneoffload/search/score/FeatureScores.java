/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.FeatureTable;

/**
 * The scores of a feature under a function and weight. A frequency holds the upper bits of the
 * feature's value: its high byte is the exponent, its low one the start of the mantissa. If a doc
 * has a feature more than once, its frequencies add up; a sum that is no value's counts as the
 * greatest float, as in {@link org.apache.lucene.document.FeatureField}.
 */
public final class FeatureScores {
  private static final int ENTRIES = OffloadWire.NORM_TABLE_ENTRIES;
  private static final int MAX_SEGMENTS = 1000;

  /** Frequencies above it come from docs that have the feature more than once. */
  private static final int MAX_FREQ = Float.floatToIntBits(Float.MAX_VALUE) >>> 15;

  /** The high byte of all frequencies above {@link #MAX_FREQ}: they have the same score. */
  private static final int MAX_HIGH = 0xFF;

  /** High bytes of frequencies. */
  private record Range(int low, int high) {}

  private final FeatureFunction function;
  private final float weight;
  private final Map<Object, Range> ranges = new ConcurrentHashMap<>(); // by the core of a segment
  private final Map<Range, FeatureTable> tables = new ConcurrentHashMap<>();

  public FeatureScores(FeatureFunction function, float weight) {
    this.function = function;
    this.weight = weight;
  }

  /** Returns whether these are the scores of a weight. */
  public boolean isOf(float otherWeight) {
    return bits(weight) == bits(otherWeight);
  }

  /** Returns whether a few docs may have far higher scores than others. */
  public boolean areSkewed() {
    return !function.isBounded();
  }

  /** Returns whether scores are the weight times the value. */
  public boolean areLinear() {
    return function.isLinear();
  }

  /** Returns whether a frequency is that of a value, and not a sum of several. */
  public static boolean isValue(int freq) {
    return freq <= MAX_FREQ;
  }

  /** Returns the weight. */
  public float weight() {
    return weight;
  }

  /** Returns the score of one posting. */
  public float of(int freq) throws RefusedException {
    return checked(freq);
  }

  /**
   * Returns the scores of all postings of the feature in a segment.
   *
   * @throws RefusedException if scores are none that a device takes
   */
  public FeatureTable of(LeafReader reader, Terms terms) throws RefusedException, IOException {
    Range range = range(reader, terms);
    FeatureTable table = tables.get(range);
    if (table == null) {
      table = make(range);
      tables.put(range, table);
    }
    return table;
  }

  /** Returns the range of the high bytes that the feature's frequencies in a segment have. */
  private Range range(LeafReader reader, Terms terms) throws IOException {
    IndexReader.CacheHelper core = reader.getCoreCacheHelper();
    Range known = core == null ? null : ranges.get(core.getKey());
    if (known == null) {
      known = read(terms);
      if (ranges.size() >= MAX_SEGMENTS) {
        ranges.clear();
      }
      if (core != null) {
        ranges.put(core.getKey(), known);
      }
    }
    return known;
  }

  /** Reads all postings, once for a segment: their impacts leave the least frequency open. */
  private Range read(Terms terms) throws IOException {
    TermsEnum at = terms.iterator();
    int least = MAX_HIGH;
    int most = 0;
    if (at.seekExact(function.term().bytes())) {
      PostingsEnum postings = at.postings(null, PostingsEnum.FREQS);
      while (postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        int high = Math.min(postings.freq() >>> 8, MAX_HIGH);
        least = Math.min(least, high);
        most = Math.max(most, high);
      }
    }
    return new Range(Math.min(least, most), most);
  }

  private FeatureTable make(Range range) throws RefusedException {
    float[] scores = new float[(range.high - range.low + 1) * ENTRIES];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = checked(range.low * ENTRIES + i);
    }
    return new FeatureTable(range.low, scores);
  }

  private float checked(int freq) throws RefusedException {
    float value = freq > MAX_FREQ ? Float.MAX_VALUE : Float.intBitsToFloat(freq << 15);
    float score = function.score(weight, value);
    if (!(score >= 0f && Float.isFinite(score)) || bits(score) < 0) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS,
          "the score of a feature is " + score,
          () -> Text.of(function.query()) + ", value " + value);
    }
    return score;
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }
}
