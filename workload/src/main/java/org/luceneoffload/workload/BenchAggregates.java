/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdSetIterator;
import org.luceneoffload.aggregate.Aggregation;

/**
 * Aggregations of matches that are measured: statistics and a histogram of the first typed field of
 * integers or dates, and the commonest keywords of the first field of these.
 */
public final class BenchAggregates {
  private static final int KEYWORDS = 10;

  /** Buckets that a histogram has over all documents, but one. */
  private static final long BUCKETS = 100;

  /**
   * An aggregation on both sides.
   *
   * @param name what it is, and of which field
   * @param offload as the device is asked for it
   * @param stock the same in stock Lucene
   */
  public record Aggregate(String name, Aggregation<?> offload, CollectorManager<?, ?> stock) {}

  private final List<Aggregate> aggregates;

  private BenchAggregates(List<Aggregate> aggregates) {
    this.aggregates = aggregates;
  }

  /** Returns the aggregations of an index; none if it has no such fields. */
  public static BenchAggregates of(DirectoryReader reader) throws IOException {
    String number = null;
    String keyword = null;
    for (TypedField field : TypedFields.of(reader).all()) {
      switch (field.type()) {
        case KEYWORD -> keyword = keyword == null ? field.name() : keyword;
        case LONG, DATE -> number = number == null ? field.name() : number;
        case DOUBLE -> {} // only stats take them, and are measured with integers
      }
    }
    List<Aggregate> found = new ArrayList<>();
    if (number != null) {
      found.add(
          new Aggregate(
              "stats " + number, Aggregation.stats(number), StockAggregates.stats(number)));
    }
    if (keyword != null) {
      found.add(
          new Aggregate(
              "terms " + keyword,
              Aggregation.terms(keyword, KEYWORDS),
              StockAggregates.terms(reader, keyword, KEYWORDS)));
    }
    if (number != null) {
      found.add(histogram(reader, number));
    }
    return new BenchAggregates(found);
  }

  /**
   * Makes a histogram. Stock's counters are an array over all buckets that the index has, the
   * fastest that it can.
   */
  private static Aggregate histogram(DirectoryReader reader, String field) throws IOException {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (LeafReaderContext leaf : reader.leaves()) {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
      while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        for (int i = values.docValueCount(); i > 0; i--) {
          long value = values.nextValue();
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
    }
    if (least > greatest) { // no value at all
      least = 0;
      greatest = 0;
    }
    // Halves: the difference may be more than a long holds.
    long width = Math.max(1, 2 * ((greatest / 2 - least / 2) / BUCKETS) + 2);
    long first = Math.floorDiv(least, width);
    int buckets = (int) (Math.floorDiv(greatest, width) - first) + 1;
    return new Aggregate(
        "histogram " + field,
        Aggregation.histogram(field, width),
        StockAggregates.histogram(field, width, first, buckets));
  }

  /** Returns all of them. */
  public List<Aggregate> all() {
    return List.copyOf(aggregates);
  }

  /** Returns whether there are none. */
  boolean isEmpty() {
    return aggregates.isEmpty();
  }

  /** Returns the aggregation of the n-th query. */
  Aggregate get(int n) {
    return aggregates.get(n % aggregates.size());
  }

  /** Returns the name of the aggregation of the n-th query. */
  String name(int n) {
    return get(n).name();
  }
}
