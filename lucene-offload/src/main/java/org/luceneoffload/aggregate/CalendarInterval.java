/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;

/**
 * Intervals of the calendar, one after the other, in a time zone. Each begins with the first
 * instant of its first day there, so that they differ in length where clocks are put forward or
 * back; that instant ends the interval before, even if clocks show the day before once more.
 *
 * @param unit what is counted
 * @param step how many of them make an interval, at least 1; intervals are in line with that of
 *     1970-01-01, months and years with that of the year 0
 * @param zone where days begin
 */
public record CalendarInterval(Unit unit, int step, ZoneId zone) {
  /** Parts of the calendar. */
  public enum Unit {
    /** Days. */
    DAY,
    /** Weeks from Monday on. */
    WEEK,
    /** Months. */
    MONTH,
    /** Years. */
    YEAR
  }

  private static final int DAYS = 7;
  private static final int MONTHS = 12;

  /** 1969-12-29, a Monday. */
  private static final int FIRST_MONDAY = -3;

  /** Checks the arguments. */
  public CalendarInterval {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(zone, "zone");
    if (step < 1) {
      throw new IllegalArgumentException("step must be at least 1, got " + step);
    }
  }

  /**
   * {@return the first millisecond of the interval that an instant is in; the first long if it is
   * less}
   *
   * @param millis since 1970-01-01T00:00:00Z
   */
  public long from(long millis) {
    LocalDate date = Instant.ofEpochMilli(millis).atZone(zone).toLocalDate();
    long number = number(date);
    // Clocks that go back over midnight show the day before in an interval that has begun.
    long next = start(number + 1);
    return next <= millis && next != Long.MAX_VALUE ? next : start(number);
  }

  /**
   * {@return the last millisecond of the interval that an instant is in; the last long if it is
   * more}
   *
   * @param millis since 1970-01-01T00:00:00Z
   */
  public long to(long millis) {
    LocalDate date = Instant.ofEpochMilli(millis).atZone(zone).toLocalDate();
    long number = number(date);
    long next = start(number + 1);
    if (next <= millis) {
      next = start(number + 2);
    }
    return next == Long.MAX_VALUE ? next : next - 1;
  }

  /** Returns the number of the interval that a day is in. */
  private long number(LocalDate date) {
    return switch (unit) {
      case DAY -> Math.floorDiv(date.toEpochDay(), step);
      case WEEK -> Math.floorDiv(date.toEpochDay() - FIRST_MONDAY, (long) DAYS * step);
      case MONTH ->
          Math.floorDiv((long) MONTHS * date.getYear() + date.getMonthValue() - 1, (long) step);
      case YEAR -> Math.floorDiv((long) date.getYear(), (long) step);
    };
  }

  /**
   * Returns the first millisecond of an interval; beyond the longs the first or the last of them,
   * which no interval begins with: days begin with a second.
   */
  private long start(long number) {
    try {
      LocalDate date =
          switch (unit) {
            case DAY -> LocalDate.ofEpochDay(Math.multiplyExact(number, (long) step));
            case WEEK ->
                LocalDate.ofEpochDay(
                    Math.addExact(
                        Math.multiplyExact(number, (long) DAYS * step), (long) FIRST_MONDAY));
            case MONTH -> {
              long months = Math.multiplyExact(number, (long) step);
              long year = Math.floorDiv(months, (long) MONTHS);
              yield LocalDate.of(
                  Math.toIntExact(year), (int) Math.floorMod(months, (long) MONTHS) + 1, 1);
            }
            case YEAR ->
                LocalDate.of(Math.toIntExact(Math.multiplyExact(number, (long) step)), 1, 1);
          };
      return date.atStartOfDay(zone).toInstant().toEpochMilli();
    } catch (ArithmeticException | DateTimeException e) {
      return number < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
