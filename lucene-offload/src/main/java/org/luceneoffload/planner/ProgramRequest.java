/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import org.luceneoffload.wire.OffloadWire;

/**
 * The result that a plan is asked for.
 *
 * @param mode a value of {@link OffloadWire.Mode}
 * @param k TOP_K: hits wanted
 * @param threshold TOP_K: matches to count exactly; Integer.MAX_VALUE: all
 * @param maxDoc docs of the segment are below this
 * @param planBytes bytes of the plan
 */
public record ProgramRequest(int mode, int k, int threshold, int maxDoc, int planBytes) {}
