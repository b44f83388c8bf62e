/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.OffloadTermState;

/** Counts matches of a compiled query from the statistics of a segment, where those suffice. */
final class QuickCount {
  private static final int UNKNOWN = -1;

  private QuickCount() {}

  static int count(QueryNode node, LeafReaderContext context) throws IOException {
    int numDocs = context.reader().numDocs();
    return switch (node) {
      case QueryNode.NothingNode nothing -> 0;
      case QueryNode.AllNode all -> numDocs;
      case QueryNode.ConstantNode constant -> count(constant.child(), context);
      case QueryNode.TermNode term -> term(term, context);
      case QueryNode.ScoredTermNode scored -> term(scored.term(), context);
      case QueryNode.FeatureNode feature -> term(feature.term(), context);
      case QueryNode.ColumnNode column ->
          context.reader().getFieldInfos().fieldInfo(column.filter().field()) == null ? 0 : UNKNOWN;
      case QueryNode.UnionNode union -> union(union.union(), context);
      case QueryNode.JoinNode join -> union(join.union(), context);
      case QueryNode.BoolNode bool -> bool(bool, context, numDocs);
      case QueryNode.DisMaxNode disMax -> UNKNOWN;
      case QueryNode.PhraseNode phrase -> UNKNOWN;
      case QueryNode.SynonymNode synonym -> UNKNOWN;
      case QueryNode.CombinedNode combined -> UNKNOWN;
    };
  }

  private static int union(TermUnion union, LeafReaderContext context) throws IOException {
    return context.reader().terms(union.field()) == null ? 0 : UNKNOWN;
  }

  private static int term(QueryNode.TermNode term, LeafReaderContext context) throws IOException {
    TermState state = term.lookup().stateToCount(context, term.term());
    if (state == null) {
      return 0;
    }
    if (context.reader().hasDeletions()) {
      return UNKNOWN;
    }
    Terms terms = term.lookup().terms(context, term.term());
    if (terms instanceof OffloadTerms && state instanceof OffloadTermState ours) {
      return ours.docFreq;
    }
    TermsEnum at = terms.iterator();
    at.seekExact(term.term().bytes(), state);
    return at.docFreq();
  }

  private static int bool(QueryNode.BoolNode bool, LeafReaderContext context, int numDocs)
      throws IOException {
    int required = 0;
    int positive = numDocs;
    boolean unknown = false;
    for (QueryNode.Clause clause : bool.clauses()) {
      if (clause.occur() != Occur.MUST && clause.occur() != Occur.FILTER) {
        continue;
      }
      required++;
      int count = count(clause.node(), context);
      if (count == 0) {
        return 0;
      } else if (count == UNKNOWN || (count != numDocs && positive != numDocs)) {
        // Two clauses that both match some docs: how many they share takes running them.
        unknown = true;
      } else if (count != numDocs) {
        positive = count;
      }
    }
    if (required == 0 && bool.minShould() <= 1) {
      positive = union(bool, Occur.SHOULD, context, numDocs);
    } else if (bool.minShould() > 0 || unknown) {
      positive = UNKNOWN;
    }
    if (positive == 0) {
      return 0;
    }
    int prohibited = union(bool, Occur.MUST_NOT, context, numDocs);
    if (prohibited == 0) {
      return positive;
    }
    if (prohibited == numDocs) {
      return 0;
    }
    return positive == numDocs && prohibited != UNKNOWN ? numDocs - prohibited : UNKNOWN;
  }

  /** Returns the number of docs that match any clause of a kind. */
  private static int union(
      QueryNode.BoolNode bool, Occur occur, LeafReaderContext context, int numDocs)
      throws IOException {
    int union = 0;
    boolean unknown = false;
    for (QueryNode.Clause clause : bool.clauses()) {
      if (clause.occur() != occur) {
        continue;
      }
      int count = count(clause.node(), context);
      if (count == numDocs) {
        return numDocs;
      }
      if (count == UNKNOWN || (count > 0 && union > 0)) {
        unknown = true;
      } else if (count > 0) {
        union = count;
      }
    }
    return unknown ? UNKNOWN : union;
  }
}
