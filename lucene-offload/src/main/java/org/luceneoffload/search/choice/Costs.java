/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

/**
 * What parts of a search take, in nanoseconds, by the engine in the process and by stock Lucene.
 * Only their ratios matter. Measured between 2026-11-24 and 2026-11-26, with JDK 21, on one of the
 * machines of {@code docs/PERFORMANCE.md}: two virtual cores with AVX-512, beside other work; what
 * areas take on 2026-11-28, with JDK 25. The program {@code ChoiceCosts} of {@code benchmarks/}
 * measures each of them again.
 */
public final class Costs {
  // What the engine takes for a value that it compares with ranges, one after the other, or looks
  // up in a map of those asked for.

  /** A value of a column page, whatever its bits. */
  public static final double VALUE_NS = 0.1;

  /** A bit of such a value, for each range that it is compared with. */
  public static final double BIT_OF_RUN_NS = 0.005;

  /** A value that is looked up in a map of a page's values, whatever its bits. */
  public static final double MAPPED_VALUE_NS = 0.6;

  /** A bit of such a value. */
  public static final double BIT_OF_MAPPED_NS = 0.03;

  /** A value of too many bits for such a map. */
  public static final double WIDE_MAPPED_NS = 3;

  /** A document without a value in a column page. */
  public static final double DOC_WITHOUT_NS = 0.04;

  /**
   * A point of a column that is compared with the latitudes of an area, where the column is larger
   * than the processor's caches. In these it is 0.5, which is what ChoiceCosts measures.
   */
  public static final double AREA_VALUE_NS = 1.2;

  /** The point of a document that other clauses have found. */
  public static final double AREA_LOOKED_UP_NS = 70;

  /** A point on the latitudes of an area, of which the longitude is looked at, or a distance. */
  public static final double AREA_POINT_NS = 4.3;

  /** The value of a document that other clauses have found. */
  public static final double LOOKED_UP_NS = 25;

  // What stock takes by points.

  /** A leaf of a field's points. */
  public static final double LEAF_NS = 700;

  /** A node of a tree of points of two dimensions, with what is read of it. */
  public static final double AREA_NODE_NS = 2300;

  /** A document that is found by an area's points and asked of other clauses. */
  public static final double AREA_LED_NS = 17;

  /** A grid of a circle: stock makes one more, of points and of doc values, than a plan has. */
  public static final double GRID_NS = 250_000;

  /** A different value in a leaf. */
  public static final double LEAF_VALUE_NS = 12;

  /** A document that is found and counted. */
  public static final double COUNTED_NS = 4;

  /** A document that is found and ranked, at the one score that all have. */
  public static final double RANKED_NS = 1;

  /** A document that is found and asked of other clauses. */
  public static final double LED_NS = 80;

  /** A document that is found and asked of a disjunction, too. */
  public static final double LED_TO_ANY_NS = 100;

  /** The set-up beside a disjunction, which reads impacts for skipping. */
  public static final double ANY_NS = 25_000;

  /**
   * Linear features from which on the engine ranks a disjunction sooner, however few score far more
   * than others. A number, not a time.
   */
  public static final int LINEAR_FEATURES = 2;

  // What a query takes beside that.

  /** The plan of a segment that stock does not use. */
  public static final double PLAN_NS = 3000;

  // What several plans take, against one pass of the host over the matches.

  /** Planning and running a plan of a segment. */
  public static final double PASS_PLAN_NS = 10_000;

  /** A document of the index, where columns alone say which documents match. */
  public static final double PASS_SCAN_NS = 0.2;

  /** A match, where lists say so. */
  public static final double PASS_MATCH_NS = 5;

  /** The host's beginning in a segment. */
  public static final double PASS_BEGIN_NS = 20_000;

  /** A value of a match that the host looks up. */
  public static final double PASS_VALUE_NS = 15;

  private Costs() {}
}
