/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import org.apache.lucene.util.BytesRef;

/**
 * Matches by combination of values: a match with several values of a field counts in each
 * combination that it has, and one without a value of some field in none.
 *
 * @param top the combinations that were asked for
 */
public record CombinationCounts(List<Count> top) {
  /** Copies the list. */
  public CombinationCounts {
    top = List.copyOf(top);
  }

  /**
   * A combination.
   *
   * @param keys a {@link BytesRef}, not to be changed, or a {@link Long} of each field
   * @param count matches that have it
   */
  public record Count(List<Object> keys, long count) {
    /** Copies the list. */
    public Count {
      keys = List.copyOf(keys);
    }
  }
}
