/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;

/**
 * A stand-in for TPC-H's table LINEITEM at scale factor 0.1, and of what PART says: values drawn as
 * the benchmark's specification has them (clause 4.2.3), from the number of the row alone. Rows are
 * 15 whole numbers (decimals times 100, dates as days, flags as letters) and a comment, one after
 * the other in pages of 16 KB.
 */
final class LineItem {
  /** Bytes of a page, of the range that the paper gives (4 to 16 KB). */
  static final int PAGE_BYTES = 16_384;

  /** Rows at scale factor 0.1. */
  static final int ROWS = 600_572;

  static final int PARTKEY = 1;
  static final int QUANTITY = 4;
  static final int PRICE = 5;
  static final int DISCOUNT = 6;
  static final int TAX = 7;
  static final int RETURNED = 8;
  static final int STATUS = 9;
  static final int SHIPPED = 10;
  static final int COMMITTED = 11;
  static final int RECEIVED = 12;
  private static final int NUMBERS = 15;
  private static final int COMMENT_BYTES = 44;
  private static final int ROW_BYTES = NUMBERS * Integer.BYTES + COMMENT_BYTES;

  /** Rows of a page. */
  static final int ROWS_A_PAGE = PAGE_BYTES / ROW_BYTES;

  static final int PAGES = (ROWS + ROWS_A_PAGE - 1) / ROWS_A_PAGE;

  private static final int PARTS = 20_000;
  private static final int SUPPLIERS = 1_000;
  private static final int FIRST_ORDER = day(1992, 1, 1);
  private static final int LAST_ORDER = day(1998, 8, 2);
  private static final int CURRENT = day(1995, 6, 17);
  private static final int LINES_AN_ORDER = 4;

  private final ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  static int day(int year, int month, int day) {
    return (int) LocalDate.of(year, month, day).toEpochDay();
  }

  /** Returns whether a part is of a promotion: one of six first words of its type. */
  static boolean promoted(int part) {
    return Math.floorMod(mix(part, 77), 6) == 5;
  }

  /** Fills the page; the last one of the table is full in any case. */
  void fill(int number) {
    page.clear();
    for (int i = 0; i < ROWS_A_PAGE; i++) {
      putRow(number * ROWS_A_PAGE + i);
    }
  }

  /** Returns a value of a row of the page. */
  int value(int row, int column) {
    return page.getInt(row * ROW_BYTES + column * Integer.BYTES);
  }

  private void putRow(int row) {
    int order = row / LINES_AN_ORDER;
    int part = 1 + draw(row, 1, PARTS);
    int quantity = 1 + draw(row, 2, 50);
    int retail = 90_000 + part / 10 % 20_001 + 100 * (part % 1_000);
    int shipped = FIRST_ORDER + draw(order, 3, LAST_ORDER - FIRST_ORDER) + 1 + draw(row, 4, 121);
    int received = shipped + 1 + draw(row, 5, 30);
    char returned = received > CURRENT ? 'N' : draw(row, 6, 2) == 0 ? 'R' : 'A';
    page.putInt(order).putInt(part).putInt(1 + draw(row, 7, SUPPLIERS));
    page.putInt(row % LINES_AN_ORDER).putInt(quantity).putInt(quantity * retail);
    page.putInt(draw(row, 8, 11)).putInt(draw(row, 9, 9)).putInt(returned);
    page.putInt(shipped > CURRENT ? 'O' : 'F').putInt(shipped);
    page.putInt(shipped - 30 + draw(row, 10, 61)).putInt(received);
    page.putInt(draw(row, 11, 4)).putInt(draw(row, 12, 7));
    for (int i = 0; i < COMMENT_BYTES; i++) {
      page.put((byte) ('a' + draw(row, 13 + i, 26)));
    }
  }

  private static int draw(int seed, int what, int below) {
    return Math.floorMod(mix(seed, what), below);
  }

  private static int mix(int seed, int what) {
    long z = (seed * 64L + what + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) (z >>> 33);
  }
}
