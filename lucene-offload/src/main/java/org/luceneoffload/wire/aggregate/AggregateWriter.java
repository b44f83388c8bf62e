/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

import java.nio.ByteBuffer;
import java.util.List;
import org.luceneoffload.wire.layout.AggregateHeaderLayout;
import org.luceneoffload.wire.layout.AggregateLayout;

/** Encodes the part of a plan of mode AGGREGATE that stands behind its value ranges. */
public final class AggregateWriter {
  private AggregateWriter() {}

  /** Returns the number of bytes of the part. */
  public static int bytes(List<Aggregate> aggregates) {
    return AggregateHeaderLayout.BYTES + aggregates.size() * AggregateLayout.BYTES;
  }

  /**
   * Writes the part; every byte of it, so that a buffer can be used again as it is.
   *
   * @param at offset where it begins
   * @return the offset after it
   */
  public static int write(ByteBuffer b, int at, List<Aggregate> aggregates) {
    AggregateHeaderLayout.aggregateCount(b, at, aggregates.size());
    b.putShort(at + AggregateHeaderLayout.RESERVED0, (short) 0);
    b.putInt(at + AggregateHeaderLayout.RESERVED1, 0);
    b.putLong(at + AggregateHeaderLayout.RESERVED2, 0);
    int next = at + AggregateHeaderLayout.BYTES;
    for (Aggregate aggregate : aggregates) {
      next = writeOne(b, next, aggregate);
    }
    return next;
  }

  private static int writeOne(ByteBuffer b, int at, Aggregate aggregate) {
    AggregateLayout.kind(b, at, aggregate.kind());
    AggregateLayout.statsType(b, at, aggregate.statsType());
    AggregateLayout.flags(b, at, aggregate.flags());
    b.put(at + AggregateLayout.RESERVED0, (byte) 0);
    AggregateLayout.column(b, at, aggregate.column());
    AggregateLayout.firstRange(b, at, aggregate.firstRange());
    AggregateLayout.rangeCount(b, at, aggregate.rangeCount());
    b.putInt(at + AggregateLayout.RESERVED1, 0);
    AggregateLayout.width(b, at, aggregate.width());
    AggregateLayout.from(b, at, aggregate.from());
    AggregateLayout.carryCount(b, at, aggregate.carry().count());
    AggregateLayout.carrySum(b, at, aggregate.carry().sum());
    AggregateLayout.carryMean(b, at, aggregate.carry().mean());
    AggregateLayout.carryVariance(b, at, aggregate.carry().variance());
    return at + AggregateLayout.BYTES;
  }
}
