/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.IndexedField;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.FieldSimilarity;
import org.luceneoffload.search.score.TermScores;
import org.luceneoffload.wire.plan.NormTable;

/** Queries for a term. */
final class TermKind extends QueryKind<TermQuery> {
  TermKind() {
    super(TermQuery.class);
  }

  @Override
  Query firstOther(TermQuery query, Readings readings, boolean scored) {
    return null;
  }

  @Override
  QueryNode node(TermQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    return compile(query, c, scored, boost);
  }

  /** Compiles a term, of a query or of a part that is as good as one. */
  static QueryNode compile(TermQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    Term term = query.getTerm();
    IndexedField field = c.field(term.field());
    TermLookup lookup = lookup(query, field, c, scored);
    if (!scored) {
      return new QueryNode.TermNode(term, lookup, null, 0f);
    }
    Similarity similarity = FieldSimilarity.of(c.searcher.getSimilarity(), term.field());
    if (lookup.docFreq() == 0) {
      return new QueryNode.NothingNode();
    }
    CollectionStatistics collection = c.statistics.ofField(term.field(), field, term);
    if (!FieldSimilarity.isBm25(similarity)) {
      return otherTerm(query, lookup, similarity, boost, collection, c);
    }
    float weight = boost * Bm25Tables.idf(collection, c.statistics.docFreq(term, lookup));
    Compilation.checkWeight(weight, query);
    NormTable table = c.table((BM25Similarity) similarity, collection, term, lookup);
    return new QueryNode.TermNode(term, lookup, table, weight);
  }

  /** Compiles a term that is scored by another similarity than BM25. */
  private static QueryNode otherTerm(
      TermQuery query,
      TermLookup lookup,
      Similarity similarity,
      float boost,
      CollectionStatistics collection,
      Compilation c)
      throws RefusedException, IOException {
    Term term = query.getTerm();
    QueryNode.TermNode unscored = new QueryNode.TermNode(term, lookup, null, 0f);
    if (FieldSimilarity.isConstant(similarity, term.field())) {
      Compilation.checkWeight(boost, query);
      return new QueryNode.ConstantNode(unscored, boost);
    }
    TermStatistics one = c.statistics.ofTerm(term, lookup);
    TermScores scores = c.bm25.others().of(similarity, boost, collection, one);
    return new QueryNode.ScoredTermNode(unscored, scores);
  }

  /**
   * Compiles a term that excludes docs: a segment without it has none to exclude, however stock
   * sees that.
   */
  static QueryNode prohibited(TermQuery query, Compilation c) throws RefusedException, IOException {
    Term term = query.getTerm();
    IndexedField field = c.field(term.field());
    return c.anyScores && field != null && field.isHashed() && ownStates(query, c) == null
        ? new QueryNode.TermNode(term, TermLookup.lateIfPresent(field, term, c.ahead), null, 0f)
        : compile(query, c, false, 1f);
  }

  /** Compiles a disjunction of terms without scores. */
  static QueryNode anyOf(List<Term> terms, Compilation c) throws RefusedException, IOException {
    List<QueryNode> children = new ArrayList<>(terms.size());
    for (Term term : terms) {
      children.add(compile(new TermQuery(term), c, false, 1f));
    }
    return BooleanKind.anyOf(children);
  }

  /** Returns the states that the query brings along, if they are of this reader; else null. */
  private static TermStates ownStates(TermQuery query, Compilation c) {
    TermStates states = query.getTermStates();
    boolean isOurs = states != null && states.wasBuiltFor(c.searcher.getTopReaderContext());
    return isOurs ? states : null;
  }

  private static TermLookup lookup(
      TermQuery query, IndexedField field, Compilation c, boolean scored) throws IOException {
    TermStates states = ownStates(query, c);
    if (states != null) {
      return TermLookup.of(states);
    }
    boolean hashed = field != null && field.isHashed();
    if (c.anyScores && !scored) {
      // Stock looks such terms up late. A clause that is there and empty is not dropped, and that
      // may decide in which sum the scores beside it are added.
      return hashed
          ? TermLookup.late(c.searcher, field, query.getTerm(), c.ahead)
          : TermLookup.late(c.searcher, query.getTerm());
    }
    return c.lookUp(field, query.getTerm());
  }
}
