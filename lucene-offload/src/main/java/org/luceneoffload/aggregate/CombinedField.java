/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.Objects;

/**
 * A field whose values are combined with those of others.
 *
 * @param field its name
 * @param keywords whether it has keywords; else it has whole numbers
 */
public record CombinedField(String field, boolean keywords) {
  /** Checks the arguments. */
  public CombinedField {
    Objects.requireNonNull(field, "field");
  }

  /**
   * {@return a field of keywords}
   *
   * @param field name of the field
   */
  public static CombinedField keywords(String field) {
    return new CombinedField(field, true);
  }

  /**
   * {@return a field of whole numbers}
   *
   * @param field name of the field
   */
  public static CombinedField numbers(String field) {
    return new CombinedField(field, false);
  }

  /**
   * Asks for all values of the field.
   *
   * @return the aggregation
   */
  public Aggregation<?> all() {
    return keywords
        ? Aggregation.terms(field, Integer.MAX_VALUE)
        : Aggregation.values(field, Integer.MAX_VALUE);
  }
}
