/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of a report.
 *
 * @param title above it
 * @param note what it shows
 * @param columns what stands in each column
 * @param rows cells: {@link String}, {@link Long}, {@link Integer} or {@link Double}; null is empty
 */
public record Table(String title, String note, List<Column> columns, List<List<Object>> rows) {
  /**
   * A column.
   *
   * @param name above it
   * @param unit of its numbers; empty for text and for numbers without one
   * @param number whether its cells are numbers
   */
  public record Column(String name, String unit, boolean number) {}

  /** Starts a table without rows. */
  public static Table of(String title, String note) {
    return new Table(title, note, new ArrayList<>(), new ArrayList<>());
  }

  /** Adds a column of text. */
  public Table text(String name) {
    columns.add(new Column(name, "", false));
    return this;
  }

  /** Adds a column of numbers; {@code unit} may be empty. */
  public Table number(String name, String unit) {
    columns.add(new Column(name, unit, true));
    return this;
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not a cell for each column
   */
  public Table row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.length + " cells, table '" + title + "' has " + columns.size());
    }
    List<Object> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell);
    }
    rows.add(row);
    return this;
  }
}
