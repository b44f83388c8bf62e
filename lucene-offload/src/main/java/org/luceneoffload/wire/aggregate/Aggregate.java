/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.AggregateKind;

/**
 * An aggregate that a plan asks for: what to make of the matches' values in one column.
 *
 * @param kind a value of {@link OffloadWire.AggregateKind}
 * @param column index of the plan's column
 * @param statsType STATS: a value of {@link OffloadWire.StatsType}; else 0
 * @param flags bits of {@link OffloadWire.AggregateFlag}
 * @param firstRange RANGES: index of the plan's first range; else 0
 * @param rangeCount RANGES: number of ranges; else 0
 * @param width HISTOGRAM: width of a bucket; else 0
 * @param from TERMS, VALUES, HISTOGRAM: least key that is counted; else 0
 * @param carry STATS: what to begin with; else {@link StatsCarry#NONE}
 */
public record Aggregate(
    int kind,
    int column,
    int statsType,
    int flags,
    int firstRange,
    int rangeCount,
    long width,
    long from,
    StatsCarry carry) {

  private static final int KEY_BYTES = Long.BYTES + Integer.BYTES;

  /** Returns an aggregate of number, sum, least and greatest value. */
  public static Aggregate stats(int column, int type, StatsCarry carry) {
    return new Aggregate(AggregateKind.STATS, column, type, 0, 0, 0, 0, 0, carry);
  }

  /** Returns {@link #stats} with mean and variance. */
  public static Aggregate moments(int column, int type, StatsCarry carry) {
    int flags = OffloadWire.AggregateFlag.MOMENTS;
    return new Aggregate(AggregateKind.STATS, column, type, flags, 0, 0, 0, 0, carry);
  }

  /** Returns an aggregate of counts by ordinal, from one on. */
  public static Aggregate terms(int column, long from) {
    return of(AggregateKind.TERMS, column, 0, 0, 0, from);
  }

  /** Returns an aggregate of counts by value, of {@link Long#MIN_VALUE} on for all. */
  public static Aggregate values(int column, long from) {
    return of(AggregateKind.VALUES, column, 0, 0, 0, from);
  }

  /**
   * Returns an aggregate of counts by bucket of a width of at least 1, of {@link Long#MIN_VALUE} on
   * for all.
   */
  public static Aggregate histogram(int column, long width, long from) {
    return of(AggregateKind.HISTOGRAM, column, 0, 0, width, from);
  }

  /** Returns an aggregate of counts by some of the plan's ranges. */
  public static Aggregate ranges(int column, int firstRange, int rangeCount) {
    return of(AggregateKind.RANGES, column, firstRange, rangeCount, 0, 0);
  }

  private static Aggregate of(
      int kind, int column, int firstRange, int rangeCount, long width, long from) {
    return new Aggregate(kind, column, 0, 0, firstRange, rangeCount, width, from, StatsCarry.NONE);
  }

  /**
   * Returns the aggregate of the keys that a result had no room for: those from its next key on.
   */
  public Aggregate from(long next) {
    return of(kind, column, firstRange, rangeCount, width, next);
  }

  /**
   * Returns how many bytes the keys of a result may take, with their counts: of no more keys than
   * there are values, nor numbers between them.
   *
   * @param min the least value of the column
   * @param max its greatest
   */
  public long mostKeyBytes(long min, long max, long values) {
    if (kind == AggregateKind.TERMS) { // a count for each ordinal
      return (max + 1) * Integer.BYTES;
    }
    long buckets =
        kind == AggregateKind.HISTOGRAM
            ? Math.floorDiv(max, width) - Math.floorDiv(min, width)
            : max - min;
    // Below zero: more than a long holds.
    long keys = buckets < 0 ? values : Math.min(buckets + 1, values);
    return keyed() ? keys * KEY_BYTES : 0;
  }

  /** Returns whether the aggregate counts by key, so that a result may have more keys than room. */
  public boolean keyed() {
    return kind == AggregateKind.TERMS
        || kind == AggregateKind.VALUES
        || kind == AggregateKind.HISTOGRAM;
  }
}
