/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/**
 * The order of documents in the segments of an index, as {@code --index-sort} says it: {@code
 * created}, or {@code created:desc} for the greatest value first. Documents without a value come
 * last.
 */
final class IndexSort {
  private static final String DESCENDING = ":desc";

  private IndexSort() {}

  /**
   * Parses the order of an index that is made anew.
   *
   * @param text as the command line says it; null: none
   * @param fields of the index
   * @return null if there is none
   * @throws Failure of usage if there is no such field
   */
  static Sort parse(String text, TypedFields fields) {
    if (text == null) {
      return null;
    }
    boolean descending = text.endsWith(DESCENDING) && fields.get(text) == null;
    String name = descending ? text.substring(0, text.length() - DESCENDING.length()) : text;
    TypedField field = fields.get(name);
    if (field == null) {
      throw Failure.usage(
          "--index-sort "
              + text
              + ": FIELD or FIELD:desc is needed, and "
              + (fields.isEmpty()
                  ? "there are no typed fields"
                  : "the typed fields are " + fields));
    }
    return new Sort(field.sortField(descending));
  }

  /**
   * Returns the order of an index that is extended: that of its segments.
   *
   * @param index where the index is, for the message
   * @param asked the order asked for; null: none
   * @return null if the index has none, or segments of several orders
   * @throws Failure if another order is asked for than the segments have
   */
  static Sort kept(Directory directory, Path index, Sort asked) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return asked;
    }
    Set<Sort> found = new HashSet<>(); // null: documents are in no order
    for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
      found.add(segment.info.getIndexSort());
    }
    if (asked == null) {
      return found.size() == 1 ? found.iterator().next() : null;
    }
    for (Sort sort : found) {
      if (!asked.equals(sort)) {
        throw Failure.of(
            "--index-sort "
                + text(asked)
                + " and --append exclude each other: segments of "
                + index
                + (sort == null ? " are not sorted" : " are sorted by " + textBeside(sort, asked))
                + ". Without --index-sort their order is kept; --overwrite makes the index anew");
      }
    }
    return asked;
  }

  /** Returns an order as {@link #parse} takes it; null if there is none. */
  static String text(Sort sort) {
    return sort == null
        ? null
        : Arrays.stream(sort.getSort()).map(IndexSort::text).collect(Collectors.joining(","));
  }

  private static String text(SortField field) {
    return field.getField() == null
        ? field.toString()
        : field.getField() + (field.getReverse() ? DESCENDING : "");
  }

  /**
   * Returns a text that tells an order from another one. An order of an application's own may
   * differ in more than {@link #text} tells.
   */
  private static String textBeside(Sort sort, Sort other) {
    return text(sort).equals(text(other)) ? sort.toString() : text(sort);
  }
}
