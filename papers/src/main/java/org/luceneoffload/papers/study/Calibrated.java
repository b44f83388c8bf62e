/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

/**
 * A fitted number.
 *
 * @param path where it stands in the profile; {@code workload.NAME} of a number of the workload
 * @param value its value
 * @param unit its unit
 * @param source what it was fitted to
 */
public record Calibrated(String path, long value, String unit, String source) {}
