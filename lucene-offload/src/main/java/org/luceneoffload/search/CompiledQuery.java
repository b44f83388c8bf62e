/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;

/**
 * A query that plans can express, with everything that is the same in every segment. Good for the
 * reader of the searcher that compiled it; immutable, for any number of threads.
 */
final class CompiledQuery {
  private static final int MOST_CACHEABLE_CLAUSES = 16;

  private final Query query;
  private final QueryNode root;
  private final boolean scored;

  CompiledQuery(Query query, QueryNode root, boolean scored) {
    this.query = query;
    this.root = root;
    this.scored = scored;
  }

  /** The query, rewritten. */
  Query query() {
    return query;
  }

  /** Whether scores were compiled in. */
  boolean scored() {
    return scored;
  }

  /** Whether stock's query cache would take the query: it does not take huge Boolean ones. */
  boolean isCacheable() {
    return clausesFit(root);
  }

  private static boolean clausesFit(QueryNode node) {
    return switch (node) {
      case QueryNode.BoolNode bool ->
          bool.clauses().size() <= MOST_CACHEABLE_CLAUSES
              && bool.clauses().stream().allMatch(clause -> clausesFit(clause.node()));
      case QueryNode.ConstantNode constant -> clausesFit(constant.child());
      default -> true;
    };
  }

  /** What a segment has to do for this query. */
  LeafPlan plan(LeafReaderContext context) throws IOException {
    return new LeafPlanner(context).plan(root);
  }

  /** The number of live matches in a segment, or -1 if that takes more than a look-up. */
  int quickCount(LeafReaderContext context) throws IOException {
    return QuickCount.count(root, context);
  }
}
