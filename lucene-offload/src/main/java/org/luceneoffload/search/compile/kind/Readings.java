/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.IndexedFields;

/**
 * The readings of the clauses of one query that do not tell their parts: filters, synonyms, spans,
 * features. A clause is read once, when plans are asked whether they express it; its reading is
 * kept until it is compiled. A set may have thousands of values, and to read what a query prints
 * takes as long as to look up several terms. For one thread.
 */
final class Readings {
  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private Map<Query, Object> readings = Map.of();

  /**
   * Makes the readings of a query, none yet.
   *
   * @param searcher the searcher that column filters are for; null if none will be asked for
   * @param fields of the searcher; null if nothing is to be kept for the next query
   */
  Readings(IndexSearcher searcher, IndexedFields fields) {
    this.searcher = searcher;
    this.fields = fields;
  }

  /** Returns the searcher that column filters are for. */
  IndexSearcher searcher() {
    return searcher;
  }

  /** Returns the fields of the searcher; null if nothing is to be kept. */
  IndexedFields fields() {
    return fields;
  }

  /**
   * Returns the reading of a clause, and keeps it.
   *
   * @param reader reads the clause, unless its reading is kept; returns null if it cannot
   * @return null if the clause cannot be read
   */
  <T> T read(Query clause, Class<T> type, Supplier<T> reader) {
    T known = of(clause, type);
    if (known != null) {
      return known;
    }
    T read = reader.get();
    if (read != null) {
      if (readings.isEmpty()) {
        readings = new IdentityHashMap<>(4);
      }
      readings.put(clause, read);
    }
    return read;
  }

  /** Returns the reading that is kept of a clause; null if there is none of this type. */
  <T> T of(Query clause, Class<T> type) {
    Object reading = readings.get(clause);
    return type.isInstance(reading) ? type.cast(reading) : null;
  }
}
