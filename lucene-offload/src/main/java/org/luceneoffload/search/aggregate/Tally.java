/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.AutoDates;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.Aggregation.InsideBuckets;
import org.luceneoffload.aggregate.Aggregation.TopMetrics;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/**
 * What one aggregation has come to over some documents: results of plans, or values of documents,
 * are added to it. For one thread.
 */
public abstract class Tally {
  private final Aggregation<?> aggregation;

  /** Matches that have a value. */
  long docs;

  Tally(Aggregation<?> aggregation) {
    this.aggregation = aggregation;
  }

  /**
   * Returns an empty tally.
   *
   * @throws IllegalArgumentException if the aggregation takes several passes over the matches
   */
  public static Tally of(Aggregation<?> aggregation) {
    return switch (aggregation) {
      case Aggregation.Longs longs -> new LongTally(longs);
      case Aggregation.Doubles doubles -> new DoubleTally(doubles);
      case Aggregation.Terms terms -> new TermTally(terms);
      case Aggregation.Ordinals ordinals -> new OrdinalTally(ordinals);
      case Aggregation.DistinctTerms distinct -> new DistinctTally(distinct);
      case Aggregation.Values values -> new ValueTally(values);
      case Aggregation.DistinctValues distinct -> new ValueTally(distinct);
      case Aggregation.Dates dates -> new DateTally(dates);
      case Aggregation.Histogram histogram -> new HistogramTally(histogram);
      case Aggregation.Ranges ranges -> new RangeTally(ranges);
      case Combinations combinations -> new CombinationTally(combinations);
      case InsideBuckets<?> inside -> throw severalPasses(inside);
      case AutoDates dates -> throw severalPasses(dates);
      case TopMetrics metrics -> throw severalPasses(metrics);
    };
  }

  private static IllegalArgumentException severalPasses(Aggregation<?> aggregation) {
    return new IllegalArgumentException("no pass over the matches answers " + aggregation);
  }

  /** Returns the aggregation. */
  public final Aggregation<?> aggregation() {
    return aggregation;
  }

  /** Returns the field. */
  public final String field() {
    return aggregation.field();
  }

  /** Returns whether the values of a field can be aggregated. */
  public boolean takes(DocValuesType type) {
    return type == DocValuesType.NUMERIC || type == DocValuesType.SORTED_NUMERIC;
  }

  /**
   * Checks what a segment has in the field.
   *
   * @throws IllegalStateException if that cannot be aggregated
   */
  public void check(LeafReader reader) {
    FieldInfo info = reader.getFieldInfos().fieldInfo(field());
    if (info != null && !takes(info.getDocValuesType())) {
      throw new IllegalStateException(
          "field \""
              + field()
              + "\" has doc values of type "
              + info.getDocValuesType()
              + ", which "
              + aggregation
              + " does not take");
    }
  }

  /** Returns whether documents have to be added in ascending order over all segments. */
  public boolean inDocOrder() {
    return false;
  }

  /**
   * Returns the ranges that a segment's plan needs.
   *
   * @throws RefusedException if there are more than a plan can have
   */
  public List<ValueRange> ranges(LeafReaderContext context, DeviceColumn column)
      throws RefusedException {
    return List.of();
  }

  /**
   * Returns the aggregate of a segment's plan.
   *
   * @param column the values
   * @param index number of the column in the plan
   * @param firstRange number of the first of {@link #ranges} in the plan
   * @param rangeCount how many these are
   * @param cost about the most docs that can match
   * @throws RefusedException if the host is the better place
   */
  public abstract Aggregate plan(
      DeviceColumn column, int index, int firstRange, int rangeCount, long cost)
      throws RefusedException;

  /** Returns the planned aggregate, to be added to this tally. */
  public Aggregate begin(Aggregate planned) {
    return planned;
  }

  /**
   * Adds what a plan came to.
   *
   * @param asked the aggregate, from whose first key on the result counts
   * @param again whether the result only has keys that the one before it had no room for
   */
  public final void add(
      LeafReaderContext context, Aggregate asked, AggregateResult result, boolean again)
      throws IOException {
    if (!again) {
      docs += result.docCount();
    }
    addResult(context, asked, result);
  }

  /** Adds the numbers of a result other than its docs. */
  abstract void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result)
      throws IOException;

  /** Adds matches of a segment by its doc values. */
  public abstract LeafTally leaf(LeafReaderContext context) throws IOException;

  /** Adds matches of a segment by their numbers. */
  final LeafTally leafOfNumbers(LeafReaderContext context) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(context.reader(), field());
    return doc -> {
      if (values.advanceExact(doc)) {
        docs++;
        addDoc(values);
      }
    };
  }

  /** Adds a doc by its numbers, which ascend. */
  void addDoc(SortedNumericDocValues values) throws IOException {
    throw new UnsupportedOperationException(getClass().getName());
  }

  /**
   * Returns an empty tally for the documents that come next, which {@link #merge} adds to this one.
   */
  public Tally next() {
    return of(aggregation);
  }

  /** Adds another tally of the same aggregation, which is not used any more. */
  public final void merge(Tally other) {
    docs += other.docs;
    mergeRest(other);
  }

  /** Adds what a tally has beside its docs. */
  abstract void mergeRest(Tally other);

  /**
   * Returns the result.
   *
   * @param matches all matches, those without a value included
   */
  public abstract Object result(long matches) throws IOException;
}
