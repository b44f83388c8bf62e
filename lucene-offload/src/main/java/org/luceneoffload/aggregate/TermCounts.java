/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import org.apache.lucene.util.BytesRef;

/**
 * The commonest keywords.
 *
 * @param docs matches that have a keyword
 * @param missing matches that have none
 * @param values keywords of all matches, each counted once for each match
 * @param distinct different keywords among them
 * @param top those of most matches, most matches first, then in the order of terms
 */
public record TermCounts(long docs, long missing, long values, long distinct, List<Count> top) {
  /** Copies the list. */
  public TermCounts {
    top = List.copyOf(top);
  }

  /**
   * A keyword.
   *
   * @param term its bytes, not to be changed
   * @param count matches that have it
   */
  public record Count(BytesRef term, long count) {}
}
