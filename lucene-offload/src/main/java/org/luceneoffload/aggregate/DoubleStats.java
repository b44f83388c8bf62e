/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/**
 * Statistics of floating-point numbers. They are added in the order of documents, from 0.0 on, each
 * step rounded to double, so that the sum is the same however the index is searched.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param values values of all matches, equal ones included
 * @param sum their sum
 * @param min the least of them by {@link Double#compare}; NaN if there is none
 * @param max the greatest of them by {@link Double#compare}, for which NaN is above all; NaN if
 *     there is none
 */
public record DoubleStats(
    long docs, long missing, long values, double sum, double min, double max) {}
