/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;

/**
 * The commonest whole numbers.
 *
 * @param docs matches that have a value
 * @param missing matches that have none
 * @param values different values of each match, added up over all matches
 * @param distinct different values among them, exactly
 * @param top those of most matches, most matches first, then ascending
 */
public record ValueCounts(long docs, long missing, long values, long distinct, List<Count> top) {
  /** Copies the list. */
  public ValueCounts {
    top = List.copyOf(top);
  }

  /**
   * A value.
   *
   * @param value the number
   * @param count matches that have it
   */
  public record Count(long value, long count) {}
}
