/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

/**
 * What an aggregate has come to on one result page; arrays are not copied.
 *
 * @param docCount matches that have a value
 * @param valueCount STATS, TERMS: their values; RANGES: matches in at least one range; else 0
 * @param sum STATS: the sum, that of the carry included: a long, or the bits of a double
 * @param min STATS: the least value, likewise; 0 without values
 * @param max STATS: the greatest value, likewise
 * @param mean MOMENTS: the bits of the mean
 * @param variance MOMENTS: the bits of the sum of squared differences from it
 * @param keys VALUES, HISTOGRAM: values or buckets, ascending; else empty
 * @param counts one for each key; TERMS: for each ordinal from the aggregate's first one on;
 *     RANGES: for each range
 * @param more whether there are further keys, which a plan with {@link Aggregate#from} gives
 * @param next the first of these
 */
public record AggregateResult(
    long docCount,
    long valueCount,
    long sum,
    long min,
    long max,
    long mean,
    long variance,
    long[] keys,
    int[] counts,
    boolean more,
    long next) {

  /** Returns the state that STATS of the next segment begin with. */
  public StatsCarry carry(StatsCarry before) {
    return new StatsCarry(before.count() + valueCount, sum, mean, variance);
  }
}
