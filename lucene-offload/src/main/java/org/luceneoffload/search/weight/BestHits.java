/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.TernaryLongHeap;

/**
 * Lucene's collector of the best hits, which is behind the leaf collector that a bulk scorer gets.
 * It counts a match when it collects it, so it can be given the best hits alone only by who adds
 * the others to its count. That, and what it was asked for, are fields that can be read where
 * {@code search.ManagerFields} can read those of managers.
 */
final class BestHits {
  private static final Class<?> LEAF = leaf();
  private static final VarHandle COLLECTOR = field(LEAF, "this$0", TopScoreDocCollector.class);
  private static final VarHandle WORST = field(LEAF, "topScore", float.class);
  private static final VarHandle HEAP =
      field(TopScoreDocCollector.class, "heap", TernaryLongHeap.class);
  private static final VarHandle AFTER = field(TopScoreDocCollector.class, "after", ScoreDoc.class);
  private static final VarHandle THRESHOLD =
      field(TopScoreDocCollector.class, "totalHitsThreshold", int.class);
  private static final VarHandle COUNT = field(TopDocsCollector.class, "totalHits", int.class);
  private static final VarHandle RELATION =
      field(TopDocsCollector.class, "totalHitsRelation", TotalHits.Relation.class);
  private static final boolean READABLE =
      COLLECTOR != null
          && WORST != null
          && HEAP != null
          && AFTER != null
          && THRESHOLD != null
          && COUNT != null
          && RELATION != null;

  private final LeafCollector leaf;
  private final TopScoreDocCollector collector;

  private BestHits(LeafCollector leaf) {
    this.leaf = leaf;
    this.collector = (TopScoreDocCollector) COLLECTOR.get(leaf);
  }

  private static Class<?> leaf() {
    try {
      ClassLoader loader = TopScoreDocCollector.class.getClassLoader();
      return Class.forName(TopScoreDocCollector.class.getName() + "$1", false, loader);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Returns null if there is no such field, or if it cannot be read. */
  private static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return owner == null
          ? null
          : MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
              .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException | SecurityException e) {
      return null;
    }
  }

  /** Returns the collector behind that of a segment; null if it is another one. */
  static BestHits behind(LeafCollector leaf) {
    return READABLE && leaf.getClass() == LEAF ? new BestHits(leaf) : null;
  }

  /** Returns the number of hits wanted. */
  int wanted() {
    return ((TernaryLongHeap) HEAP.get(collector)).size();
  }

  /** Returns the hit after which all have to come; null for the first ones. */
  ScoreDoc after() {
    return (ScoreDoc) AFTER.get(collector);
  }

  /** Returns the score that hits have to reach; not positive if there are fewer than wanted. */
  float least() {
    return (float) WORST.get(leaf);
  }

  /** Returns the number of matches that are still to be counted exactly; Integer.MAX_VALUE: all. */
  int toCount() {
    int threshold = (int) THRESHOLD.get(collector);
    return threshold == Integer.MAX_VALUE
        ? threshold
        : Math.max(0, threshold - (int) COUNT.get(collector));
  }

  /** Counts matches that are not collected. */
  void count(long matches, boolean lowerBound) {
    COUNT.set(collector, Math.toIntExact((int) COUNT.get(collector) + matches));
    if (lowerBound) {
      RELATION.set(collector, TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO);
    }
  }
}
