/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

/**
 * What the memory of a device did since it was opened.
 *
 * @param hits pages that plans found there
 * @param loads pages that were read from the store
 * @param reloads of these, pages that were known from before, so that they were not checked in full
 * @param evictions pages that left for others
 * @param asked pages that plans asked for before they were to use them
 * @param readAhead of a device that reads past the system's cache: loads that found their page read
 *     or under way
 * @param readsAhead of such a device: reads that nobody waited for when they began, each of pages
 *     that lie together
 * @param deepest of such a device: most pages that were under way at once
 */
public record MemoryCounts(
    long hits,
    long loads,
    long reloads,
    long evictions,
    long asked,
    long readAhead,
    long readsAhead,
    long deepest) {
  /** Of a device that does not say. */
  public static final MemoryCounts NONE = new MemoryCounts(0, 0, 0, 0, 0, 0, 0, 0);
}
