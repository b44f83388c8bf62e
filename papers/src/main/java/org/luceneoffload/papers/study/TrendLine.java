/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

/**
 * A statement of the paper, judged.
 *
 * @param text the statement
 * @param source where it stands
 * @param fitted whether calibration may look at its experiments
 * @param verdict {@code pass} or {@code MISS}; on other devices than the paper's {@code holds} or
 *     {@code does not}
 * @param seen the modelled figures behind that
 * @param reason why it is missed, as far as that is known; else absent
 */
public record TrendLine(
    String text, String source, boolean fitted, String verdict, String seen, String reason) {}
