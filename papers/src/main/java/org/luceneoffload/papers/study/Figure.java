/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

/**
 * A published figure and the model's.
 *
 * @param published the published figure itself
 * @param modelled what the model says
 * @param deviationPct by how much that is more
 * @param verdict {@code pass}, {@code MISS} or, on other devices than the paper's, {@code shown}
 * @param reason why it is missed, as far as that is known; else absent
 */
public record Figure(
    Published published, double modelled, double deviationPct, String verdict, String reason) {}
