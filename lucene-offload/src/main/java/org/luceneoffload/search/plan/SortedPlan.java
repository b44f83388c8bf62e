/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.List;
import org.luceneoffload.wire.sort.SortKey;

/**
 * The work on a segment for a sorted search.
 *
 * @param leaf what to do, and on whose side
 * @param keys the sort keys of the plan; empty if there is none
 */
public record SortedPlan(LeafPlan leaf, List<SortKey> keys) {}
