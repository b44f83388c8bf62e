/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows of text in aligned columns; a column whose heading starts with {@code >} is right-aligned.
 */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();
  private final boolean[] right;
  private final String indent;

  public TextTable(String indent, String... headings) {
    this.indent = indent;
    right = new boolean[headings.length];
    String[] first = new String[headings.length];
    for (int i = 0; i < headings.length; i++) {
      right[i] = headings[i].startsWith(">");
      first[i] = right[i] ? headings[i].substring(1) : headings[i];
    }
    rows.add(first);
  }

  /** Adds a row with one cell for each heading. */
  public void add(String... cells) {
    if (cells.length != right.length) {
      throw new IllegalArgumentException(cells.length + " cells for " + right.length + " columns");
    }
    rows.add(Stream.of(cells).map(Printable::text).toArray(String[]::new));
  }

  /** Prints headings and rows; no headings if all are empty. */
  public void print(PrintWriter out) {
    int[] widths = new int[right.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].codePointCount(0, row[i].length()));
        line.append(i == 0 ? "" : "  ");
        line.append(right[i] ? padding + row[i] : row[i] + padding);
      }
      String text = line.toString().stripTrailing();
      if (!text.isEmpty()) {
        out.println(text);
      }
    }
  }
}
