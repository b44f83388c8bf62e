/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.plan.LeafPlan;

/**
 * One reason to leave work to stock Lucene. A rule is asked at those of the moments below that it
 * implements, in this order, the earlier the cheaper; each method returns why stock is expected to
 * be quicker, or null. {@code mode} is a value of {@link org.luceneoffload.wire.OffloadWire.Mode}:
 * at the first two moments what is asked for, TOP_K, TOP_K_BY_COLUMN, COUNT, AGGREGATE, or DOCS and
 * SCORED_DOCS for a collector.
 */
interface StockRule {
  /** Judges a rewritten query before it is compiled. */
  interface OfQuery extends StockRule {
    Refusal ofQuery(Query query, int mode, IndexSearcher searcher, IndexedFields fields)
        throws IOException;
  }

  /** Judges a compiled query before any segment is planned. */
  interface OfTree extends StockRule {
    /**
     * Judges it.
     *
     * @param threshold matches to count exactly
     * @param maxDoc docs of the index
     */
    Refusal ofTree(QueryNode root, int mode, int threshold, int maxDoc);
  }

  /** Judges some clauses of a Boolean query, compiled, of which the host runs the others. */
  interface OfGroup extends StockRule {
    Refusal ofGroup(QueryNode.BoolNode group, ScoreMode scoreMode, int maxDoc);
  }

  /** Judges a compiled query in one segment before the segment is planned. */
  interface OfSegment extends StockRule {
    Refusal ofSegment(QueryNode root, int mode, LeafReaderContext segment) throws IOException;
  }

  /** Judges the plan of a segment, with work for the device, before it runs. */
  interface OfPlan extends StockRule {
    Refusal ofPlan(LeafPlan plan, int mode, LeafReaderContext segment) throws IOException;
  }
}
