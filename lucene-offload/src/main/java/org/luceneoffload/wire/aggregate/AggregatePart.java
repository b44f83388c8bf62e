/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

import java.nio.ByteBuffer;
import java.util.List;
import org.luceneoffload.wire.layout.AggregateResultLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanTail;

/**
 * The part of a plan of mode AGGREGATE that says what to make of the matches' values.
 *
 * @param aggregates 1 to {@link org.luceneoffload.wire.OffloadWire#MAX_AGGREGATES}
 */
public record AggregatePart(List<Aggregate> aggregates) implements PlanTail {
  /** Bytes that a device keeps for one entry of an aggregate that counts by key. */
  private static final int KEPT_BYTES = 16;

  @Override
  public int bytes() {
    return AggregateWriter.bytes(aggregates);
  }

  @Override
  public int write(ByteBuffer b, int at) {
    return AggregateWriter.write(b, at, aggregates);
  }

  /** Returns the number of bytes of the smallest result page that a device can answer on. */
  public int minResultBytes() {
    int bytes = ResultHeaderLayout.BYTES;
    for (Aggregate aggregate : aggregates) {
      int counts = (aggregate.rangeCount() * Integer.BYTES + Long.BYTES - 1) & -Long.BYTES;
      bytes += AggregateResultLayout.BYTES + (aggregate.keyed() ? KEPT_BYTES : counts);
    }
    return bytes;
  }
}
