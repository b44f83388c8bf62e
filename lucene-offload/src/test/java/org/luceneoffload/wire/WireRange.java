/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/**
 * A range of values of a column.
 *
 * @param lo least value
 * @param hi greatest value, at least {@code lo}
 */
public record WireRange(long lo, long hi) {}
