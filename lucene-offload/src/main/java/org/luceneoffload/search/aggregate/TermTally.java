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
 * Counts of keywords, by ordinal until the result is made. Ordinals differ from segment to segment:
 * there the numbers of {@link Keywords.Numbers} take their place, or else the terms.
 */
final class TermTally extends Tally {
  private static final Comparator<TermCounts.Count> WORST_FIRST =
      (a, b) ->
          a.count() != b.count()
              ? Long.compare(a.count(), b.count())
              : b.term().compareTo(a.term());

  /** Counts by value take more bytes each than counts by ordinal, but there may be far fewer. */
  private static final int FEW = 4;

  private final int n;
  private final List<Part> parts = new ArrayList<>();

  TermTally(Aggregation.Terms aggregation) {
    super(aggregation);
    n = aggregation.n();
  }

  /**
   * Counts of a segment, or a part of it.
   *
   * @param from the ordinal of the first count
   * @param ords the ordinals of all counts; null: from {@code from} on, one after the other
   */
  private record Part(LeafReader reader, Keywords keywords, long from, long[] ords, int[] counts) {
    long ord(int i) {
      return ords == null ? from + i : ords[i];
    }
  }

  /** The keywords with the highest counts. */
  private final class Top {
    private final PriorityQueue<TermCounts.Count> best = new PriorityQueue<>(WORST_FIRST);
    private long values;
    private int keywords;

    /** Takes a count of a keyword. Returns whether it may be among the highest. */
    boolean wants(long count) {
      values += count;
      keywords++;
      return best.size() < n || count >= best.element().count();
    }

    void add(BytesRef term, long count) {
      TermCounts.Count added = new TermCounts.Count(term, count);
      if (best.size() == n) {
        if (WORST_FIRST.compare(added, best.element()) <= 0) {
          return;
        }
        best.remove();
      }
      best.add(added);
    }

    TermCounts result(long matches) {
      TermCounts.Count[] top = new TermCounts.Count[best.size()];
      for (int i = top.length - 1; i >= 0; i--) {
        TermCounts.Count count = best.remove();
        // A copy: the application may change what it gets.
        top[i] = new TermCounts.Count(BytesRef.deepCopyOf(count.term()), count.count());
      }
      return new TermCounts(docs, matches - docs, values, keywords, List.of(top));
    }
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
    boolean dense = asked.kind() == AggregateKind.TERMS;
    int[] counts = result.counts();
    Part part =
        new Part(
            reader,
            Keywords.of(reader, field()),
            dense ? asked.from() : 0,
            dense ? null : result.keys(),
            counts);
    long valueCount = part.keywords.count();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0 && (part.ord(i) < 0 || part.ord(i) >= valueCount)) {
        throw new OffloadException(
            OffloadWire.Status.INTERNAL,
            "the device has ordinal " + part.ord(i) + " of " + valueCount + " keywords");
      }
    }
    parts.add(part);
  }

  @Override
  public LeafTally leaf(LeafReader reader) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, field());
    Map<Long, Integer> counted = new HashMap<>();
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        if (values.advanceExact(doc)) {
          docs++;
          for (int i = values.docValueCount(); i > 0; i--) {
            counted.merge(values.nextOrd(), 1, Integer::sum);
          }
        }
      }

      @Override
      public void finish() throws IOException {
        long[] ords = new long[counted.size()];
        int[] counts = new int[ords.length];
        int i = 0;
        for (Map.Entry<Long, Integer> entry : counted.entrySet()) {
          ords[i] = entry.getKey();
          counts[i++] = entry.getValue();
        }
        parts.add(new Part(reader, Keywords.of(reader, field()), 0, ords, counts));
      }
    };
  }

  @Override
  void mergeRest(Tally other) {
    parts.addAll(((TermTally) other).parts);
  }

  @Override
  public TermCounts result(long matches) throws IOException {
    Keywords.Numbers numbers = commonNumbers();
    Top top = new Top();
    if (numbers != null) {
      addByNumber(numbers, top);
    } else {
      addByTerm(top);
    }
    return top.result(matches);
  }

  /** The numbers that the keywords of all parts have, or null. */
  private Keywords.Numbers commonNumbers() {
    Keywords.Numbers common = null;
    for (Part part : parts) {
      if (!(part.keywords instanceof Keywords.Kept kept)
          || (common != null && kept.numbers() != common)) {
        return null;
      }
      common = kept.numbers();
    }
    return common;
  }

  private void addByNumber(Keywords.Numbers numbers, Top top) {
    BytesRef[] terms = numbers.terms();
    long[] sums = new long[terms.length];
    for (Part part : parts) {
      Keywords.Kept kept = (Keywords.Kept) part.keywords;
      for (int i = 0; i < part.counts.length; i++) {
        if (part.counts[i] != 0) {
          sums[kept.number(part.ord(i))] += part.counts[i];
        }
      }
    }
    for (int number = 0; number < sums.length; number++) {
      if (sums[number] != 0 && top.wants(sums[number])) {
        top.add(terms[number], sums[number]);
      }
    }
  }

  /** By ordinal within a segment; terms are looked up for the best alone if there is but one. */
  private void addByTerm(Top top) throws IOException {
    Map<LeafReader, Map<Long, Long>> segments = new IdentityHashMap<>();
    Map<LeafReader, Keywords> keywords = new IdentityHashMap<>();
    for (Part part : parts) {
      keywords.put(part.reader, part.keywords);
      Map<Long, Long> sums = segments.computeIfAbsent(part.reader, reader -> new HashMap<>());
      for (int i = 0; i < part.counts.length; i++) {
        if (part.counts[i] != 0) {
          sums.merge(part.ord(i), (long) part.counts[i], Long::sum);
        }
      }
    }
    SortedCounts<BytesRef> terms = new SortedCounts<>();
    for (Map.Entry<LeafReader, Map<Long, Long>> segment : segments.entrySet()) {
      SortedCounts<Long> ords = SortedCounts.of(segment.getValue());
      Keywords own = keywords.get(segment.getKey());
      SortedCounts<BytesRef> added = new SortedCounts<>();
      for (int i = 0; i < ords.size(); i++) {
        if (segments.size() > 1) {
          added.append(own.get(ords.key(i)), ords.count(i));
        } else if (top.wants(ords.count(i))) {
          top.add(own.get(ords.key(i)), ords.count(i));
        }
      }
      terms.merge(added);
    }
    for (int i = 0; i < terms.size(); i++) {
      if (top.wants(terms.count(i))) {
        top.add(terms.key(i), terms.count(i));
      }
    }
  }
}
