/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.OrdinalCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.AggregateKind;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts of keywords, by ordinal and segment. */
abstract sealed class KeywordTally extends Tally permits TermTally, OrdinalTally, DistinctTally {
  /** Counts by value take more bytes each than counts by ordinal, but there may be far fewer. */
  private static final int FEW = 4;

  /** What was counted. */
  final List<OrdinalCounts.Segment> parts = new ArrayList<>();

  /** That of the reader, whose leaves the parts name; null if there are none. */
  IndexReaderContext top;

  KeywordTally(Aggregation<?> aggregation) {
    super(aggregation);
  }

  @Override
  public final boolean takes(DocValuesType type) {
    return type == DocValuesType.SORTED || type == DocValuesType.SORTED_SET;
  }

  @Override
  public final Aggregate plan(
      DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    boolean few =
        column.max() > OffloadWire.MAX_AGGREGATED_ORD || column.max() / FEW > Math.max(1, cost);
    return few ? Aggregate.values(index, Long.MIN_VALUE) : Aggregate.terms(index, 0);
  }

  @Override
  final void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result)
      throws IOException {
    boolean dense = asked.kind() == AggregateKind.TERMS;
    int[] counts = result.counts();
    OrdinalCounts.Segment part =
        new OrdinalCounts.Segment(
            context.ord, dense ? asked.from() : 0, dense ? null : result.keys(), counts);
    long valueCount = Keywords.of(context.reader(), field()).count();
    // Counts by ordinal are within bounds together.
    boolean within = dense && part.first() >= 0 && part.first() <= valueCount - counts.length;
    for (int i = 0; !within && i < counts.length; i++) {
      if (counts[i] != 0 && (part.ord(i) < 0 || part.ord(i) >= valueCount)) {
        throw new OffloadException(
            OffloadWire.Status.INTERNAL,
            "the device has ordinal " + part.ord(i) + " of " + valueCount + " keywords");
      }
    }
    add(context, part);
  }

  @Override
  public final LeafTally leaf(LeafReaderContext context) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field());
    OrdinalCounter counter = new OrdinalCounter(values.getValueCount());
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        if (values.advanceExact(doc)) {
          docs++;
          for (int i = values.docValueCount(); i > 0; i--) {
            counter.add(values.nextOrd());
          }
        }
      }

      @Override
      public void finish() throws IOException {
        add(context, counter.result(context.ord));
      }
    };
  }

  private void add(LeafReaderContext context, OrdinalCounts.Segment part) {
    parts.add(part);
    top = ReaderUtil.getTopLevelContext(context);
  }

  @Override
  final void mergeRest(Tally other) {
    KeywordTally tally = (KeywordTally) other;
    parts.addAll(tally.parts);
    top = tally.top == null ? top : tally.top;
  }
}
