/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.util.List;

/**
 * A request for one of the classic programs, as a planner knows it: what the dictionary says of the
 * lists, and nothing of what they share.
 *
 * @param operation what to do with the lists
 * @param ranked whether the device keeps only the ten best results; the host then ranks all of its
 *     own
 * @param hostRanks whether the host ranks what the device has not
 * @param lengths entries of each list, in the request's order
 * @param maxDoc documents are below this
 */
public record ClassicRequest(
    Operation operation, boolean ranked, boolean hostRanks, List<Integer> lengths, long maxDoc) {
  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException naming what is out of its range
   */
  public ClassicRequest {
    lengths = List.copyOf(lengths);
    if (lengths.size() < 2 || (operation == Operation.DIFFERENCE && lengths.size() > 2)) {
      throw new IllegalArgumentException(lengths.size() + " lists for " + operation);
    }
    for (int length : lengths) {
      if (length < 0 || length > maxDoc) {
        throw new IllegalArgumentException("a list of " + length + " entries, maxDoc " + maxDoc);
      }
    }
  }
}
