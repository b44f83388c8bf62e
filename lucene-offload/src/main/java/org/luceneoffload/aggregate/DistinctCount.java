/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/**
 * How many different values matches have. The number is exact, and so may differ from the estimate
 * that a cluster's HyperLogLog++ gives for many values.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param count different values among them
 */
public record DistinctCount(long docs, long missing, long count) {}
