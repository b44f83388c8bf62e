/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.internal.hppc.LongIntHashMap;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FilterCollector;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.search.aggregate.Tallies;

/**
 * Twin of {@code HistogramCollectorManager} of Lucene's sandbox: the number of matches by bucket,
 * which is a value divided by the width, rounded down. An {@link OffloadIndexSearcher} has the
 * device count; with other searchers the host counts. Deleted documents never count, which Lucene's
 * class does with some queries of points.
 *
 * <pre class="prettyprint">
 * LongIntHashMap days = searcher.search(query, new OffloadHistogramCollectorManager("time", day));
 * </pre>
 */
public final class OffloadHistogramCollectorManager
    implements CollectorManager<OffloadHistogramCollectorManager.Part, LongIntHashMap> {
  private static final int MIN_WIDTH = 2;

  private final Aggregation<HistogramCounts> histogram;

  /**
   * Takes a field and a width as the other constructor does, with at most {@link
   * Aggregation#MAX_BUCKETS} buckets.
   *
   * @param field name of the field
   * @param bucketWidth at least 2
   */
  public OffloadHistogramCollectorManager(String field, long bucketWidth) {
    this(field, bucketWidth, Aggregation.MAX_BUCKETS);
  }

  /**
   * Asks for the buckets of a field of whole numbers. A search that finds more buckets than
   * allowed, or doc values of another kind, throws an {@link IllegalStateException}.
   *
   * @param field name of the field
   * @param bucketWidth at least 2
   * @param maxBuckets buckets that may have matches, at least 1
   */
  public OffloadHistogramCollectorManager(String field, long bucketWidth, int maxBuckets) {
    if (bucketWidth < MIN_WIDTH) {
      throw new IllegalArgumentException(
          "bucketWidth must be at least " + MIN_WIDTH + ", got " + bucketWidth);
    }
    histogram = Aggregation.histogram(field, bucketWidth, maxBuckets);
  }

  /** Collects the matches of some segments, or parts of them. */
  public static final class Part extends FilterCollector {
    private final Tallies tallies;

    private Part(Tallies tallies) {
      super(tallies.collector());
      this.tallies = tallies;
    }
  }

  @Override
  public Part newCollector() {
    return new Part(Tallies.of(List.of(histogram)));
  }

  @Override
  public LongIntHashMap reduce(Collection<Part> parts) throws IOException {
    Tallies all = Tallies.of(List.of(histogram));
    parts.forEach(part -> all.merge(part.tallies));
    return result(all.results());
  }

  /** Returns what is asked. */
  List<Aggregation<?>> aggregations() {
    return List.of(histogram);
  }

  /** Returns the result in Lucene's form. */
  LongIntHashMap result(AggregationResults results) {
    LongIntHashMap counts = new LongIntHashMap();
    for (HistogramCounts.Bucket bucket : results.get(histogram).buckets()) {
      counts.put(bucket.number(), Math.toIntExact(bucket.count()));
    }
    return counts;
  }
}
