/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

/**
 * The state that STATS begin with, so that segments that are aggregated one after the other give
 * what one segment would.
 *
 * @param count values so far; below 2^62
 * @param sum their sum: a long, or the bits of a double
 * @param mean the bits of their mean
 * @param variance the bits of the sum of squared differences from it
 */
public record StatsCarry(long count, long sum, long mean, long variance) {
  /** Nothing so far. */
  public static final StatsCarry NONE = new StatsCarry(0, 0, 0, 0);
}
