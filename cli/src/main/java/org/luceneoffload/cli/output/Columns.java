/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The columns of a table: a heading, as {@link Table} has it, and what a row says there.
 *
 * @param <R> a row
 */
public final class Columns<R> {
  private final List<String> headings = new ArrayList<>();
  private final List<Function<R, String>> cells = new ArrayList<>();

  /** Adds a column of text. */
  public Columns<R> text(String heading, Function<R, String> cell) {
    headings.add(heading);
    cells.add(cell);
    return this;
  }

  /** Adds a column of whole numbers. */
  public Columns<R> count(String heading, ToLongFunction<R> cell) {
    return text(">" + heading, row -> Long.toString(cell.applyAsLong(row)));
  }

  /** Adds a column of numbers, empty where there is none, with some digits behind the point. */
  public Columns<R> decimal(String heading, int digits, Function<R, Double> cell) {
    return text(
        ">" + heading,
        row -> {
          Double value = cell.apply(row);
          return value == null ? "" : String.format(Locale.ROOT, "%." + digits + "f", value);
        });
  }

  /** Adds a column of quartiles, such as {@code 2.31-2.58}. */
  public Columns<R> quartiles(Function<R, Double> q1, Function<R, Double> q3) {
    return text(
        ">quartiles", row -> String.format(Locale.ROOT, "%.2f-%.2f", q1.apply(row), q3.apply(row)));
  }

  /** Prints rows. */
  public void print(List<R> rows, PrintWriter out) {
    TextTable table = new TextTable("", headings.toArray(String[]::new));
    rows.forEach(
        row -> table.add(cells.stream().map(cell -> cell.apply(row)).toArray(String[]::new)));
    table.print(out);
  }
}
