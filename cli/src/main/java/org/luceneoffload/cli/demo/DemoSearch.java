/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.search.Wanted;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedFields;

/**
 * A search of the demo: a query, and behind it the options of {@code offload search} that say what
 * is wanted of it.
 *
 * @param query the query
 * @param sort order of the hits; null: by score
 * @param aggregates aggregations that are wanted instead of hits; else empty
 */
record DemoSearch(QueryLine query, String sort, List<String> aggregates) {
  /**
   * Reads the searches of a file, one a line.
   *
   * @throws Failure naming the line whose options are wrong
   * @throws org.luceneoffload.workload.InputException if the file cannot be read or holds none
   */
  static List<DemoSearch> read(Path file) {
    return QueryLine.readAll(file).stream().map(DemoSearch::parse).toList();
  }

  private static DemoSearch parse(QueryLine line) {
    String[] parts = line.text().split("\\s+--");
    String sort = null;
    List<String> aggregates = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      String[] option = parts[i].split("\\s+");
      if (option.length == 2 && option[0].equals("aggregate")) {
        aggregates.add(option[1]);
      } else if (option.length == 2 && option[0].equals("sort") && sort == null) {
        sort = option[1];
      } else {
        throw Failure.of(
            line.where() + ": --sort FIELDS or --aggregate WHAT is needed, not --" + parts[i]);
      }
    }
    if (sort != null && !aggregates.isEmpty()) {
      throw Failure.of(line.where() + ": --sort and --aggregate exclude each other");
    }
    return new DemoSearch(new QueryLine(parts[0], line.origin()), sort, List.copyOf(aggregates));
  }

  /**
   * Returns what the query is asked for in an index with these fields.
   *
   * @param hits how many hits, unless aggregations are wanted
   * @throws Failure if the index has no such field
   */
  Wanted wanted(int hits, TypedFields fields) {
    return aggregates.isEmpty()
        ? Wanted.top(hits, sort, fields)
        : Wanted.aggregates(aggregates, fields);
  }
}
