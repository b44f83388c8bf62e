/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.List;
import org.luceneoffload.wire.OffloadWire;

/**
 * The result that a plan is asked for.
 *
 * @param mode a value of {@link OffloadWire.Mode}
 * @param k TOP_K, TOP_K_BY_COLUMN: hits wanted
 * @param threshold TOP_K: matches to count exactly; Integer.MAX_VALUE: all
 * @param maxDoc docs of the segment are below this
 * @param planBytes bytes of the plan
 * @param columnPages TOP_K_BY_COLUMN, AGGREGATE: pages of each column that is sorted by or
 *     aggregated, in that order
 */
public record ProgramRequest(
    int mode, int k, int threshold, int maxDoc, int planBytes, List<Integer> columnPages) {
  /** Copies the list. */
  public ProgramRequest {
    columnPages = List.copyOf(columnPages);
  }

  /** A request without columns of its own. */
  public ProgramRequest(int mode, int k, int threshold, int maxDoc, int planBytes) {
    this(mode, k, threshold, maxDoc, planBytes, List.of());
  }
}
