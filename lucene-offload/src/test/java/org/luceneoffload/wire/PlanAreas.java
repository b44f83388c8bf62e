/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.luceneoffload.wire.layout.GeoBoxLayout;
import org.luceneoffload.wire.layout.GeoCircleLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.sort.SortKey;

/** Checks the areas of a plan, and the points that it sorts from. */
final class PlanAreas {
  private static final int MAX_CELLS = 64;

  private PlanAreas() {}

  static void check(PlanNode node, List<WireRange> ranges) throws OffloadException {
    if (node.operator().rule().table().to() == OperatorRule.Target.AREAS) {
      checkArea(bytes(ranges.subList(node.table(), node.table() + node.ranges())));
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
    int columns = GeoCircleLayout.columns(b, at);
    check(columns > 0 && columns <= MAX_CELLS, "columns", columns);
    check(b.get(at + GeoCircleLayout.RESERVED0) == 0, "reserved0", 1);
    check(b.getInt(at + GeoCircleLayout.RESERVED1) == 0, "reserved1", 1);
    check(b.getLong(at + GeoCircleLayout.RESERVED2) == 0, "reserved2", 1);
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
