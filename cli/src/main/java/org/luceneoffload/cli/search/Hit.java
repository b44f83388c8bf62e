/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.luceneoffload.cli.output.Figures;

/**
 * One of the best hits.
 *
 * @param rank from 1 on
 * @param doc doc ID in the reader
 * @param score BM25 score; null if hits were sorted
 * @param scoreBits the score's bits as eight hexadecimal digits; null if hits were sorted
 * @param keys the sort keys, null where the document has no value; null if hits were not sorted
 * @param id field {@code id}, if stored
 * @param title field {@code title}, if stored
 */
public record Hit(
    int rank, int doc, Float score, String scoreBits, List<String> keys, String id, String title) {
  private static final int KEY_WIDTH = 40;

  /** Returns the score or the sort keys, for people. */
  public String shownKey() {
    return keys == null
        ? String.format(Locale.ROOT, "%.4f", score)
        : keys.stream()
            .map(key -> key == null ? "-" : Figures.cut(key, KEY_WIDTH))
            .collect(Collectors.joining(", "));
  }
}
