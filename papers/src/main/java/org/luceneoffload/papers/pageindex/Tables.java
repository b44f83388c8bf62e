/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The tables of the experiments: lineitem, orders and part of TPC-H, at scale factor 0.02 for the
 * paper's 10, and those of TPC-C that its transactions look up, of one warehouse for its 100.
 */
final class Tables {
  private static final double SCALE = 0.02;
  private static final int CUSTOMERS = 30_000;
  private static final int STOCK = 100_000;
  private static final int DISTRICTS = 10;

  final PagedTable lineitem;
  final PagedTable lineitemByOrder;
  final PagedTable orders;
  final PagedTable part;
  final PagedTable warehouse;
  final PagedTable district;
  final PagedTable customer;
  final PagedTable stock;
  final PagedTable item;
  private long nextPage;

  /** Writes all tables to a store. */
  Tables(IndexedStore store) throws IOException {
    List<LineItem> lines = all(new LineItemGenerator(SCALE, 1, 1));
    lines.sort(
        Comparator.comparingInt(LineItem::getShipDate)
            .thenComparingLong(LineItem::getDiscountPercent)
            .thenComparingLong(LineItem::getRowNumber));
    lineitem =
        add(
            store,
            new PagedTable.Rows(
                longs(lines, LineItem::getShipDate),
                longs(lines, LineItem::getPartKey),
                longs(lines, LineItem::getDiscountPercent)));
    lines.sort(Comparator.comparingLong(LineItem::getRowNumber));
    lineitemByOrder = add(store, PagedTable.Rows.of(longs(lines, LineItem::getOrderKey)));
    List<Order> all = all(new OrderGenerator(SCALE, 1, 1));
    all.sort(Comparator.comparingInt(Order::getOrderDate).thenComparingLong(Order::getRowNumber));
    long[] dates = longs(all, Order::getOrderDate);
    orders = add(store, new PagedTable.Rows(dates, longs(all, Order::getOrderKey), dates));
    List<Part> parts = all(new PartGenerator(SCALE, 1, 1));
    part = add(store, PagedTable.Rows.of(longs(parts, Part::getPartKey)));
    warehouse = numbered(store, 1);
    district = numbered(store, DISTRICTS);
    customer = numbered(store, CUSTOMERS);
    stock = numbered(store, STOCK);
    item = numbered(store, STOCK);
    store.flush();
  }

  private PagedTable add(IndexedStore store, PagedTable.Rows rows) throws IOException {
    PagedTable table = new PagedTable(store, rows, nextPage);
    nextPage = table.end();
    return table;
  }

  private PagedTable numbered(IndexedStore store, int count) throws IOException {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = i;
    }
    return add(store, PagedTable.Rows.of(keys));
  }

  /** Returns the page of the modelled device behind all tables. */
  long end() {
    return nextPage;
  }

  private interface Value<T> {
    long of(T row);
  }

  private static <T> long[] longs(List<T> rows, Value<T> value) {
    return rows.stream().mapToLong(value::of).toArray();
  }

  private static <T> List<T> all(Iterable<T> rows) {
    List<T> all = new ArrayList<>();
    rows.forEach(all::add);
    return all;
  }

  /** Returns the range from a day on, of so many months. */
  static Range months(int year, int month, int count) {
    LocalDate first = LocalDate.of(year, month, 1);
    return new Range(first.toEpochDay(), first.plusMonths(count).toEpochDay() - 1);
  }

  /** Returns the dates up to a day. */
  static Range until(int year, int month, int day) {
    return new Range(0, LocalDate.of(year, month, day).toEpochDay());
  }
}
