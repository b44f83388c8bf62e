/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldCollectorManager;

/**
 * A {@link TopFieldCollectorManager} that an {@link OffloadIndexSearcher} recognises: the device
 * sorts what it can, as with {@link OffloadIndexSearcher#search(org.apache.lucene.search.Query,
 * int, Sort)}. Lucene's own manager shows its collectors to all callers, so the device only finds
 * the matches that it collects. With other searchers this one is Lucene's.
 *
 * <p>{@link #getCollectors()} has no collectors of a search that the device has answered.
 */
public final class OffloadTopFieldCollectorManager extends TopFieldCollectorManager {
  final Sort sort;
  final int numHits;
  final FieldDoc after;
  final int totalHitsThreshold;

  /**
   * Asks for a page of hits.
   *
   * @param sort the order of the hits
   * @param numHits hits wanted
   * @param after hits come after this one; null: the first ones
   * @param totalHitsThreshold matches to count exactly
   * @see TopFieldCollectorManager#TopFieldCollectorManager(Sort, int, FieldDoc, int)
   */
  public OffloadTopFieldCollectorManager(
      Sort sort, int numHits, FieldDoc after, int totalHitsThreshold) {
    super(sort, numHits, after, totalHitsThreshold);
    this.sort = sort;
    this.numHits = numHits;
    this.after = after;
    this.totalHitsThreshold = totalHitsThreshold;
  }

  /**
   * Asks for the first hits.
   *
   * @param sort the order of the hits
   * @param numHits hits wanted
   * @param totalHitsThreshold matches to count exactly
   * @see TopFieldCollectorManager#TopFieldCollectorManager(Sort, int, int)
   */
  public OffloadTopFieldCollectorManager(Sort sort, int numHits, int totalHitsThreshold) {
    this(sort, numHits, null, totalHitsThreshold);
  }
}
