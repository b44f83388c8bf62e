/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import org.apache.lucene.search.LeafCollector;

/**
 * Whether collectors of a class stop before the end of a segment. Those that never do get large
 * result pages at once; a stop makes the first pages of its class small again. Threads share the
 * count without a lock: an update that is lost costs time at most.
 */
final class EarlyStops {
  /** Segments that were collected to the end since the last stop, until a class is trusted. */
  static final int TRUSTED = 8;

  private static final ClassValue<EarlyStops> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected EarlyStops computeValue(Class<?> type) {
          return new EarlyStops();
        }
      };

  private int tookAll;

  private EarlyStops() {}

  /** Returns what is known of collectors of this class. */
  static EarlyStops of(LeafCollector collector) {
    return BY_CLASS.get(collector.getClass());
  }

  /** Returns whether collectors of the class are likely to take all matches of a segment. */
  boolean areUnlikely() {
    return tookAll >= TRUSTED;
  }

  /** Notes that a collector took a segment to its end. */
  void tookAll() {
    if (tookAll < TRUSTED) {
      tookAll++;
    }
  }

  /** Notes that a collector ended the collection of a segment. */
  void stopped() {
    tookAll = 0;
  }
}
