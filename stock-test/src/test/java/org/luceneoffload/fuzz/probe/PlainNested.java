/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.AutoDates;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.Aggregation.InsideBuckets;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.AutoDateCounts;
import org.luceneoffload.aggregate.AggregationResults.BucketResults;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.search.nested.AutoInterval;

/** Buckets inside others and the like, as their definitions have them. */
final class PlainNested {
  private PlainNested() {}

  /** Each bucket's docs once more. */
  static BucketResults<Object> inside(InsideBuckets<?> asked, PlainValues values)
      throws IOException {
    Aggregation<?> outer = asked.buckets();
    String field = outer.field();
    Object found = PlainAggregates.of(outer, values);
    List<PlainValues> buckets = new ArrayList<>();
    switch (found) {
      case TermCounts terms -> {
        for (TermCounts.Count one : terms.top()) {
          buckets.add(values.withKeywords(field, keywords -> keywords.contains(one.term())));
        }
      }
      case ValueCounts counts -> {
        for (ValueCounts.Count one : counts.top()) {
          buckets.add(values.withNumbers(field, numbers -> numbers.contains(one.value())));
        }
      }
      case HistogramCounts counts -> {
        long width = ((Aggregation.Histogram) outer).width();
        for (HistogramCounts.Bucket one : counts.buckets()) {
          buckets.add(
              values.withNumbers(
                  field,
                  numbers ->
                      numbers.stream().anyMatch(n -> Math.floorDiv(n, width) == one.number())));
        }
      }
      case DateCounts counts -> {
        for (DateCounts.Bucket one : counts.buckets()) {
          Aggregation.Dates alone =
              new Aggregation.Dates(field, ((Aggregation.Dates) outer).interval(), 1);
          buckets.add(
              values.withNumbers(
                  field,
                  numbers ->
                      numbers.stream()
                          .map(n -> PlainDates.of(alone, List.of(List.of(n))))
                          .anyMatch(dates -> dates.buckets().get(0).from() == one.from())));
        }
      }
      case AutoDateCounts counts -> {
        AutoInterval interval = new AutoInterval(counts.unit(), counts.step());
        for (DateCounts.Bucket one : counts.counts().buckets()) {
          buckets.add(
              values.withNumbers(
                  field,
                  numbers -> numbers.stream().anyMatch(n -> start(interval, n) == one.from())));
        }
      }
      default -> {
        for (ValueRange range : ((Aggregation.Ranges) outer).ranges()) {
          buckets.add(
              values.withNumbers(field, numbers -> numbers.stream().anyMatch(range::contains)));
        }
      }
    }
    List<AggregationResults> inside = new ArrayList<>();
    for (PlainValues bucket : buckets) {
      Map<Aggregation<?>, Object> results = new HashMap<>();
      for (Aggregation<?> inner : asked.inner()) {
        results.put(inner, PlainAggregates.of(inner, bucket));
      }
      inside.add(new AggregationResults(bucket.docs().size(), results));
    }
    return new BucketResults<>(found, inside);
  }

  /** The first millisecond of the interval that a value is in; the first long if it is less. */
  private static long start(AutoInterval interval, long value) {
    LocalDateTime time = Instant.ofEpochMilli(value).atOffset(ZoneOffset.UTC).toLocalDateTime();
    LocalDateTime day = time.toLocalDate().atStartOfDay();
    LocalDateTime start =
        switch (interval.unit()) {
          case DAYS ->
              day.minusDays(Math.floorMod(day.toLocalDate().toEpochDay(), interval.step()));
          case MONTHS ->
              day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % interval.step());
          case YEARS ->
              day.withDayOfYear(1).minusYears(Math.floorMod(day.getYear(), interval.step()));
          default -> null;
        };
    if (start == null) {
      return value
          - Math.floorMod(value, interval.unit().getDuration().toMillis() * interval.step());
    }
    Instant first = start.toInstant(ZoneOffset.UTC);
    return first.isBefore(Instant.ofEpochMilli(Long.MIN_VALUE))
        ? Long.MIN_VALUE
        : first.toEpochMilli();
  }

  /** The length is the first of which few enough intervals come up, going from one to the next. */
  static AutoDateCounts dates(AutoDates asked, PlainValues values) throws IOException {
    List<List<Long>> docs = values.numbers(asked.field());
    List<Long> all = docs.stream().flatMap(List::stream).sorted().toList();
    long min = all.isEmpty() ? 0 : all.get(0);
    long max = all.isEmpty() ? 0 : all.get(all.size() - 1);
    AutoInterval interval = AutoInterval.of(min, max, asked.buckets());
    Map<Long, Long> counts = new HashMap<>();
    for (List<Long> doc : docs) {
      HashSet<Long> starts = new HashSet<>();
      doc.forEach(value -> starts.add(start(interval, value)));
      starts.forEach(start -> counts.merge(start, 1L, Long::sum));
    }
    List<DateCounts.Bucket> buckets =
        counts.entrySet().stream()
            .map(entry -> new DateCounts.Bucket(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(DateCounts.Bucket::from))
            .toList();
    return new AutoDateCounts(
        interval.unit(),
        interval.step(),
        new DateCounts(PlainAggregates.withValues(docs), PlainAggregates.without(docs), buckets));
  }

  /** All combinations of each doc, then sorted. */
  static CombinationCounts combinations(Combinations asked, PlainValues values) throws IOException {
    List<List<? extends List<?>>> fields = new ArrayList<>();
    for (CombinedField field : asked.fields()) {
      fields.add(field.keywords() ? values.keywords(field.field()) : values.numbers(field.field()));
    }
    Map<List<Object>, Long> counts = new HashMap<>();
    for (int doc = 0; doc < values.docs().size(); doc++) {
      HashSet<List<Object>> found = new HashSet<>(List.of(List.of()));
      for (List<? extends List<?>> field : fields) {
        HashSet<List<Object>> more = new HashSet<>();
        for (List<Object> keys : found) {
          for (Object value : field.get(doc)) {
            List<Object> longer = new ArrayList<>(keys);
            longer.add(value);
            more.add(longer);
          }
        }
        found = more;
      }
      found.forEach(keys -> counts.merge(keys, 1L, Long::sum));
    }
    Comparator<CombinationCounts.Count> byKey = (a, b) -> compare(a.keys(), b.keys());
    Comparator<CombinationCounts.Count> byCount =
        Comparator.comparingLong((CombinationCounts.Count one) -> -one.count());
    return new CombinationCounts(
        counts.entrySet().stream()
            .map(entry -> new CombinationCounts.Count(entry.getKey(), entry.getValue()))
            .filter(one -> asked.after() == null || compare(one.keys(), asked.after()) > 0)
            .sorted(asked.byKey() ? byKey : byCount.thenComparing(byKey))
            .limit(asked.n())
            .toList());
  }

  private static int compare(List<Object> one, List<Object> other) {
    for (int i = 0; i < one.size(); i++) {
      Object a = Objects.requireNonNull(one.get(i));
      Object b = other.get(i);
      int order =
          a instanceof BytesRef term
              ? term.compareTo((BytesRef) b)
              : Long.compare((long) a, (long) b);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
