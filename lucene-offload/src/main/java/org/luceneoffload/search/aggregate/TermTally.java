/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.TermCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.AggregateKind;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts of keywords, by term: ordinals differ from segment to segment. */
final class TermTally extends Tally {
  private static final Comparator<TermCounts.Count> BEST_FIRST =
      Comparator.comparingLong(TermCounts.Count::count)
          .reversed()
          .thenComparing(TermCounts.Count::term);

  /** Counts by value take more bytes each than counts by ordinal, but there may be far fewer. */
  private static final int FEW = 4;

  private final int n;
  private final SortedCounts<BytesRef> counts = new SortedCounts<>();

  TermTally(Aggregation.Terms aggregation) {
    super(aggregation);
    n = aggregation.n();
  }

  @Override
  public boolean takes(DocValuesType type) {
    return type == DocValuesType.SORTED || type == DocValuesType.SORTED_SET;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, long cost) {
    boolean few =
        column.max() > OffloadWire.MAX_AGGREGATED_ORD || column.max() / FEW > Math.max(1, cost);
    return few ? Aggregate.values(index, Long.MIN_VALUE) : Aggregate.terms(index, 0);
  }

  @Override
  void addResult(LeafReader reader, Aggregate asked, AggregateResult result) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, field());
    boolean dense = asked.kind() == AggregateKind.TERMS;
    SortedCounts<BytesRef> terms = new SortedCounts<>();
    int[] found = result.counts();
    for (int i = 0; i < found.length; i++) {
      if (found[i] > 0) {
        long ord = dense ? asked.from() + i : result.keys()[i];
        if (ord < 0 || ord >= values.getValueCount()) {
          throw new OffloadException(
              OffloadWire.Status.INTERNAL,
              "the device has ordinal " + ord + " of " + values.getValueCount() + " keywords");
        }
        terms.append(term(values, ord), found[i]);
      }
    }
    counts.merge(terms);
  }

  private static BytesRef term(SortedSetDocValues values, long ord) throws IOException {
    return BytesRef.deepCopyOf(values.lookupOrd(ord));
  }

  @Override
  public LeafTally leaf(LeafReader reader) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, field());
    Map<Long, Long> ords = new HashMap<>();
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        if (values.advanceExact(doc)) {
          docs++;
          for (int i = values.docValueCount(); i > 0; i--) {
            ords.merge(values.nextOrd(), 1L, Long::sum);
          }
        }
      }

      @Override
      public void finish() throws IOException {
        SortedCounts<Long> sorted = SortedCounts.of(ords);
        SortedCounts<BytesRef> terms = new SortedCounts<>();
        for (int i = 0; i < sorted.size(); i++) {
          terms.append(term(values, sorted.key(i)), sorted.count(i));
        }
        counts.merge(terms);
      }
    };
  }

  @Override
  void mergeRest(Tally other) {
    counts.merge(((TermTally) other).counts);
  }

  @Override
  public TermCounts result(long matches) {
    PriorityQueue<TermCounts.Count> best = new PriorityQueue<>(BEST_FIRST.reversed());
    long values = 0;
    for (int i = 0; i < counts.size(); i++) {
      long count = counts.count(i);
      values += count;
      // Of equal counts the first term is the best.
      if (best.size() == n && count > best.element().count()) {
        best.remove();
      }
      if (best.size() < n) {
        best.add(new TermCounts.Count(counts.key(i), count));
      }
    }
    List<TermCounts.Count> top = best.stream().sorted(BEST_FIRST).toList();
    return new TermCounts(docs, matches - docs, values, counts.size(), top);
  }
}
