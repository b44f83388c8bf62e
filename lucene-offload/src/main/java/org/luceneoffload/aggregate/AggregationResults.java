/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongValues;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;

/** What the aggregations of one search have come to. Immutable. */
public final class AggregationResults {
  private final long matches;
  private final Map<Aggregation<?>, Object> results;

  /**
   * Takes what was found.
   *
   * @param matches documents that match the query and are not deleted
   * @param results by aggregation, of the kind that each of them asks for
   */
  public AggregationResults(long matches, Map<Aggregation<?>, ?> results) {
    this.matches = matches;
    this.results = Map.copyOf(results);
  }

  /** {@return the number of documents that match the query and are not deleted} */
  public long matches() {
    return matches;
  }

  /**
   * {@return the result of an aggregation, or of one that is equal to it}
   *
   * @param <R> the kind of result
   * @param aggregation what was asked
   * @throws IllegalArgumentException if the search was not asked for it
   */
  @SuppressWarnings("unchecked") // each result is of the kind of its key
  public <R> R get(Aggregation<R> aggregation) {
    Object result = results.get(aggregation);
    if (result == null) {
      throw new IllegalArgumentException("the search was not asked for " + aggregation);
    }
    return (R) result;
  }

  /** Returns whether another object has the same numbers in all its results. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AggregationResults that
        && matches == that.matches
        && results.equals(that.results);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(matches) + results.hashCode();
  }

  /** Returns the matches and all results, in a fixed order. */
  @Override
  public String toString() {
    Map<String, Object> sorted = new TreeMap<>();
    results.forEach((aggregation, result) -> sorted.put(aggregation.toString(), result));
    return matches + " matches " + sorted;
  }

  /**
   * Statistics of whole numbers.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param values values of all matches, equal ones included
   * @param sum their sum, modulo 2<sup>64</sup>
   * @param min the least of them; {@link Long#MAX_VALUE} if there is none
   * @param max the greatest of them; {@link Long#MIN_VALUE} if there is none
   */
  public record LongStats(long docs, long missing, long values, long sum, long min, long max) {}

  /**
   * Statistics of floating-point numbers. They are added in the order of documents, from 0.0 on,
   * each step rounded to double, so that the sum is the same however the index is searched.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param values values of all matches, equal ones included
   * @param sum their sum
   * @param min the least of them by {@link Double#compare}; NaN if there is none
   * @param max the greatest of them by {@link Double#compare}, for which NaN is above all; NaN if
   *     there is none
   */
  public record DoubleStats(
      long docs, long missing, long values, double sum, double min, double max) {}

  /**
   * The commonest keywords.
   *
   * @param docs matches that have a keyword
   * @param missing matches that have none
   * @param values keywords of all matches, each counted once for each match
   * @param distinct different keywords among them
   * @param top those of most matches, most matches first, then in the order of terms
   */
  public record TermCounts(long docs, long missing, long values, long distinct, List<Count> top) {
    /** Copies the list. */
    public TermCounts {
      top = List.copyOf(top);
    }

    /**
     * A keyword.
     *
     * @param term its bytes, not to be changed
     * @param count matches that have it
     */
    public record Count(BytesRef term, long count) {}
  }

  /**
   * The commonest whole numbers.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param values different values of each match, added up over all matches
   * @param distinct different values among them, exactly
   * @param top those of most matches, most matches first, then ascending
   */
  public record ValueCounts(long docs, long missing, long values, long distinct, List<Count> top) {
    /** Copies the list. */
    public ValueCounts {
      top = List.copyOf(top);
    }

    /**
     * A value.
     *
     * @param value the number
     * @param count matches that have it
     */
    public record Count(long value, long count) {}
  }

  /**
   * How many different values matches have. The number is exact, and so may differ from the
   * estimate that a cluster's HyperLogLog++ gives for many values.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param count different values among them
   */
  public record DistinctCount(long docs, long missing, long count) {}

  /**
   * Counts of all keywords, by their ordinals, which differ from segment to segment.
   *
   * @param docs matches that have a keyword
   * @param missing matches that have none
   * @param segments what was counted; of some segments there may be several parts, of others none
   */
  public record OrdinalCounts(long docs, long missing, List<Segment> segments) {
    /** Copies the list. */
    public OrdinalCounts {
      segments = List.copyOf(segments);
    }

    /**
     * Adds the counts to those by ordinal of the whole reader.
     *
     * @param counts one for each keyword of the reader
     * @param map of the searcher's reader and the field; null if it has one segment only
     */
    public void addTo(int[] counts, OrdinalMap map) {
      for (Segment segment : segments) {
        segment.addTo(counts, map == null ? LongValues.IDENTITY : map.getGlobalOrds(segment.leaf));
      }
    }

    /**
     * {@return how many of some counts are above 0}
     *
     * @param counts none of which is negative
     */
    public static int found(int[] counts) {
      int found = 0;
      for (int count : counts) {
        found += -count >>> (Integer.SIZE - 1); // no branch: which are 0, no processor can guess
      }
      return found;
    }

    /**
     * Counts of a segment, or a part of it: matches that have a keyword, 0 included.
     *
     * @param leaf {@link org.apache.lucene.index.LeafReaderContext#ord} of the segment
     * @param first the ordinal of the first count
     * @param ords the ordinals of all counts, ascending, not to be changed; null: from {@code
     *     first} on, one after the other
     * @param counts not to be changed
     */
    public record Segment(int leaf, long first, long[] ords, int[] counts) {
      /**
       * {@return the ordinal of count {@code i}}
       *
       * @param i an index of the counts
       */
      public long ord(int i) {
        return ords == null ? first + i : ords[i];
      }

      /** {@return the number of counts above 0} */
      public int found() {
        return OrdinalCounts.found(counts);
      }

      /**
       * Adds the counts to others.
       *
       * @param sums what is added to
       * @param global index in {@code sums}, by ordinal
       */
      public void addTo(int[] sums, LongValues global) {
        if (ords == null) {
          // Those of 0, too: which ones they are, no processor can guess.
          for (int i = 0; i < counts.length; i++) {
            sums[(int) global.get(first + i)] += counts[i];
          }
          return;
        }
        for (int i = 0; i < counts.length; i++) {
          sums[(int) global.get(ords[i])] += counts[i];
        }
      }
    }
  }

  /**
   * Matches by bucket of equal width. A match with values in several buckets counts once in each.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param buckets the buckets that have matches, ascending
   */
  public record HistogramCounts(long docs, long missing, List<Bucket> buckets) {
    /** Copies the list. */
    public HistogramCounts {
      buckets = List.copyOf(buckets);
    }

    /**
     * A bucket.
     *
     * @param number its values divided by the width, rounded down
     * @param count matches that have a value in it
     */
    public record Bucket(long number, long count) {}
  }

  /**
   * Matches by interval of the calendar. A match with values in several intervals counts once in
   * each.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param buckets the intervals that have matches, ascending
   */
  public record DateCounts(long docs, long missing, List<Bucket> buckets) {
    /** Copies the list. */
    public DateCounts {
      buckets = List.copyOf(buckets);
    }

    /**
     * An interval.
     *
     * @param from its first millisecond, since 1970-01-01T00:00:00Z; that of the first long if it
     *     begins before
     * @param count matches that have a value in it
     */
    public record Bucket(long from, long count) {}
  }

  /**
   * Matches by interval of a length that suits them.
   *
   * @param unit what the length is counted in; those of less than a day are in line with
   *     1970-01-01T00:00:00Z, the others as those of a {@link CalendarInterval} in UTC
   * @param step how many of them make the length
   * @param counts the intervals that have matches
   */
  public record AutoDateCounts(ChronoUnit unit, int step, DateCounts counts) {}

  /**
   * Matches by range. A match with values in several ranges counts once in each.
   *
   * @param docs matches that have a value
   * @param missing matches that have none
   * @param inAny matches that have a value in at least one range
   * @param counts for each range, in the order in which they were given, the matches that have a
   *     value in it
   */
  public record RangeCounts(long docs, long missing, long inAny, List<Long> counts) {
    /** Copies the list. */
    public RangeCounts {
      counts = List.copyOf(counts);
    }
  }

  /**
   * Buckets, and what the matches in each of them come to.
   *
   * @param <R> the kind of result
   * @param buckets the buckets
   * @param inside one for each bucket that {@code buckets} lists, in the same order
   */
  public record BucketResults<R>(R buckets, List<AggregationResults> inside) {
    /** Copies the list. */
    public BucketResults {
      inside = List.copyOf(inside);
    }
  }

  /**
   * Matches by combination of values: a match with several values of a field counts in each
   * combination that it has, and one without a value of some field in none.
   *
   * @param top the combinations that were asked for
   */
  public record CombinationCounts(List<Count> top) {
    /** Copies the list. */
    public CombinationCounts {
      top = List.copyOf(top);
    }

    /**
     * A combination.
     *
     * @param keys a {@link BytesRef}, not to be changed, or a {@link Long} of each field
     * @param count matches that have it
     */
    public record Count(List<Object> keys, long count) {
      /** Copies the list. */
      public Count {
        keys = List.copyOf(keys);
      }
    }
  }

  /**
   * Numbers of the first matches of an order.
   *
   * @param hits those matches
   */
  public record MetricHits(List<Hit> hits) {
    /** Copies the list. */
    public MetricHits {
      hits = List.copyOf(hits);
    }

    /**
     * A match.
     *
     * @param key what it was sorted by, as {@link org.apache.lucene.search.FieldDoc} has it
     * @param metrics of each field the least doc value, as it is stored; null: it has none
     */
    public record Hit(Object key, List<Long> metrics) {
      /** Copies the list. */
      public Hit {
        metrics = Collections.unmodifiableList(new ArrayList<>(metrics));
      }
    }
  }
}
