/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A page of a table whose columns are all 32-bit integers. Rows by rows it is laid out as SQL
 * Server's heap pages: a header of 96 bytes, then rows, each with 4 bytes of status, its values, 2
 * bytes with the number of columns and a bit a column for nulls; 2 bytes a row at the end of the
 * page say where the row is. Not safe for use by several threads at once.
 */
public final class TablePage {
  /** Bytes of a page. */
  public static final int BYTES = 8192;

  private static final int HEADER = 96;
  private static final int STATUS = 4;
  private static final int COUNT = 2;
  private static final int SLOT = 2;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes = new byte[BYTES];
  private final int columns;
  private final int rowBytes;
  private final int rows;
  private final Layout layout;

  /**
   * An empty page.
   *
   * @param columns of the table
   * @param layout how the page holds its rows
   */
  public TablePage(int columns, Layout layout) {
    this.columns = columns;
    this.layout = layout;
    rowBytes = STATUS + Integer.BYTES * columns + COUNT + (columns + 7) / 8;
    rows = rowsOf(columns);
  }

  /** Returns how many rows fit into a page of either layout. */
  public static int rowsOf(int columns) {
    int row = STATUS + Integer.BYTES * columns + COUNT + (columns + 7) / 8 + SLOT;
    return (BYTES - HEADER) / row;
  }

  /** Returns how many rows this page has. */
  public int rows() {
    return rows;
  }

  /** Fills all rows: a table's values follow from the number of the row alone. */
  public void fill(long firstRow) {
    for (int row = 0; row < rows; row++) {
      if (layout == Layout.NSM) {
        int at = HEADER + row * rowBytes;
        SHORT.set(bytes, BYTES - SLOT * (row + 1), (short) at);
        SHORT.set(bytes, at + STATUS + Integer.BYTES * columns, (short) columns);
      }
      for (int column = 0; column < columns; column++) {
        INT.set(bytes, place(row, column), valueOf(firstRow + row, column));
      }
    }
  }

  /** Returns a value, found as a program finds it: by the row's slot, or in the column's part. */
  public int value(int row, int column) {
    int at =
        layout == Layout.NSM
            ? (short) SHORT.get(bytes, BYTES - SLOT * (row + 1)) + STATUS + Integer.BYTES * column
            : place(row, column);
    return (int) INT.get(bytes, at);
  }

  private int place(int row, int column) {
    return layout == Layout.NSM
        ? HEADER + row * rowBytes + STATUS + Integer.BYTES * column
        : HEADER + Integer.BYTES * (column * rows + row);
  }

  /** Returns the value of a row: below {@link Query#RANGE}, at random. */
  static int valueOf(long row, int column) {
    // splitmix64 (Steele, Lea and Flood, 2014): a counter, mixed.
    long z = (row * 64 + column + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) (((z ^ (z >>> 31)) >>> 33) * Query.RANGE >>> 31);
  }
}
