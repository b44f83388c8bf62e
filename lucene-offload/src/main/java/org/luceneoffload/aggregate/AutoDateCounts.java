/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/**
 * Matches by interval of a length that suits them.
 *
 * @param interval the length
 * @param counts the intervals that have matches
 */
public record AutoDateCounts(AutoInterval interval, DateCounts counts) {}
