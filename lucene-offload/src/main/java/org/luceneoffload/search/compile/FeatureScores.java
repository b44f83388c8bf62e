/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FreqAndNormBuffer;
import org.apache.lucene.index.Impacts;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.FeatureTable;
import org.luceneoffload.wire.OffloadWire;

/**
 * The scores of a feature under a function and weight. A frequency holds the upper bits of the
 * feature's value: its high byte is the exponent, its low one the start of the mantissa.
 */
public final class FeatureScores {
  private static final int ENTRIES = OffloadWire.NORM_TABLE_ENTRIES;
  private static final int MAX_SEGMENTS = 1000;
  private static final int MOST_FREQ = Float.floatToIntBits(Float.MAX_VALUE) >>> 15;

  private final FeatureFunction function;
  private final float weight;
  private final Map<Object, Integer> highs = new ConcurrentHashMap<>(); // by the core of a segment
  private final Map<Integer, FeatureTable> tables = new ConcurrentHashMap<>(); // by high byte

  FeatureScores(FeatureFunction function, float weight) {
    this.function = function;
    this.weight = weight;
  }

  /** Returns whether these are the scores of a weight. */
  boolean isOf(float otherWeight) {
    return bits(weight) == bits(otherWeight);
  }

  /** The score of one posting. */
  public float of(int freq) throws RefusedException {
    return checked(freq);
  }

  /**
   * The scores of all postings of the feature in a segment.
   *
   * @throws RefusedException if scores are none that a device takes
   */
  public FeatureTable of(LeafReader reader, Terms terms) throws RefusedException, IOException {
    int high = high(reader, terms);
    FeatureTable table = tables.get(high);
    if (table == null) {
      table = make(high);
      tables.put(high, table);
    }
    return table;
  }

  /** The high byte of the feature's highest frequency in a segment. */
  private int high(LeafReader reader, Terms terms) throws IOException {
    IndexReader.CacheHelper core = reader.getCoreCacheHelper();
    Integer known = core == null ? null : highs.get(core.getKey());
    if (known == null) {
      known = highestFreq(terms) >>> 8;
      if (highs.size() >= MAX_SEGMENTS) {
        highs.clear();
      }
      if (core != null) {
        highs.put(core.getKey(), known);
      }
    }
    return known;
  }

  /** No posting of the feature has a higher frequency: what stock's impacts say. */
  private int highestFreq(Terms terms) throws IOException {
    TermsEnum at = terms.iterator();
    if (!at.seekExact(function.term().bytes())) {
      return 0;
    }
    ImpactsEnum impacts = at.impacts(PostingsEnum.FREQS);
    int highest = 0;
    for (int doc = 0; doc != DocIdSetIterator.NO_MORE_DOCS; ) {
      impacts.advanceShallow(doc);
      Impacts found = impacts.getImpacts();
      int level = found.numLevels() - 1;
      FreqAndNormBuffer pairs = found.getImpacts(level);
      for (int i = 0; i < pairs.size; i++) {
        highest = Math.max(highest, pairs.freqs[i]);
      }
      int last = found.getDocIdUpTo(level);
      doc = last == DocIdSetIterator.NO_MORE_DOCS ? last : last + 1;
    }
    return Math.min(highest, MOST_FREQ);
  }

  private FeatureTable make(int highest) throws RefusedException {
    float[] scores = new float[(highest + 1) * ENTRIES];
    for (int freq = 0; freq < scores.length; freq++) {
      scores[freq] = checked(Math.min(freq, MOST_FREQ));
    }
    int first = 0;
    while (first < highest && isConstant(scores, first, scores[(first + 1) * ENTRIES])) {
      first++; // what is below the tables scores as the lowest entry
    }
    int last = highest;
    while (last > first && isConstant(scores, last, scores[last * ENTRIES - 1])) {
      last--; // what is above scores as the highest
    }
    float[] kept = new float[(last + 1 - first) * ENTRIES];
    System.arraycopy(scores, first * ENTRIES, kept, 0, kept.length);
    return new FeatureTable(first, kept);
  }

  private static boolean isConstant(float[] scores, int high, float value) {
    for (int i = high * ENTRIES; i < (high + 1) * ENTRIES; i++) {
      if (bits(scores[i]) != bits(value)) {
        return false;
      }
    }
    return true;
  }

  private float checked(int freq) throws RefusedException {
    float value = Float.intBitsToFloat(freq << 15);
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
