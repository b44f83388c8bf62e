/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.util.Text;

/**
 * Compiles the rewritten queries of a searcher.
 *
 * @param fields of the searcher
 * @param meanwhile run while storage is waited for, if terms are read that were not read before
 */
public record QueryCompiler(
    IndexSearcher searcher, IndexedFields fields, Bm25Tables bm25, Runnable meanwhile) {
  /**
   * Compiles a query.
   *
   * @param scored whether scores are needed
   * @param boost factor of all scores
   * @throws RefusedException if a plan cannot express the query
   * @throws IOException if the terms dictionary cannot be read
   */
  public CompiledQuery compile(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    CompiledQuery compiled = compileIfExpressible(query, scored, boost);
    if (compiled == null) {
      throw unsupported(query);
    }
    return compiled;
  }

  /**
   * Compiles a query; null if a part is of a kind that plans cannot express. That is told without
   * an exception, which would take longer than many a query.
   */
  public CompiledQuery compileIfExpressible(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    // The look at the whole tree comes first: reading terms is work that a refusal would waste.
    IndexedFields.Other other = fields.latestOther();
    if (other != null && other.query() == query && other.scored() == scored) {
      return null;
    }
    Readings readings = new Readings(searcher, fields);
    Query part = QueryKinds.firstOther(query, readings, scored);
    if (part != null) {
      fields.latestOther(new IndexedFields.Other(query, scored, part));
      return null;
    }
    Compilation compilation = new Compilation(bm25, scored, readings, query, meanwhile);
    QueryNode root = QueryKinds.node(query, compilation, scored, boost);
    return new CompiledQuery(query, root, scored);
  }

  /** Returns the refusal of a query that {@link #compileIfExpressible} returned null for. */
  public RefusedException unsupported(Query query) {
    IndexedFields.Other other = fields.latestOther();
    Query part = other != null && other.query() == query ? other.part() : firstOther(query);
    return new RefusedException(
        Refusal.Reason.UNSUPPORTED_QUERY, nameOf(part.getClass()), () -> Text.of(part));
  }

  private Query firstOther(Query query) {
    Readings readings = new Readings(searcher, null);
    Query unmatched = QueryKinds.firstOther(query, readings, false);
    return unmatched != null ? unmatched : QueryKinds.firstOther(query, readings, true);
  }

  /** Returns the simple name of a class, or of the named one that an anonymous class extends. */
  public static String nameOf(Class<?> type) {
    return type.isAnonymousClass() ? nameOf(type.getSuperclass()) : type.getSimpleName();
  }
}
