/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.PackedInts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;

/**
 * What the device aggregates, in stock Lucene: plain loops of collectors over its doc values, with
 * counters in arrays. Fields of one value a document are read without the iteration over values.
 */
final class StockAggregates {
  private StockAggregates() {}

  /** Returns the counterpart of {@link org.luceneoffload.aggregate.Aggregation#stats}. */
  static CollectorManager<?, LongStats> stats(String field) {
    return new Manager<>(() -> new Stats(field), Stats::result);
  }

  /**
   * Returns the counterpart of {@link org.luceneoffload.aggregate.Aggregation#terms}. Finds out now
   * how the keywords of the segments belong together, as stock's facets keep it for a reader. Other
   * readers of the same segments may be asked, too.
   */
  static CollectorManager<?, TermCounts> terms(IndexReader reader, String field, int n)
      throws IOException {
    List<LeafReaderContext> leaves = reader.leaves();
    SortedSetDocValues[] values = new SortedSetDocValues[leaves.size()];
    for (LeafReaderContext leaf : leaves) {
      values[leaf.ord] = DocValues.getSortedSet(leaf.reader(), field);
    }
    OrdinalMap map = OrdinalMap.build(null, values, PackedInts.DEFAULT);
    return new Manager<>(() -> new Terms(field, map), terms -> terms.result(n));
  }

  /**
   * Returns the counterpart of {@link org.luceneoffload.aggregate.Aggregation#histogram}.
   *
   * @param first the first bucket that a value can be in
   * @param buckets how many there are from that one on
   */
  static CollectorManager<?, HistogramCounts> histogram(
      String field, long width, long first, int buckets) {
    return new Manager<>(() -> new Histogram(field, width, first, buckets), Histogram::result);
  }

  private record Manager<C extends Tally<C>, R>(Supplier<C> make, IOFunction<C, R> result)
      implements CollectorManager<C, R> {
    @Override
    public C newCollector() {
      return make.get();
    }

    @Override
    public R reduce(Collection<C> collectors) throws IOException {
      C all = make.get();
      collectors.forEach(all::add);
      return result.apply(all);
    }
  }

  /** Counts matches, and what they have in a field. */
  private abstract static class Tally<C extends Tally<C>> implements Collector {
    final String field;
    long matches;
    long docs;

    Tally(String field) {
      this.field = field;
    }

    void add(C other) {
      matches += other.matches;
      docs += other.docs;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  /** Without scores. */
  private abstract static class Loop implements LeafCollector {
    @Override
    public void setScorer(Scorable scorer) {}
  }

  /** Takes the numbers of the matches. */
  private abstract static class Numbers<C extends Numbers<C>> extends Tally<C> {
    Numbers(String field) {
      super(field);
    }

    /** Takes the only number of a match. */
    abstract void take(long value);

    /** Takes all numbers of a match. */
    abstract void take(SortedNumericDocValues values) throws IOException;

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
      NumericDocValues single = DocValues.unwrapSingleton(values);
      if (single == null) {
        return new Loop() {
          @Override
          public void collect(int doc) throws IOException {
            matches++;
            if (values.advanceExact(doc)) {
              docs++;
              take(values);
            }
          }
        };
      }
      return new Loop() {
        @Override
        public void collect(int doc) throws IOException {
          matches++;
          if (single.advanceExact(doc)) {
            docs++;
            take(single.longValue());
          }
        }
      };
    }
  }

  private static final class Stats extends Numbers<Stats> {
    private long values;
    private long sum;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;

    Stats(String field) {
      super(field);
    }

    @Override
    void take(long value) {
      values++;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }

    @Override
    void take(SortedNumericDocValues numbers) throws IOException {
      for (int i = numbers.docValueCount(); i > 0; i--) {
        take(numbers.nextValue());
      }
    }

    @Override
    void add(Stats other) {
      super.add(other);
      values += other.values;
      sum += other.sum;
      min = Math.min(min, other.min);
      max = Math.max(max, other.max);
    }

    LongStats result() {
      return new LongStats(docs, matches - docs, values, sum, min, max);
    }
  }

  private static final class Histogram extends Numbers<Histogram> {
    private final long width;
    private final long first;
    private final long[] counts;

    Histogram(String field, long width, long first, int buckets) {
      super(field);
      this.width = width;
      this.first = first;
      counts = new long[buckets];
    }

    @Override
    void take(long value) {
      counts[bucket(value)]++;
    }

    private int bucket(long value) {
      return (int) (Math.floorDiv(value, width) - first);
    }

    /** Takes a value. Values come in order: a bucket that was counted was the last one. */
    @Override
    void take(SortedNumericDocValues numbers) throws IOException {
      int last = -1;
      for (int i = numbers.docValueCount(); i > 0; i--) {
        int bucket = bucket(numbers.nextValue());
        counts[bucket] += bucket == last ? 0 : 1;
        last = bucket;
      }
    }

    @Override
    void add(Histogram other) {
      super.add(other);
      for (int i = 0; i < counts.length; i++) {
        counts[i] += other.counts[i];
      }
    }

    HistogramCounts result() {
      List<HistogramCounts.Bucket> found = new ArrayList<>();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0) {
          found.add(new HistogramCounts.Bucket(first + i, counts[i]));
        }
      }
      return new HistogramCounts(docs, matches - docs, found);
    }
  }

  private static final class Terms extends Tally<Terms> {
    private static final Comparator<Found> WORST_FIRST =
        Comparator.comparingLong(Found::count)
            .thenComparing(Comparator.comparingLong(Found::ord).reversed());

    private final OrdinalMap map;
    private final long[] counts; // by global ordinal
    private List<LeafReaderContext> leaves = List.of(); // of the reader that is asked, once known

    /** A keyword of some matches. */
    private record Found(long ord, long count) {}

    Terms(String field, OrdinalMap map) {
      super(field);
      this.map = map;
      counts = new long[Math.toIntExact(map.getValueCount())];
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), field);
      SortedDocValues single = DocValues.unwrapSingleton(values);
      int[] ofLeaf = new int[Math.toIntExact(values.getValueCount())];
      if (single == null) {
        return new Loop() {
          @Override
          public void collect(int doc) throws IOException {
            matches++;
            if (values.advanceExact(doc)) {
              docs++;
              for (int i = values.docValueCount(); i > 0; i--) {
                ofLeaf[(int) values.nextOrd()]++;
              }
            }
          }

          @Override
          public void finish() {
            addLeaf(leaf, ofLeaf);
          }
        };
      }
      return new Loop() {
        @Override
        public void collect(int doc) throws IOException {
          matches++;
          if (single.advanceExact(doc)) {
            docs++;
            ofLeaf[single.ordValue()]++;
          }
        }

        @Override
        public void finish() {
          addLeaf(leaf, ofLeaf);
        }
      };
    }

    private void addLeaf(LeafReaderContext leaf, int[] ofLeaf) {
      leaves = ReaderUtil.getTopLevelContext(leaf).leaves();
      LongValues global = map.getGlobalOrds(leaf.ord);
      for (int ord = 0; ord < ofLeaf.length; ord++) {
        if (ofLeaf[ord] > 0) {
          counts[(int) global.get(ord)] += ofLeaf[ord];
        }
      }
    }

    @Override
    void add(Terms other) {
      super.add(other);
      leaves = other.leaves.isEmpty() ? leaves : other.leaves;
      for (int i = 0; i < counts.length; i++) {
        counts[i] += other.counts[i];
      }
    }

    TermCounts result(int n) throws IOException {
      PriorityQueue<Found> best = new PriorityQueue<>(WORST_FIRST);
      long values = 0;
      long distinct = 0;
      for (int ord = 0; ord < counts.length; ord++) {
        long count = counts[ord];
        if (count > 0) {
          values += count;
          distinct++;
          // Of equal counts the first keyword is the best.
          if (best.size() == n && count > best.element().count()) {
            best.remove();
          }
          if (best.size() < n) {
            best.add(new Found(ord, count));
          }
        }
      }
      List<TermCounts.Count> top = new ArrayList<>();
      for (Found found : best.stream().sorted(WORST_FIRST.reversed()).toList()) {
        top.add(new TermCounts.Count(term(leaves, found.ord()), found.count()));
      }
      return new TermCounts(docs, matches - docs, values, distinct, top);
    }

    private BytesRef term(List<LeafReaderContext> leaves, long ord) throws IOException {
      LeafReaderContext leaf = leaves.get(map.getFirstSegmentNumber(ord));
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), field);
      return BytesRef.deepCopyOf(values.lookupOrd(map.getFirstSegmentOrd(ord)));
    }
  }
}
