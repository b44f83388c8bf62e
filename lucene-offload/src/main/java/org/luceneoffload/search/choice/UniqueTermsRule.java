/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.wire.OffloadWire;

/**
 * Leaves a set of terms that are in one document each, as IDs are, to stock, which the terms lead
 * to the matches.
 */
final class UniqueTermsRule implements StockRule.OfQuery, StockRule.OfSegment {
  @Override
  public Refusal ofQuery(Query rewritten, int mode, IndexSearcher searcher, IndexedFields fields)
      throws IOException {
    if (!isOf(mode)) {
      return null;
    }
    Query query = rewritten;
    while (query instanceof ConstantScoreQuery || query instanceof BoostQuery) {
      query =
          query instanceof ConstantScoreQuery constant
              ? constant.getQuery()
              : ((BoostQuery) query).getQuery();
    }
    TermUnion union = TermUnion.of(query);
    return union != null
            && union.namedTerms() >= 0
            && fields.hasUniqueTerms(searcher, union.field())
        ? reason(union)
        : null;
  }

  @Override
  public Refusal ofSegment(QueryNode root, int mode, LeafReaderContext segment) throws IOException {
    QueryNode whole = root instanceof QueryNode.ConstantNode constant ? constant.child() : root;
    return isOf(mode)
            && whole instanceof QueryNode.UnionNode node
            && node.union().namedTerms() >= 0
            && IndexedFields.areUnique(segment.reader().terms(node.union().field()))
        ? reason(node.union())
        : null;
  }

  /** Returns whether the rule is about a mode: sorts and aggregations stay with the device. */
  private static boolean isOf(int mode) {
    return mode != OffloadWire.Mode.TOP_K_BY_COLUMN && mode != OffloadWire.Mode.AGGREGATE;
  }

  private static Refusal reason(TermUnion union) {
    return new Refusal(
        Refusal.Reason.PLANNER, "every term of field \"" + union.field() + "\" is in one document");
  }
}
