/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.search.aggregate.keyword.Keywords;
import org.luceneoffload.search.aggregate.keyword.OrdinalCounter;
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
    long valueCount = Keywords.of(context.reader(), field()).count();
    int[] counts = result.counts();
    if (asked.kind() == AggregateKind.TERMS) {
      counts = ofKeywords(counts, asked.from(), valueCount);
      add(context, new OrdinalCounts.Segment(context.ord, asked.from(), null, counts));
      return;
    }
    long[] ords = result.keys(); // which ascend, as AggregateReader has checked
    if (ords.length > 0) {
      checkOrd(ords[0], valueCount);
      checkOrd(ords[ords.length - 1], valueCount);
    }
    add(context, new OrdinalCounts.Segment(context.ord, 0, ords, counts));
  }

  /** Returns counts by ordinal without those behind the last keyword, which are to be 0. */
  private static int[] ofKeywords(int[] counts, long from, long valueCount)
      throws OffloadException {
    int kept = (int) Math.max(0, Math.min(counts.length, valueCount - from));
    for (int i = kept; i < counts.length; i++) {
      if (counts[i] != 0) {
        checkOrd(from + i, valueCount);
      }
    }
    return kept == counts.length ? counts : Arrays.copyOf(counts, kept);
  }

  private static void checkOrd(long ord, long valueCount) throws OffloadException {
    if (ord < 0 || ord >= valueCount) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device has ordinal " + ord + " of " + valueCount + " keywords");
    }
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
