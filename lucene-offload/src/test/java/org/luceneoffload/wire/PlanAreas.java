/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.luceneoffload.wire.layout.GeoBoxLayout;
import org.luceneoffload.wire.layout.GeoCircleLayout;
import org.luceneoffload.wire.layout.GeoPointLayout;
import org.luceneoffload.wire.layout.GeoPolygonLayout;
import org.luceneoffload.wire.layout.GeoRingLayout;
import org.luceneoffload.wire.layout.GeoRowLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.sort.SortKey;

/** Checks the areas of a plan, and the points that it sorts from. */
final class PlanAreas {
  private static final int MAX_CELLS = 64;

  private PlanAreas() {}

  static void check(PlanNode node, List<WireRange> ranges) throws OffloadException {
    if (node.operator().rule().table().to() == OperatorRule.Target.AREAS) {
      ByteBuffer b = bytes(ranges.subList(node.table(), node.table() + node.ranges()));
      if (node.operator() == Operator.GEO_POLYGON) {
        checkPolygons(b);
      } else {
        checkArea(b);
      }
    }
    for (PlanNode child : node.children()) {
      check(child, ranges);
    }
  }

  static void checkOrigins(List<SortKey> keys, List<WireRange> ranges) throws OffloadException {
    for (SortKey key : keys) {
      if (key.transform() == OffloadWire.SortTransform.DISTANCE) {
        check(key.missing() >= 0 && key.missing() < ranges.size(), "point", key.missing());
        WireRange point = ranges.get((int) key.missing());
        checkPoint(Double.longBitsToDouble(point.lo()), Double.longBitsToDouble(point.hi()));
        check(key.selector() == OffloadWire.SortSelector.MIN, "selector", key.selector());
      }
    }
  }

  private static ByteBuffer bytes(List<WireRange> entries) {
    ByteBuffer b =
        ByteBuffer.allocate(entries.size() * ValueRangeLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    entries.forEach(entry -> b.putLong(entry.lo()).putLong(entry.hi()));
    return b;
  }

  private static void checkArea(ByteBuffer b) throws OffloadException {
    check(GeoBoxLayout.minLat(b, 0) <= GeoBoxLayout.maxLat(b, 0), "max_lat", 0);
    int at = GeoBoxLayout.BYTES;
    if (b.capacity() == at) {
      return;
    }
    checkPoint(GeoCircleLayout.lat(b, at), GeoCircleLayout.lon(b, at));
    check(!Double.isNaN(GeoCircleLayout.maxKey(b, at)), "max_key", 0);
    int rows = (b.capacity() - at - GeoCircleLayout.BYTES) / ValueRangeLayout.BYTES;
    checkCells(GeoCircleLayout.latBase(b, at), rows, GeoCircleLayout.latShift(b, at));
    checkCells(GeoCircleLayout.lonBase(b, at), 1, GeoCircleLayout.lonShift(b, at));
    checkCount("columns", GeoCircleLayout.columns(b, at));
    check(b.get(at + GeoCircleLayout.RESERVED0) == 0, "reserved0", 1);
    check(b.getInt(at + GeoCircleLayout.RESERVED1) == 0, "reserved1", 1);
    check(b.getLong(at + GeoCircleLayout.RESERVED2) == 0, "reserved2", 1);
  }

  private static void checkPolygons(ByteBuffer b) throws OffloadException {
    int rows = GeoPolygonLayout.rows(b, 0);
    checkCount("rows", rows);
    checkCount("columns", GeoPolygonLayout.columns(b, 0));
    checkCells(GeoPolygonLayout.latBase(b, 0), rows, GeoPolygonLayout.latShift(b, 0));
    checkCells(GeoPolygonLayout.lonBase(b, 0), 1, GeoPolygonLayout.lonShift(b, 0));
    check(b.getInt(GeoPolygonLayout.RESERVED0) == 0, "reserved0", 1);
    int first = GeoPolygonLayout.BYTES + rows * GeoRowLayout.BYTES;
    check(first < b.capacity(), "no ring behind rows", rows);
    for (int at = first; at < b.capacity(); ) {
      at = checkRing(b, at, at == first);
    }
  }

  /** Checks a ring; returns its end. */
  private static int checkRing(ByteBuffer b, int start, boolean isFirst) throws OffloadException {
    long points = Integer.toUnsignedLong(GeoRingLayout.points(b, start));
    int at = start + GeoRingLayout.BYTES;
    check(points >= 4 && points <= (b.capacity() - at) / GeoPointLayout.BYTES, "points", points);
    int hole = GeoRingLayout.hole(b, start);
    check(hole == 0 || (hole == 1 && !isFirst), "hole", hole);
    check(b.getLong(start + GeoRingLayout.RESERVED0) == 0, "reserved0", 1);
    int last = at + (int) (points - 1) * GeoPointLayout.BYTES;
    check(
        GeoPointLayout.lat(b, at) == GeoPointLayout.lat(b, last)
            && GeoPointLayout.lon(b, at) == GeoPointLayout.lon(b, last),
        "an open ring at",
        start);
    for (; at <= last; at += GeoPointLayout.BYTES) {
      checkPoint(GeoPointLayout.lat(b, at), GeoPointLayout.lon(b, at));
    }
    return at;
  }

  private static void checkCount(String of, int count) throws OffloadException {
    check(count > 0 && count <= MAX_CELLS, of, count);
  }

  private static void checkCells(int base, int count, int shift) throws OffloadException {
    check(shift >= 1 && shift < Integer.SIZE, "shift", shift);
    long end = Integer.toUnsignedLong(base) + count;
    check(end <= 1L << Integer.SIZE - shift, "base", base);
  }

  private static void checkPoint(double lat, double lon) throws OffloadException {
    check(Math.abs(lat) <= 90 && Math.abs(lon) <= 180, "lat or lon", 0);
  }

  private static void check(boolean isRight, String field, long value) throws OffloadException {
    if (!isRight) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_MALFORMED, "an area has " + field + " " + value);
    }
  }
}
