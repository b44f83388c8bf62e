/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.wire.ColumnRef;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.AggregateFlag;
import org.luceneoffload.wire.OffloadWire.AggregateKind;
import org.luceneoffload.wire.OffloadWire.StatsType;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.WireRange;
import org.luceneoffload.wire.layout.AggregateHeaderLayout;
import org.luceneoffload.wire.layout.AggregateLayout;
import org.luceneoffload.wire.layout.AggregateResultLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** Decodes and checks the aggregates of an encoded plan, of which nothing is trusted. */
public final class AggregatePartReader {
  private AggregatePartReader() {}

  /**
   * Returns the bytes of the part that begins at a byte.
   *
   * @param end bytes of the plan
   * @throws OffloadException with status PLAN_MALFORMED or PLAN_TOO_LARGE
   */
  public static int bytes(ByteBuffer b, int at, int end) throws OffloadException {
    check(at + AggregateHeaderLayout.BYTES <= end, "bytes", end - at);
    check(b.getShort(at + AggregateHeaderLayout.RESERVED0) == 0, "reserved0", 1);
    check(b.getInt(at + AggregateHeaderLayout.RESERVED1) == 0, "reserved1", 1);
    check(b.getLong(at + AggregateHeaderLayout.RESERVED2) == 0, "reserved2", 1);
    int count = AggregateHeaderLayout.aggregateCount(b, at);
    check(count > 0, "aggregate_count", 0);
    if (count > OffloadWire.MAX_AGGREGATES) {
      throw new OffloadException(OffloadWire.Status.PLAN_TOO_LARGE, count + " aggregates");
    }
    return AggregateHeaderLayout.BYTES + count * AggregateLayout.BYTES;
  }

  /**
   * Reads the part of a plan whose other parts have been checked.
   *
   * @param room bytes of the result page
   * @throws OffloadException with status PLAN_MALFORMED or PLAN_TOO_LARGE
   */
  public static List<Aggregate> read(ByteBuffer b, int at, Plan plan, long room)
      throws OffloadException {
    int count = AggregateHeaderLayout.aggregateCount(b, at);
    List<Aggregate> aggregates = new ArrayList<>();
    long least = ResultHeaderLayout.BYTES + (long) count * AggregateResultLayout.BYTES;
    for (int i = 0; i < count; i++) {
      Aggregate a = one(b, at + AggregateHeaderLayout.BYTES + i * AggregateLayout.BYTES, plan);
      aggregates.add(a);
      least += leastBytes(a);
    }
    if (least > room) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_TOO_LARGE, "the page has " + room + " bytes, not " + least);
    }
    return aggregates;
  }

  /** Bytes that an aggregate's data have on any page. */
  public static int leastBytes(Aggregate a) {
    return a.keyed() ? 16 : (a.rangeCount() * Integer.BYTES + 7) / 8 * 8;
  }

  private static Aggregate one(ByteBuffer b, int at, Plan plan) throws OffloadException {
    Aggregate a =
        new Aggregate(
            AggregateLayout.kind(b, at),
            AggregateLayout.column(b, at),
            AggregateLayout.statsType(b, at),
            AggregateLayout.flags(b, at),
            AggregateLayout.firstRange(b, at),
            AggregateLayout.rangeCount(b, at),
            AggregateLayout.width(b, at),
            AggregateLayout.from(b, at),
            new StatsCarry(
                AggregateLayout.carryCount(b, at),
                AggregateLayout.carrySum(b, at),
                AggregateLayout.carryMean(b, at),
                AggregateLayout.carryVariance(b, at)));
    check(a.kind() >= AggregateKind.STATS && a.kind() <= AggregateKind.RANGES, "kind", a.kind());
    check(b.get(at + AggregateLayout.RESERVED0) == 0, "reserved0", 1);
    check(b.getInt(at + AggregateLayout.RESERVED1) == 0, "reserved1", 1);
    check(a.column() >= 0 && a.column() < plan.columns().size(), "column", a.column());
    ColumnRef column = plan.columns().get(a.column());
    boolean stats = a.kind() == AggregateKind.STATS;
    boolean moments = stats && a.flags() == AggregateFlag.MOMENTS;
    boolean typed = a.statsType() >= StatsType.I64 && a.statsType() <= StatsType.SORTABLE_F64;
    check(stats ? typed : a.statsType() == 0, "stats_type", a.statsType());
    check(moments || a.flags() == 0, "flags", a.flags());
    boolean ranges = a.kind() == AggregateKind.RANGES;
    check(ranges ? a.rangeCount() > 0 : a.rangeCount() == 0, "range_count", a.rangeCount());
    check(
        ranges ? a.firstRange() + a.rangeCount() <= plan.ranges().size() : a.firstRange() == 0,
        "first_range",
        a.firstRange());
    for (int i = 0; ranges && i < a.rangeCount(); i++) {
      WireRange range = plan.ranges().get(a.firstRange() + i);
      check(range.lo() <= range.hi(), "lo of range " + (a.firstRange() + i), range.lo());
    }
    boolean histogram = a.kind() == AggregateKind.HISTOGRAM;
    check(histogram ? a.width() > 0 : a.width() == 0, "width", a.width());
    check(a.keyed() || a.from() == 0, "from", a.from());
    check(
        a.kind() != AggregateKind.TERMS
            || (column.min() >= 0
                && column.max() <= OffloadWire.MAX_AGGREGATED_ORD
                && a.from() >= 0),
        "ordinal",
        Math.min(column.min(), a.from()));
    StatsCarry carry = a.carry();
    check(stats || carry.sum() == 0, "carry_sum", carry.sum());
    check(carry.count() >>> 62 == 0, "carry_count", carry.count());
    long others = carry.count() | carry.mean() | carry.variance();
    check(moments || others == 0, "carry of moments", others);
    return a;
  }

  private static void check(boolean holds, String field, long got) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_MALFORMED, "aggregates: " + field + " is " + got);
    }
  }
}
