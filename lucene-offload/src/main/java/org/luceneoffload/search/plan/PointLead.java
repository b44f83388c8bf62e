/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSortSortedNumericDocValuesRangeQuery;
import org.apache.lucene.search.PointInSetQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.DeviceColumns;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.PointFilter;
import org.luceneoffload.search.plan.node.ColumnLeaf;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.wire.OffloadWire;

/**
 * Weighs the engine in the process against stock for plans with a required clause whose docs stock
 * finds by points: a few docs of a few leaves, where the engine looks at the value of every doc of
 * the pages that may have a match, or of every doc that the rest of the query finds. All times are
 * in nanoseconds, measured on one machine: only their ratios matter.
 */
public final class PointLead {
  // What a device takes for a value that it finds in a page, or that it looks up.
  private static final double VALUE_NS = 0.1;
  private static final double BIT_OF_RUN_NS = 0.005;
  private static final double MAPPED_VALUE_NS = 0.6;
  private static final double BIT_OF_MAPPED_NS = 0.03;
  private static final double WIDE_MAPPED_NS = 3;
  private static final double DOC_WITHOUT_NS = 0.04;
  private static final double LOOKED_UP_NS = 25;

  /** Ranges that a device compares one after the other; with more it looks values up in a map. */
  private static final int MAX_RUNS = 8;

  // What stock takes for a leaf, and each different value in it; for a doc that it has found, which
  // is counted or ranked, or which other clauses are led to.
  private static final double LEAF_NS = 700;
  private static final double LEAF_VALUE_NS = 12;
  private static final double COUNTED_NS = 4;
  private static final double RANKED_NS = 1;
  private static final double LED_NS = 80;

  // Likewise beside a disjunction, and what stock takes longer for that, however few docs there
  // are: it makes ready to skip what does not compete.
  private static final double LED_TO_ANY_NS = 100;
  private static final double ANY_NS = 25_000;

  /** Values of more bits are looked up in a map one by one. */
  private static final int MAX_MAPPED_BITS = 26;

  /** Leaves that a range has in part. */
  private static final int ENDS_OF_RANGE = 2;

  /** What the plan of the segment took that stock will not use. */
  private static final double PLAN_NS = 3000;

  /** Below this, compiling, planning and running a query takes a good part of stock's time. */
  private static final double MIN_NS = 60_000;

  private static final long NO_OTHERS = Long.MAX_VALUE;

  private final LeafReaderContext context;
  private final int maxDoc;
  private final double matchNs;
  private final double anyNs;

  private PointLead(LeafReaderContext context, double matchNs, double anyNs) {
    this.context = context;
    this.maxDoc = context.reader().maxDoc();
    this.matchNs = matchNs;
    this.anyNs = anyNs;
  }

  /**
   * Returns why stock is expected to be quicker; null if it is not.
   *
   * @param plan with work for the device
   * @param mode the mode that it runs in
   */
  static Refusal refusal(LeafReaderContext context, LeafPlan plan, int mode) throws IOException {
    List<LeafNode> required = new ArrayList<>();
    long anyOf = addRequired(plan.root(), required);
    PointLead lead;
    if (anyOf != NO_OTHERS) {
      lead = new PointLead(context, LED_TO_ANY_NS, ANY_NS);
    } else if (required.size() > 1) {
      lead = new PointLead(context, LED_NS, 0);
    } else {
      lead = new PointLead(context, mode == OffloadWire.Mode.TOP_K ? RANKED_NS : COUNTED_NS, 0);
    }
    for (LeafNode node : required) {
      if (node instanceof ColumnLeaf column && lead.pays(column, others(required, column, anyOf))) {
        return new Refusal(
            Refusal.Reason.PLANNER,
            "stock finds the docs by the points of field \"" + column.field() + "\"");
      }
    }
    return null;
  }

  /**
   * Returns whether a query asks for few values of one field, and stock is expected to find their
   * points before a plan is made, and before a device finds the values.
   *
   * @param query rewritten
   * @param leaves all segments
   */
  public static boolean answersAtOnce(Query query, List<LeafReaderContext> leaves)
      throws IOException {
    Query filter = query instanceof ConstantScoreQuery constant ? constant.getQuery() : query;
    if (filter instanceof IndexSortSortedNumericDocValuesRangeQuery sorted) {
      filter = sorted.getFallbackQuery();
    }
    if (!(filter instanceof IndexOrDocValuesQuery either)) {
      return false;
    }
    Query points = either.getIndexQuery();
    if (points instanceof PointInSetQuery set) {
      return answersAtOnce(set.getField(), set.getPackedPoints().size(), leaves);
    }
    return points instanceof PointRangeQuery range
        && Arrays.equals(range.getLowerPoint(), range.getUpperPoint())
        && answersAtOnce(range.getField(), 1, leaves);
  }

  private static boolean answersAtOnce(String field, int values, List<LeafReaderContext> leaves)
      throws IOException {
    double stock = values * LEAF_NS;
    double device = 0;
    for (int i = 0; i < leaves.size() && stock < MIN_NS; i++) {
      LeafReader reader = leaves.get(i).reader();
      PointShape shape = PointShape.of(reader, field);
      if (shape == null || shape.hasCommon()) {
        return false;
      }
      double leafNs = LEAF_VALUE_NS * shape.leafValues() + COUNTED_NS * shape.pointsOfValue();
      stock += values * leafNs + LEAF_NS;
      DeviceColumn column = DeviceColumns.of(reader, field);
      device +=
          column == null
              ? MIN_NS
              : scanNs(column, reader.maxDoc(), values, column.pagesOfValues(values));
    }
    return stock < MIN_NS && stock < device;
  }

  /**
   * Adds the nodes that all have to match, Boolean ones taken apart.
   *
   * @return docs of the shortest of the disjunctions that have to match beside them
   */
  private static long addRequired(LeafNode node, List<LeafNode> to) {
    int before = to.size();
    long anyOf = NO_OTHERS;
    if (node instanceof LeafNode.Constant || node instanceof LeafNode.Bool) {
      long optional = 0;
      for (LeafNode child : node.children()) {
        if (child.occur() == OffloadWire.Occur.MUST || child.occur() == OffloadWire.Occur.FILTER) {
          anyOf = Math.min(anyOf, addRequired(child, to));
        } else if (child.occur() == OffloadWire.Occur.SHOULD) {
          optional += child.cost();
        }
      }
      if (node instanceof LeafNode.Bool bool && bool.minShould() > 0 && to.size() > before) {
        anyOf = Math.min(anyOf, optional);
      }
    }
    if (to.size() == before) {
      to.add(node);
    }
    return anyOf;
  }

  /** Docs of the shortest of the other nodes, or of the disjunctions beside them. */
  private static long others(List<LeafNode> required, LeafNode node, long anyOf) {
    long least = anyOf;
    for (LeafNode other : required) {
      least = other == node ? least : Math.min(least, other.cost());
    }
    return least;
  }

  /**
   * Returns whether it pays to begin with the points of a clause.
   *
   * @param others docs that the rest of the query finds
   */
  private boolean pays(ColumnLeaf column, long others) throws IOException {
    PointFilter points = column.points();
    if (points == null) {
      return false;
    }
    double left = Math.min(scanNs(column), LOOKED_UP_NS * others) - PLAN_NS - anyNs;
    if (left <= LEAF_NS) {
      return false; // whatever the points are like
    }
    PointShape shape = PointShape.of(context.reader(), column.field());
    if (shape == null) {
      return false;
    }
    // Those that lie outside the segment's values cost stock next to nothing.
    long values = Math.min(points.values(), column.valuesAsked());
    double leafNs = LEAF_NS + LEAF_VALUE_NS * shape.leafValues();
    double leaves =
        points.isSet() ? Math.min(shape.leaves(), shape.leavesOf(values)) : ENDS_OF_RANGE;
    left -= leaves * leafNs;
    if (left <= 0) {
      return false;
    }
    double most = Math.min(others, left / matchNs);
    return points.isSet() && !shape.hasCommon()
        ? values * shape.pointsOfValue() <= most
        : points.cost(context) <= most;
  }

  /**
   * About how many of some ranges of values a page has values of that has any: where values are in
   * about the order of the docs, far from all.
   *
   * @param read the share of pages that have any
   */
  private static double runsOfPage(int ranges, double read) {
    if (read <= 0 || read >= 1) {
      return ranges;
    }
    double ofOneRange = -Math.expm1(Math.log1p(-read) / ranges);
    return ranges * ofOneRange / read;
  }

  /** The time in which a device finds the docs of a column that match. */
  private double scanNs(ColumnLeaf node) {
    return scanNs(node.column(), maxDoc, node.rangeCount(), node.pagesToRead(maxDoc));
  }

  private static double scanNs(DeviceColumn column, int maxDoc, int ranges, double pages) {
    double read = pages / column.pageCount();
    double bits = 8.0 * OffloadWire.PAGE_BYTES * column.pageCount() / column.valueCount();
    double runs = runsOfPage(ranges, read);
    double valueNs =
        runs <= MAX_RUNS
            ? VALUE_NS + BIT_OF_RUN_NS * bits * runs
            : bits > MAX_MAPPED_BITS ? WIDE_MAPPED_NS : MAPPED_VALUE_NS + BIT_OF_MAPPED_NS * bits;
    return (valueNs * column.valueCount() + DOC_WITHOUT_NS * (maxDoc - column.docCount())) * read;
  }
}
