/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.PlanLayout;

/**
 * Adds to a layout the columns and value ranges that the tail of a plan refers to. The tail is the
 * part of a plan that only its mode has: aggregates, sort keys.
 */
@FunctionalInterface
interface TailReferences {
  /**
   * Adds columns and value ranges.
   *
   * @param root of the plan's tree
   * @throws RefusedException if that exceeds a limit, or the device has no such column
   */
  void addTo(LeafNode root, PlanLayout layout) throws RefusedException, IOException;
}
