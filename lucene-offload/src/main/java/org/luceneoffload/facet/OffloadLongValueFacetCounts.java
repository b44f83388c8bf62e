/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.LongValueFacetCounts;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts.Bucket;
import org.luceneoffload.util.TopCounts;

/**
 * Twin of {@link LongValueFacetCounts} over the doc values of a field: matches by whole number. A
 * match with several values counts once for each different one.
 */
public final class OffloadLongValueFacetCounts extends FieldFacets {
  /** Stock gives smaller numbers in order and before all others, which have no order. */
  private static final long SMALL = 1024;

  private final List<Bucket> values;
  private final int[] counts;
  private final long total;

  /**
   * Counts the values of a field.
   *
   * @param field name of the field
   * @param hits the matches
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see LongValueFacetCounts#LongValueFacetCounts(String, org.apache.lucene.facet.FacetsCollector)
   * @throws IOException if the index cannot be read
   */
  public OffloadLongValueFacetCounts(String field, OffloadFacetsCollector hits) throws IOException {
    super(field);
    Aggregation<HistogramCounts> each = Aggregation.histogram(field, 1, Integer.MAX_VALUE);
    HistogramCounts found = hits.aggregate(each).get(each);
    values = found.buckets();
    counts = values.stream().mapToInt(bucket -> Math.toIntExact(bucket.count())).toArray();
    total = found.docs();
  }

  private FacetResult result(int... children) {
    LabelAndValue[] labels = new LabelAndValue[children.length];
    for (int i = 0; i < children.length; i++) {
      String label = Long.toString(values.get(children[i]).number());
      labels[i] = new LabelAndValue(label, counts[children[i]]);
    }
    return result(total, counts.length, labels);
  }

  @Override
  public FacetResult getTopChildren(int topN, String dim, String... path) {
    validateTopN(topN);
    checkHasChildren(dim, path);
    return result(TopCounts.of(counts, topN));
  }

  /** Returns all values: those from 0 to 1023 first, then the others, both in ascending order. */
  @Override
  public FacetResult getAllChildren(String dim, String... path) {
    checkHasChildren(dim, path);
    IntStream small = all().filter(this::isSmall);
    return result(IntStream.concat(small, all().filter(i -> !isSmall(i))).toArray());
  }

  private boolean isSmall(int i) {
    long number = values.get(i).number();
    return number >= 0 && number < SMALL;
  }

  /** {@return all values in ascending order} */
  public FacetResult getAllChildrenSortByValue() {
    return result(all().toArray());
  }

  private IntStream all() {
    return IntStream.range(0, counts.length);
  }

  /** Refuses to count one value, as the twin does: ask for all children instead. */
  @Override
  public Number getSpecificValue(String dim, String... path) {
    throw new UnsupportedOperationException(
        "counts of single numbers are not to be had; ask for all children");
  }

  @Override
  public String toString() {
    return "OffloadLongValueFacetCounts" + getAllChildrenSortByValue();
  }
}
