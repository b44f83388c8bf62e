/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/**
 * Statistics of whole numbers.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param values values of all matches, equal ones included
 * @param sum their sum, modulo 2<sup>64</sup>
 * @param min the least of them; {@link Long#MAX_VALUE} if there is none
 * @param max the greatest of them; {@link Long#MIN_VALUE} if there is none
 */
public record LongStats(long docs, long missing, long values, long sum, long min, long max) {}
