/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;

/** What all aggregations of a search have come to over some documents. For one thread. */
public final class Tallies {
  private final List<Tally> tallies;
  private long matches;

  private Tallies(List<Tally> tallies) {
    this.tallies = tallies;
  }

  /** Returns empty tallies; one for those that are equal. */
  public static Tallies of(List<Aggregation<?>> aggregations) {
    if (aggregations.size() == 1) {
      return new Tallies(List.of(Tally.of(aggregations.get(0))));
    }
    List<Tally> made = new ArrayList<>(aggregations.size());
    for (Aggregation<?> aggregation : new LinkedHashSet<>(aggregations)) {
      made.add(Tally.of(aggregation));
    }
    return new Tallies(made);
  }

  /**
   * Returns empty tallies of the matches in each of some buckets.
   *
   * @param outer the aggregation that has the buckets
   * @param inner plain aggregations of each bucket's matches
   */
  public static Tallies inBuckets(
      Aggregation<?> outer, Buckets buckets, List<Aggregation<?>> inner) {
    return new Tallies(List.of(new BucketTally(outer, buckets, inner)));
  }

  /** Returns the tallies, one for each aggregation. */
  public List<Tally> all() {
    return tallies;
  }

  /** Returns whether documents have to be added in ascending order over all segments. */
  public boolean inDocOrder() {
    for (Tally tally : tallies) {
      if (tally.inDocOrder()) {
        return true;
      }
    }
    return false;
  }

  /** Adds matches. */
  public void addMatches(long added) {
    matches += added;
  }

  /** Returns empty tallies for the documents that come next, which {@link #merge} adds to these. */
  public Tallies next() {
    if (tallies.size() == 1) {
      return new Tallies(List.of(tallies.get(0).next()));
    }
    List<Tally> next = new ArrayList<>(tallies.size());
    for (Tally tally : tallies) {
      next.add(tally.next());
    }
    return new Tallies(next);
  }

  /** Adds other tallies of the same aggregations. */
  public void merge(Tallies other) {
    matches += other.matches;
    for (int i = 0; i < tallies.size(); i++) {
      tallies.get(i).merge(other.tallies.get(i));
    }
  }

  /** Returns the results of each bucket of {@link #inBuckets}. */
  public List<AggregationResults> bucketResults() throws IOException {
    return ((BucketTally) tallies.get(0)).result(matches);
  }

  /** Returns the results. */
  public AggregationResults results() throws IOException {
    if (tallies.size() == 1) {
      Tally only = tallies.get(0);
      return new AggregationResults(matches, Map.of(only.aggregation(), only.result(matches)));
    }
    Map<Aggregation<?>, Object> results = new HashMap<>();
    for (Tally tally : tallies) {
      results.put(tally.aggregation(), tally.result(matches));
    }
    return new AggregationResults(matches, results);
  }

  /** Adds the matches of one segment after the other by its doc values. */
  public SimpleCollector collector() {
    return new SimpleCollector() {
      private final List<LeafTally> leaf = new ArrayList<>();

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
      }

      @Override
      protected void doSetNextReader(LeafReaderContext context) throws IOException {
        leaf.clear();
        for (Tally tally : tallies) {
          leaf.add(tally.leaf(context));
        }
      }

      @Override
      public void collect(int doc) throws IOException {
        matches++;
        for (LeafTally tally : leaf) {
          tally.collect(doc);
        }
      }

      @Override
      public void finish() throws IOException {
        for (LeafTally tally : leaf) {
          tally.finish();
        }
      }
    };
  }
}
