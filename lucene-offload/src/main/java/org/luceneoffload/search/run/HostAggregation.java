/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Weight;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.aggregate.Tally;

/** Aggregates doc values on the host, and walks over segments for other aggregators. */
public final class HostAggregation {
  /** Adds the matches of a part of a segment. */
  interface PartitionTally {
    void add(LeafReaderContextPartition partition, Tallies tallies) throws IOException;

    /** Returns what adds the partitions that come next, one after the other by the same thread. */
    default PartitionTally begin(LeafReaderContextPartition[] partitions, Tallies tallies)
        throws IOException {
      return this;
    }
  }

  private HostAggregation() {}

  /**
   * Aggregates the matches of a rewritten query; which docs match, the device may say.
   *
   * @throws IllegalStateException if doc values of a field cannot be aggregated
   */
  public static AggregationResults run(
      HostSearcher.Whole host, Query rewritten, List<Aggregation<?>> aggregations)
      throws IOException {
    Tallies tallies = Tallies.of(aggregations);
    run(host, rewritten, tallies);
    return tallies.results();
  }

  /**
   * Adds the matches of a rewritten query to tallies; which docs match, the device may say.
   *
   * @throws IllegalStateException if doc values of a field cannot be aggregated
   */
  public static void run(HostSearcher.Whole host, Query rewritten, Tallies tallies)
      throws IOException {
    check(host, tallies);
    Weight weight = host.searcher().createWeight(rewritten, ScoreMode.COMPLETE_NO_SCORES, 1f);
    walk(host, tallies, (partition, to) -> add(host, weight, partition, to));
  }

  /** Checks that the doc values of all segments can be aggregated. */
  static void check(HostSearcher host, Tallies tallies) {
    for (LeafReaderContext context : host.searcher().getLeafContexts()) {
      for (Tally tally : tallies.all()) {
        tally.check(context.reader());
      }
    }
  }

  /** Adds the matches of a part of a segment by its doc values. */
  static void add(
      HostSearcher.Whole host, Weight weight, LeafReaderContextPartition partition, Tallies to)
      throws IOException {
    SimpleCollector collector = to.collector();
    collector.setWeight(weight);
    host.searchLeafStock(partition.ctx, partition.minDocId, partition.maxDocId, weight, collector);
  }

  /**
   * Adds all segments: one slice beside the other, or one segment after the other where the order
   * makes a difference. Ends early when the searcher's time is over.
   */
  static void walk(HostSearcher.Whole host, Tallies tallies, PartitionTally tally)
      throws IOException {
    IndexSearcher searcher = host.searcher();
    if (tallies.inDocOrder()) {
      LeafReaderContextPartition[] all =
          searcher.getLeafContexts().stream()
              .map(LeafReaderContextPartition::createForEntireSegment)
              .toArray(LeafReaderContextPartition[]::new);
      walk(host, all, tallies, tally);
      return;
    }
    LeafSlice[] slices = searcher.getSlices();
    if (slices.length == 1) {
      walk(host, slices[0].partitions, tallies, tally);
      return;
    }
    List<Callable<Tallies>> tasks = new ArrayList<>(slices.length);
    for (LeafSlice slice : slices) {
      Tallies own = tallies.next();
      tasks.add(
          () -> {
            walk(host, slice.partitions, own, tally);
            return own;
          });
    }
    searcher.getTaskExecutor().invokeAll(tasks).forEach(tallies::merge);
  }

  private static void walk(
      HostSearcher.Whole host,
      LeafReaderContextPartition[] partitions,
      Tallies tallies,
      PartitionTally tally)
      throws IOException {
    QueryTimeout timeout = host.searcher().getTimeout();
    PartitionTally own = tally.begin(partitions, tallies);
    for (LeafReaderContextPartition partition : partitions) {
      if (timeout != null && timeout.shouldExit()) {
        host.markTimedOut();
        return;
      }
      own.add(partition, tallies);
    }
  }
}
