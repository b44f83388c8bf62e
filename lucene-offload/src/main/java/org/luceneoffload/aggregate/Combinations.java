/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import java.util.Objects;
import org.apache.lucene.util.BytesRef;

/**
 * See {@link Aggregation#combinations} and {@link Aggregation#combinationsByKey}.
 *
 * @param fields at least one
 * @param byKey whether the first ones by their keys are wanted; else the commonest
 * @param n how many
 * @param after of those by key only greater ones are wanted: a {@link BytesRef} or {@link Long} for
 *     each field; null: from the first one on
 */
public record Combinations(List<CombinedField> fields, boolean byKey, int n, List<Object> after)
    implements Aggregation<CombinationCounts> {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if there are too few of something, or {@code after} does not
   *     fit the fields
   */
  public Combinations {
    fields = List.copyOf(fields);
    Arguments.atLeastOne("number of fields", fields.size());
    Arguments.atLeastOne("n", n);
    if (after != null) {
      after = List.copyOf(after);
      check(fields, byKey, after);
    }
  }

  private static void check(List<CombinedField> fields, boolean byKey, List<Object> after) {
    if (!byKey) {
      throw new IllegalArgumentException("the commonest combinations have no order to go on in");
    }
    boolean fits = after.size() == fields.size();
    for (int i = 0; i < fields.size() && fits; i++) {
      fits = fields.get(i).keywords() ? after.get(i) instanceof BytesRef : isNumber(after.get(i));
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "a keyword or a number is needed for each of " + fields + ", got " + after);
    }
  }

  private static boolean isNumber(Object key) {
    return Objects.requireNonNull(key) instanceof Long;
  }

  @Override
  public String field() {
    return fields.get(0).field();
  }
}
