/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.util.Arrays;
import org.luceneoffload.wire.OffloadWire;

/**
 * Impacts words: at most {@link OffloadWire#IMPACT_PAIRS} pairs (frequency, norm byte) that bound
 * the score of every posting that the word stands for, since a score grows with the frequency and
 * shrinks with the norm.
 *
 * <p>Pair i has its frequency in bits 16i to 16i+7 and its norm byte in the eight bits above. A
 * frequency of 0 marks an unused pair, {@link OffloadWire#IMPACT_FREQ_UNBOUNDED} stands for itself
 * and every higher one. The pairs are the Pareto frontier of the postings, by ascending norm; when
 * it has more points, neighbours are merged into (higher frequency, lower norm), those first whose
 * merging gives the least away. A word of 0 says nothing.
 *
 * <p>An instance holds scratch memory and serves one thread; the static methods serve all.
 */
public final class Impacts {
  private static final int NORMS = 256;
  private static final int PAIR_BITS = 16;

  /** Highest frequency seen with each norm; all zero between calls. */
  private final int[] maxFreq = new int[NORMS];

  private final int[] pointFreq = new int[NORMS];
  private final int[] pointNorm = new int[NORMS];

  /** Scratch memory for one thread. */
  public Impacts() {}

  /**
   * Returns the impacts of some postings.
   *
   * @param freqs frequencies, at least 1
   * @param norms norm bytes, 0 to 255
   * @param count postings, at least 1
   */
  public long of(int[] freqs, int[] norms, int count) {
    int low = NORMS - 1;
    int high = 0;
    for (int i = 0; i < count; i++) {
      int norm = norms[i];
      maxFreq[norm] = Math.max(maxFreq[norm], freqs[i]);
      low = Math.min(low, norm);
      high = Math.max(high, norm);
    }
    return takeFrontier(low, high);
  }

  /** Returns the impacts of the postings of two words; 0 (unknown) if either is. */
  public long merge(long a, long b) {
    if (a == b) {
      return a;
    }
    if (a == 0 || b == 0) {
      return 0;
    }
    int low = NORMS - 1;
    int high = 0;
    for (int i = 0; i < 2 * OffloadWire.IMPACT_PAIRS; i++) {
      long word = i < OffloadWire.IMPACT_PAIRS ? a : b;
      int pair = i % OffloadWire.IMPACT_PAIRS;
      int freq = freq(word, pair);
      if (freq != 0) {
        int norm = norm(word, pair);
        maxFreq[norm] = Math.max(maxFreq[norm], freq);
        low = Math.min(low, norm);
        high = Math.max(high, norm);
      }
    }
    return takeFrontier(low, high);
  }

  /** Returns the frequency of a pair; 0 if the pair is unused. */
  public static int freq(long word, int pair) {
    return (int) (word >>> (PAIR_BITS * pair)) & 0xFF;
  }

  /** Returns the norm byte of a pair. */
  public static int norm(long word, int pair) {
    return (int) (word >>> (PAIR_BITS * pair + Byte.SIZE)) & 0xFF;
  }

  /** Returns whether a posting is bounded by a pair of the word; true if the word says nothing. */
  public static boolean covers(long word, int freq, int norm) {
    if (word == 0) {
      return true;
    }
    int capped = Math.min(freq, OffloadWire.IMPACT_FREQ_UNBOUNDED);
    for (int pair = 0; pair < OffloadWire.IMPACT_PAIRS; pair++) {
      if (freq(word, pair) >= capped && norm(word, pair) <= norm) {
        return true;
      }
    }
    return false;
  }

  /** Turns {@link #maxFreq} between two norms into a word, and clears it. */
  private long takeFrontier(int low, int high) {
    int points = 0;
    int best = 0;
    for (int norm = low; norm <= high; norm++) {
      int freq = maxFreq[norm];
      if (freq > best) {
        best = Math.min(freq, OffloadWire.IMPACT_FREQ_UNBOUNDED);
        pointFreq[points] = best;
        pointNorm[points++] = norm;
        if (best == OffloadWire.IMPACT_FREQ_UNBOUNDED) {
          break;
        }
      }
    }
    Arrays.fill(maxFreq, low, high + 1, 0);
    while (points > OffloadWire.IMPACT_PAIRS) {
      points = mergeCheapest(points);
    }
    long word = 0;
    for (int i = 0; i < points; i++) {
      word |= (long) (pointNorm[i] << Byte.SIZE | pointFreq[i]) << (PAIR_BITS * i);
    }
    return word;
  }

  /**
   * Merges the two neighbours whose union overstates least. The score saturates in the frequency,
   * so a step of it counts relative to where it leads; norm bytes are a logarithm of the length, so
   * theirs counts as it is.
   */
  private int mergeCheapest(int points) {
    int cheapest = 0;
    float least = Float.POSITIVE_INFINITY;
    for (int i = 0; i + 1 < points; i++) {
      float freqStep = (float) (pointFreq[i + 1] - pointFreq[i]) / pointFreq[i + 1];
      float cost = freqStep * (pointNorm[i + 1] - pointNorm[i]);
      if (cost < least) {
        least = cost;
        cheapest = i;
      }
    }
    pointFreq[cheapest] = pointFreq[cheapest + 1];
    int moved = points - cheapest - 2;
    System.arraycopy(pointFreq, cheapest + 2, pointFreq, cheapest + 1, moved);
    System.arraycopy(pointNorm, cheapest + 2, pointNorm, cheapest + 1, moved);
    return points - 1;
  }
}
