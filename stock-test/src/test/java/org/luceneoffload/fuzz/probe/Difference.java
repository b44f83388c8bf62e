/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.util.List;

/** An answer that is not stock Lucene's. */
public final class Difference extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MAX_LINES = 12;

  public Difference(String what, List<String> expected, List<String> got) {
    super(describe(what, expected, got));
  }

  private static String describe(String what, List<String> expected, List<String> got) {
    int first = 0;
    while (first < expected.size()
        && first < got.size()
        && expected.get(first).equals(got.get(first))) {
      first++;
    }
    return what
        + "\nfirst difference in line "
        + first
        + "\nexpected ("
        + expected.size()
        + " lines): "
        + some(expected, first)
        + "\ngot ("
        + got.size()
        + " lines): "
        + some(got, first);
  }

  private static List<String> some(List<String> lines, int first) {
    int from = Math.max(0, first - 2);
    return lines.subList(Math.min(from, lines.size()), Math.min(lines.size(), first + MAX_LINES));
  }
}
