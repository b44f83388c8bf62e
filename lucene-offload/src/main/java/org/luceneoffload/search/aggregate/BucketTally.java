/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.LeafCollector;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** What the matches of each of some buckets come to, in one pass: the host's work. */
final class BucketTally extends Tally {
  private final List<Aggregation<?>> inner;
  private final Buckets buckets;
  private final List<Tallies> byBucket = new ArrayList<>();

  /**
   * Nothing yet.
   *
   * @param inner plain aggregations
   */
  BucketTally(Aggregation<?> outer, Buckets buckets, List<Aggregation<?>> inner) {
    super(outer);
    this.buckets = buckets;
    this.inner = inner;
    for (int i = 0; i < buckets.count(); i++) {
      byBucket.add(Tallies.of(inner));
    }
  }

  /**
   * Checks the inner aggregations; those of the buckets are checked where the buckets are found.
   */
  @Override
  public void check(LeafReader reader) {
    inner.forEach(aggregation -> of(aggregation).check(reader));
  }

  @Override
  public boolean inDocOrder() {
    return inner.stream().anyMatch(aggregation -> of(aggregation).inDocOrder());
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost)
      throws RefusedException {
    throw new RefusedException(Refusal.Reason.PLANNER, "plans have no buckets inside others");
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result) {
    throw new UnsupportedOperationException("buckets of a plan");
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    Buckets.Router router = buckets.router(context);
    LeafCollector[] leaves = new LeafCollector[byBucket.size()];
    int[] last = new int[leaves.length];
    Arrays.fill(last, -1);
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        router.route(
            doc,
            bucket -> {
              if (last[bucket] == doc) {
                return;
              }
              last[bucket] = doc;
              if (leaves[bucket] == null) {
                leaves[bucket] = byBucket.get(bucket).collector().getLeafCollector(context);
              }
              leaves[bucket].collect(doc);
            });
      }

      @Override
      public void finish() throws IOException {
        for (LeafCollector leaf : leaves) {
          if (leaf != null) {
            leaf.finish();
          }
        }
      }
    };
  }

  @Override
  public Tally next() {
    return new BucketTally(aggregation(), buckets, inner);
  }

  @Override
  void mergeRest(Tally other) {
    BucketTally tally = (BucketTally) other;
    for (int i = 0; i < byBucket.size(); i++) {
      byBucket.get(i).merge(tally.byBucket.get(i));
    }
  }

  @Override
  public List<AggregationResults> result(long matches) throws IOException {
    List<AggregationResults> results = new ArrayList<>();
    for (Tallies tallies : byBucket) {
      results.add(tallies.results());
    }
    return results;
  }
}
