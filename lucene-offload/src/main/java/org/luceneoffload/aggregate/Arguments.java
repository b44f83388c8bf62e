/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/** Checks arguments of aggregations. */
final class Arguments {
  private Arguments() {}

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException naming it if it is less than 1
   */
  static void atLeastOne(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, got " + value);
    }
  }
}
