/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.Objects;

/**
 * See {@link Aggregation#autoDates}.
 *
 * @param buckets intervals from the first to the last at most
 */
public record AutoDates(String field, int buckets) implements Aggregation<AutoDateCounts> {
  /** Checks the arguments. */
  public AutoDates {
    Objects.requireNonNull(field, "field");
    Arguments.atLeastOne("buckets", buckets);
  }
}
