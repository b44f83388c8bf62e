/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.papers.tasks.TaskPage.Work;

/**
 * TPC-H's queries 1, 6 and 14 (algorithms 1 to 3 of the paper) over pages of {@link LineItem}, with
 * the benchmark's validation parameters. A page gives a partial result, and these are merged, as
 * the host gathers what device and host have found.
 */
enum LineItemQuery {
  /** Pricing summary: groups by two flags, eight aggregates. */
  Q1 {
    @Override
    boolean matches(LineItem page, int row, Counter counter) {
      return page.value(row, LineItem.SHIPPED) <= Q1_LAST;
    }

    @Override
    void add(LineItem page, int row, Result result, Counter counter) {
      long quantity = page.value(row, LineItem.QUANTITY);
      long price = page.value(row, LineItem.PRICE);
      long discount = page.value(row, LineItem.DISCOUNT);
      long tax = page.value(row, LineItem.TAX);
      int group = page.value(row, LineItem.RETURNED) << 8 | page.value(row, LineItem.STATUS);
      long[] sums = result.groups.computeIfAbsent(group, g -> new long[Q1_SUMS]);
      sums[0] += quantity;
      sums[1] += price;
      sums[2] += price * (100 - discount);
      sums[3] += price * (100 - discount) * (100 + tax);
      sums[4] += discount;
      sums[5]++;
      counter.values += Q1_COLUMNS + Q1_SUMS;
    }

    @Override
    int restValues() {
      return Q1_COLUMNS;
    }
  },

  /** Forecast of revenue: one sum over a narrow filter. */
  Q6 {
    @Override
    boolean matches(LineItem page, int row, Counter counter) {
      int shipped = page.value(row, LineItem.SHIPPED);
      if (shipped < Q6_FIRST || shipped >= Q6_END) {
        return false;
      }
      counter.values++;
      int discount = page.value(row, LineItem.DISCOUNT);
      if (discount < 5 || discount > 7) {
        return false;
      }
      counter.values++;
      return page.value(row, LineItem.QUANTITY) < 24;
    }

    @Override
    void add(LineItem page, int row, Result result, Counter counter) {
      long[] sums = result.groups.computeIfAbsent(0, g -> new long[1]);
      sums[0] += (long) page.value(row, LineItem.PRICE) * page.value(row, LineItem.DISCOUNT);
      counter.values += 2;
    }

    @Override
    int restValues() {
      return 2;
    }
  },

  /** Effect of a promotion: a join with the parts, by a hash table of these. */
  Q14 {
    @Override
    boolean matches(LineItem page, int row, Counter counter) {
      int shipped = page.value(row, LineItem.SHIPPED);
      return shipped >= Q14_FIRST && shipped < Q14_END;
    }

    @Override
    void add(LineItem page, int row, Result result, Counter counter) {
      long[] sums = result.groups.computeIfAbsent(0, g -> new long[2]);
      long revenue =
          (long) page.value(row, LineItem.PRICE) * (100 - page.value(row, LineItem.DISCOUNT));
      sums[0] += LineItem.promoted(page.value(row, LineItem.PARTKEY)) ? revenue : 0;
      sums[1] += revenue;
      counter.values += 6; // three values of the row, the part's, two sums
    }

    @Override
    int restValues() {
      return 3;
    }
  };

  private static final int Q1_LAST = LineItem.day(1998, 9, 2);
  private static final int Q1_SUMS = 6;
  private static final int Q1_COLUMNS = 6;
  private static final int Q6_FIRST = LineItem.day(1994, 1, 1);
  private static final int Q6_END = LineItem.day(1995, 1, 1);
  private static final int Q14_FIRST = LineItem.day(1995, 9, 1);
  private static final int Q14_END = LineItem.day(1995, 10, 1);

  /** Counts values that are looked at, or added. */
  static final class Counter {
    private long values;
  }

  /** A result, or a part of it. */
  static final class Result {
    /** Sums, in units of the table, by group. */
    final Map<Integer, long[]> groups = new TreeMap<>();

    /** Adds what another part found. */
    void merge(Result other) {
      other.groups.forEach(
          (group, sums) -> {
            long[] all = groups.computeIfAbsent(group, g -> new long[sums.length]);
            for (int i = 0; i < sums.length; i++) {
              all[i] += sums[i];
            }
          });
    }
  }

  /**
   * What a run did.
   *
   * @param pages work of each page
   * @param result merged over the pages
   */
  record Run(List<TaskPage> pages, Result result) {}

  /** Returns whether a row passes WHERE; counts values beyond the row's first. */
  abstract boolean matches(LineItem page, int row, Counter counter);

  /** Adds a row that passed; counts the values of it and those of the result. */
  abstract void add(LineItem page, int row, Result result, Counter counter);

  /** Returns how many values of a row the host needs if the device has filtered. */
  abstract int restValues();

  /** Runs the query over the first pages of the table. */
  Run run(int pages) {
    LineItem page = new LineItem();
    List<TaskPage> work = new ArrayList<>();
    Result result = new Result();
    for (int number = 0; number < pages; number++) {
      page.fill(number);
      Result part = new Result();
      work.add(run(page, part));
      result.merge(part);
    }
    return new Run(work, result);
  }

  private TaskPage run(LineItem page, Result result) {
    Counter filter = new Counter();
    Counter rest = new Counter();
    int matches = 0;
    for (int row = 0; row < LineItem.ROWS_A_PAGE; row++) {
      if (matches(page, row, filter)) {
        matches++;
        add(page, row, result, rest);
      }
    }
    long rows = LineItem.ROWS_A_PAGE;
    return new TaskPage(
        new Work(rows, filter.values + rest.values, 0),
        new Work(rows, filter.values, 0),
        new Work(0, rest.values, 0),
        matches * restValues() * Integer.BYTES);
  }
}
