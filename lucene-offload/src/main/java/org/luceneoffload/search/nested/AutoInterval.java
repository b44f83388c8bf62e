/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CalendarInterval.Unit;

/**
 * Lengths of time that people count in, in UTC: so many seconds, minutes, hours, days, months or
 * years. Intervals of less than a day are in line with 1970-01-01T00:00:00Z, the others as those of
 * a {@link CalendarInterval}.
 *
 * @param unit what is counted
 * @param step how many of them
 */
public record AutoInterval(ChronoUnit unit, int step) {
  private static final List<AutoInterval> ALL =
      List.of(
          new AutoInterval(ChronoUnit.SECONDS, 1),
          new AutoInterval(ChronoUnit.SECONDS, 5),
          new AutoInterval(ChronoUnit.SECONDS, 10),
          new AutoInterval(ChronoUnit.SECONDS, 30),
          new AutoInterval(ChronoUnit.MINUTES, 1),
          new AutoInterval(ChronoUnit.MINUTES, 5),
          new AutoInterval(ChronoUnit.MINUTES, 10),
          new AutoInterval(ChronoUnit.MINUTES, 30),
          new AutoInterval(ChronoUnit.HOURS, 1),
          new AutoInterval(ChronoUnit.HOURS, 3),
          new AutoInterval(ChronoUnit.HOURS, 12),
          new AutoInterval(ChronoUnit.DAYS, 1),
          new AutoInterval(ChronoUnit.DAYS, 7),
          new AutoInterval(ChronoUnit.MONTHS, 1),
          new AutoInterval(ChronoUnit.MONTHS, 3),
          new AutoInterval(ChronoUnit.YEARS, 1),
          new AutoInterval(ChronoUnit.YEARS, 5),
          new AutoInterval(ChronoUnit.YEARS, 10),
          new AutoInterval(ChronoUnit.YEARS, 20),
          new AutoInterval(ChronoUnit.YEARS, 50),
          new AutoInterval(ChronoUnit.YEARS, 100));

  /**
   * Returns the shortest length of which so many intervals, empty ones included, reach from one
   * instant to another; the longest of all if it takes more of any.
   *
   * @param min milliseconds since 1970
   * @param max the same; not less
   * @param buckets at least 1
   */
  public static AutoInterval of(long min, long max, int buckets) {
    for (AutoInterval interval : ALL) {
      if (interval.reaches(min, max, buckets)) {
        return interval;
      }
    }
    return ALL.get(ALL.size() - 1);
  }

  private boolean reaches(long min, long max, int buckets) {
    long width = width();
    if (width > 0) {
      return Math.floorDiv(max, width) - Math.floorDiv(min, width) < buckets;
    }
    CalendarInterval calendar = calendar();
    long at = min;
    for (int i = 0; i < buckets; i++) {
      long last = calendar.to(at);
      if (last >= max) {
        return true;
      }
      at = last + 1;
    }
    return false;
  }

  /** Returns the length in milliseconds; 0 if the calendar has it. */
  public long width() {
    return unit.compareTo(ChronoUnit.DAYS) < 0 ? unit.getDuration().toMillis() * step : 0;
  }

  /** Returns the intervals of a length that the calendar has. */
  public CalendarInterval calendar() {
    Unit of =
        switch (unit) {
          case DAYS -> Unit.DAY;
          case MONTHS -> Unit.MONTH;
          case YEARS -> Unit.YEAR;
          default -> throw new IllegalStateException(this + " is less than a day");
        };
    return new CalendarInterval(of, step, ZoneOffset.UTC);
  }
}
