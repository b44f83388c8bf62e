/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSortSortedNumericDocValuesRangeQuery;
import org.apache.lucene.search.PointInSetQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.DeviceColumns;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.PointFilter;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.ColumnLeaf;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.wire.OffloadWire;

/**
 * Leaves plans with a required clause whose docs stock finds by points to stock, if it is expected
 * to be quicker: it visits a few docs of a few leaves, where the engine looks at the value of every
 * doc of the pages that may have a match, or of every doc that the rest of the query finds.
 */
final class PointsRule implements StockRule.OfQuery, StockRule.OfPlan {
  private static final Refusal BY_FEW_POINTS =
      new Refusal(Refusal.Reason.PLANNER, "stock finds a few values by their points");

  /** Ranges that a device compares one after the other; with more it looks values up in a map. */
  private static final int MAX_RUNS = 8;

  /** Values of more bits are looked up in a map one by one. */
  private static final int MAX_MAPPED_BITS = 26;

  /** Below this, compiling, planning and running a query take a good part of stock's time. */
  private static final double MIN_QUERY_NS = 60_000;

  /** Leaves that a range has in part. */
  private static final int ENDS_OF_RANGE = 2;

  /** Hits of one score after which a ranking may stop: those that are counted. */
  private static final double HITS_TO_STOP = 1000;

  private static final long NO_OTHERS = Long.MAX_VALUE;

  /**
   * What stock's way costs beside the other clauses of a plan.
   *
   * @param matchNs for a doc that the points lead to
   * @param setUpNs whatever the docs are
   */
  private record Led(double matchNs, double setUpNs) {
    static Led of(int clauses, boolean besideAny, int mode) {
      if (besideAny) {
        return new Led(Costs.LED_TO_ANY_NS, Costs.ANY_NS);
      } else if (clauses > 1) {
        return new Led(Costs.LED_NS, 0);
      }
      return new Led(mode == OffloadWire.Mode.TOP_K ? Costs.RANKED_NS : Costs.COUNTED_NS, 0);
    }
  }

  @Override
  public Refusal ofPlan(LeafPlan plan, int mode, LeafReaderContext segment) throws IOException {
    List<LeafNode> required = new ArrayList<>();
    long anyOf = addRequired(plan.root(), required);
    Led led = Led.of(required.size(), anyOf != NO_OTHERS, mode);
    for (LeafNode node : required) {
      if (node instanceof ColumnLeaf column
          && (column.indexedArea() != null
              ? areaPays(column, others(required, column, anyOf), led, mode, segment)
              : pays(column, others(required, column, anyOf), led, segment))) {
        return new Refusal(
            Refusal.Reason.PLANNER,
            "stock finds the docs by the points of field \"" + column.field() + "\"");
      }
    }
    return null;
  }

  @Override
  public Refusal ofQuery(Query query, int mode, IndexSearcher searcher, IndexedFields fields)
      throws IOException {
    boolean forCollector = mode == OffloadWire.Mode.DOCS || mode == OffloadWire.Mode.SCORED_DOCS;
    return !forCollector && answersAtOnce(query, searcher.getLeafContexts()) ? BY_FEW_POINTS : null;
  }

  /**
   * Returns whether a query asks for few values of one field, and stock is expected to find their
   * points before a plan is made, and before a device finds the values.
   *
   * @param query rewritten
   * @param leaves all segments
   */
  private static boolean answersAtOnce(Query query, List<LeafReaderContext> leaves)
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
    double stock = values * Costs.LEAF_NS;
    double device = 0;
    for (int i = 0; i < leaves.size() && stock < MIN_QUERY_NS; i++) {
      LeafReader reader = leaves.get(i).reader();
      PointShape shape = PointShape.of(reader, field);
      if (shape == null || shape.hasCommon()) {
        return false;
      }
      double leafNs =
          Costs.LEAF_VALUE_NS * shape.leafValues() + Costs.COUNTED_NS * shape.pointsOfValue();
      stock += values * leafNs + Costs.LEAF_NS;
      DeviceColumn column = DeviceColumns.of(reader, field);
      device +=
          column == null
              ? MIN_QUERY_NS
              : scanNs(column, reader.maxDoc(), values, column.pagesOfValues(values));
    }
    return stock < MIN_QUERY_NS && stock < device;
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

  /** Returns the docs of the shortest of the other nodes, or of the disjunctions beside them. */
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
  private static boolean pays(ColumnLeaf column, long others, Led led, LeafReaderContext segment)
      throws IOException {
    PointFilter points = column.points();
    if (points == null) {
      return false;
    }
    double left =
        Math.min(scanNs(column, segment), Costs.LOOKED_UP_NS * others)
            - Costs.PLAN_NS
            - led.setUpNs();
    if (left <= Costs.LEAF_NS) {
      return false; // whatever the points are like
    }
    PointShape shape = PointShape.of(segment.reader(), column.field());
    if (shape == null) {
      return false;
    }
    // Those that lie outside the segment's values cost stock next to nothing.
    long values = Math.min(points.values(), column.valuesAsked());
    double leafNs = Costs.LEAF_NS + Costs.LEAF_VALUE_NS * shape.leafValues();
    double leaves =
        points.isSet() ? Math.min(shape.leaves(), shape.leavesOf(values)) : ENDS_OF_RANGE;
    left -= leaves * leafNs;
    if (left <= 0) {
      return false;
    }
    double most = Math.min(others, left / led.matchNs());
    return points.isSet() && !shape.hasCommon()
        ? values * shape.pointsOfValue() <= most
        : points.cost(segment) <= most;
  }

  /**
   * Returns whether it pays to begin with the points of an area.
   *
   * @param others docs that the rest of the query finds
   */
  private static boolean areaPays(
      ColumnLeaf column, long others, Led led, int mode, LeafReaderContext segment)
      throws IOException {
    int maxDoc = segment.reader().maxDoc();
    DeviceColumn values = column.column();
    double read = (double) column.pagesToRead(maxDoc) / values.pageCount();
    double scan =
        Costs.AREA_VALUE_NS * values.valueCount() * read + Costs.AREA_POINT_NS * column.cost();
    double left = Math.min(scan, Costs.AREA_LOOKED_UP_NS * others) - Costs.PLAN_NS - led.setUpNs();
    if (column.indexedArea().hasGrid()) {
      left -= Costs.GRID_NS;
    }
    AreaPoints stock =
        left <= 0 ? null : AreaPoints.of(segment.reader(), column.field(), column.indexedArea());
    if (stock == null) {
      return false;
    }
    double matchNs = led.matchNs();
    double matches = stock.points();
    if (others != NO_OTHERS) {
      matchNs = Costs.AREA_LED_NS;
      matches *= (double) others / maxDoc;
    }
    if (mode == OffloadWire.Mode.TOP_K) {
      left *= Math.min(1, HITS_TO_STOP / Math.max(1, matches));
    }
    long found = Math.min(stock.points(), others);
    return stock.nodes() * Costs.AREA_NODE_NS + found * matchNs < left;
  }

  /**
   * Returns about how many of some ranges a page that has values of any of them has values of: far
   * from all where values are in about the order of the docs.
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

  /** Returns the time in which a device finds the docs of a column that match. */
  private static double scanNs(ColumnLeaf node, LeafReaderContext segment) {
    int maxDoc = segment.reader().maxDoc();
    return scanNs(node.column(), maxDoc, node.rangeCount(), node.pagesToRead(maxDoc));
  }

  private static double scanNs(DeviceColumn column, int maxDoc, int ranges, double pages) {
    double read = pages / column.pageCount();
    double bits = 8.0 * OffloadWire.PAGE_BYTES * column.pageCount() / column.valueCount();
    double runs = runsOfPage(ranges, read);
    double valueNs =
        runs <= MAX_RUNS
            ? Costs.VALUE_NS + Costs.BIT_OF_RUN_NS * bits * runs
            : bits > MAX_MAPPED_BITS
                ? Costs.WIDE_MAPPED_NS
                : Costs.MAPPED_VALUE_NS + Costs.BIT_OF_MAPPED_NS * bits;
    return (valueNs * column.valueCount() + Costs.DOC_WITHOUT_NS * (maxDoc - column.docCount()))
        * read;
  }
}
