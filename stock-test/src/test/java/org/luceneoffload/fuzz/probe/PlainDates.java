/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.CalendarInterval;

/** Counts by the calendar: each value finds its interval by stepping back from the day after. */
public final class PlainDates {
  private PlainDates() {}

  /**
   * Counts.
   *
   * @param docs the values of each doc
   * @throws IllegalStateException if there are too many buckets
   */
  public static DateCounts of(Aggregation.Dates asked, List<List<Long>> docs) {
    Map<Long, Long> counts = new TreeMap<>();
    for (List<Long> doc : docs) {
      Set<Long> found = new HashSet<>();
      doc.forEach(value -> found.add(start(asked.interval(), value)));
      found.forEach(from -> counts.merge(from, 1L, Long::sum));
    }
    if (counts.size() > asked.maxBuckets()) {
      throw new IllegalStateException(counts.size() + " buckets");
    }
    List<DateCounts.Bucket> buckets = new ArrayList<>();
    counts.forEach((from, count) -> buckets.add(new DateCounts.Bucket(from, count)));
    long with = docs.stream().filter(doc -> !doc.isEmpty()).count();
    return new DateCounts(with, docs.size() - with, buckets);
  }

  /** The last start of an interval that is not after an instant. */
  private static long start(CalendarInterval interval, long millis) {
    Instant at = Instant.ofEpochMilli(millis);
    ZoneId zone = interval.zone();
    LocalDate day = at.atZone(zone).toLocalDate().plusDays(1);
    while (!isFirst(interval, day) || day.atStartOfDay(zone).toInstant().isAfter(at)) {
      day = isFirst(interval, day) ? day.minusDays(1) : previous(interval, day);
    }
    Instant start = day.atStartOfDay(zone).toInstant();
    return start.isBefore(Instant.ofEpochMilli(Long.MIN_VALUE))
        ? Long.MIN_VALUE
        : start.toEpochMilli();
  }

  private static boolean isFirst(CalendarInterval interval, LocalDate day) {
    int step = interval.step();
    return switch (interval.unit()) {
      case DAY -> Math.floorMod(day.toEpochDay(), step) == 0;
      case WEEK ->
          day.getDayOfWeek() == DayOfWeek.MONDAY
              && Math.floorMod((day.toEpochDay() + 3) / 7, step) == 0;
      case MONTH ->
          day.getDayOfMonth() == 1
              && Math.floorMod(12L * day.getYear() + day.getMonthValue() - 1, step) == 0;
      case YEAR -> day.getDayOfYear() == 1 && Math.floorMod(day.getYear(), step) == 0;
    };
  }

  /** A day before that may be the first of an interval. */
  private static LocalDate previous(CalendarInterval interval, LocalDate day) {
    return switch (interval.unit()) {
      case DAY -> day.minusDays(1);
      case WEEK -> day.with(TemporalAdjusters.previous(DayOfWeek.MONDAY));
      case MONTH -> day.minusDays(1).withDayOfMonth(1);
      case YEAR -> day.minusDays(1).withDayOfYear(1);
    };
  }
}
