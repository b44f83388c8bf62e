/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

/**
 * A statement of the paper and whether it holds.
 *
 * @param text the statement
 * @param source where it stands
 * @param fitted whether a fit has seen it
 * @param holds whether it does
 * @param seen the modelled figures behind that
 */
public record Trend(String text, String source, boolean fitted, boolean holds, String seen) {}
