/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

/**
 * A number of a profile.
 *
 * @param value the number, in {@code unit}
 * @param unit its unit, as the field demands it
 * @param source where the number comes from: a document and a place in it, or how it was derived
 * @param calibrated whether it was fitted to measurements, rather than read from a source
 */
public record ProfileValue(long value, String unit, String source, boolean calibrated) {}
