/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
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

/**
 * Counts of keywords, by ordinal as long as they are of one segment: then terms are looked up for
 * the result alone. Ordinals differ from segment to segment, so that several need all terms.
 */
final class TermTally extends Tally {
  /** Counts of a segment, or a part of it, by ordinal. */
  private record Part(LeafReader reader, SortedCounts<Long> counts) {}

  /** Counts by value take more bytes each than counts by ordinal, but there may be far fewer. */
  private static final int FEW = 4;

  private final int n;
  private final List<Part> parts = new ArrayList<>();

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
    long valueCount = DocValues.getSortedSet(reader, field()).getValueCount();
    boolean dense = asked.kind() == AggregateKind.TERMS;
    SortedCounts<Long> ords = new SortedCounts<>();
    int[] found = result.counts();
    for (int i = 0; i < found.length; i++) {
      if (found[i] > 0) {
        long ord = dense ? asked.from() + i : result.keys()[i];
        if (ord < 0 || ord >= valueCount) {
          throw new OffloadException(
              OffloadWire.Status.INTERNAL,
              "the device has ordinal " + ord + " of " + valueCount + " keywords");
        }
        ords.append(ord, found[i]);
      }
    }
    parts.add(new Part(reader, ords));
  }

  private Keywords keywords(LeafReader reader) throws IOException {
    return Keywords.of(reader, field(), DocValues.getSortedSet(reader, field()));
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
        parts.add(new Part(reader, SortedCounts.of(ords)));
      }
    };
  }

  @Override
  void mergeRest(Tally other) {
    parts.addAll(((TermTally) other).parts);
  }

  @Override
  public TermCounts result(long matches) throws IOException {
    Map<LeafReader, SortedCounts<Long>> segments = new IdentityHashMap<>();
    for (Part part : parts) {
      segments.computeIfAbsent(part.reader, reader -> new SortedCounts<>()).merge(part.counts);
    }
    if (segments.size() == 1) {
      Map.Entry<LeafReader, SortedCounts<Long>> only = segments.entrySet().iterator().next();
      Keywords keywords = keywords(only.getKey());
      return result(matches, only.getValue(), keywords::get);
    }
    SortedCounts<BytesRef> terms = new SortedCounts<>();
    for (Map.Entry<LeafReader, SortedCounts<Long>> segment : segments.entrySet()) {
      Keywords keywords = keywords(segment.getKey());
      SortedCounts<Long> ords = segment.getValue();
      SortedCounts<BytesRef> own = new SortedCounts<>();
      for (int i = 0; i < ords.size(); i++) {
        own.append(keywords.get(ords.key(i)), ords.count(i));
      }
      terms.merge(own);
    }
    return result(matches, terms, term -> term);
  }

  /** Gives the term of a key. */
  private interface Terms<K> {
    BytesRef term(K key) throws IOException;
  }

  private <K extends Comparable<? super K>> TermCounts result(
      long matches, SortedCounts<K> counts, Terms<K> terms) throws IOException {
    Comparator<Integer> bestFirst =
        Comparator.comparingLong((Integer i) -> counts.count(i))
            .reversed()
            .thenComparing(Comparator.naturalOrder());
    PriorityQueue<Integer> best = new PriorityQueue<>(bestFirst.reversed());
    long values = 0;
    for (int i = 0; i < counts.size(); i++) {
      long count = counts.count(i);
      values += count;
      // Of equal counts the first term is the best.
      if (best.size() == n && count > counts.count(best.element())) {
        best.remove();
      }
      if (best.size() < n) {
        best.add(i);
      }
    }
    List<TermCounts.Count> top = new ArrayList<>(best.size());
    for (int i : best.stream().sorted(bestFirst).toList()) {
      // A copy: the application may change what it gets.
      BytesRef term = BytesRef.deepCopyOf(terms.term(counts.key(i)));
      top.add(new TermCounts.Count(term, counts.count(i)));
    }
    return new TermCounts(docs, matches - docs, values, counts.size(), top);
  }
}
