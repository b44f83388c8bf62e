/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.search.join.JoinTerms;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.SetDocs;
import org.luceneoffload.search.plan.node.UnionLeaf;

/** Makes the node of a union or join of terms in a segment: a disjunction of their lists. */
final class UnionPlanner {
  /** Named terms up to which their lists are looked up rather than a column's values. */
  private static final long MAX_NAMED = 256;

  /** A value of a column takes about as long as so many postings. */
  private static final int POSTINGS_OF_VALUE = 2;

  private UnionPlanner() {}

  /**
   * Returns the node of the keywords that a filter of a column asks for, if their lists are
   * expected to be read sooner than the column; null if not. Beside other clauses the column is
   * looked up.
   */
  static UnionLeaf insteadOf(DeviceColumn column, ColumnFilter filter, LeafReaderContext context)
      throws RefusedException, IOException {
    TermUnion union = filter.terms();
    if (union == null || union.namedTerms() > MAX_NAMED) {
      return null;
    }
    Terms terms = DeviceTerms.of(context.reader(), union.field());
    if (!(terms instanceof OffloadTerms ours)
        || !ours.image().usable()
        || ours.image().handle() != column.image().handle()) {
      return null;
    }
    TermLists found = union.in(ours, UnionLeaf.MAX_LISTS);
    if (found == null || found.size() == 0) {
      return null;
    }
    return found.postings() < POSTINGS_OF_VALUE * column.valueCount()
        ? new UnionLeaf(union, found, ours.image())
        : null;
  }

  /**
   * Returns the node of the terms that a segment has; if it has none, null where stock sees that
   * early.
   *
   * @param maySet whether the plan may have one more set of docs
   */
  static LeafNode node(TermUnion union, LeafReaderContext context, boolean maySet)
      throws RefusedException, IOException {
    Terms all = DeviceTerms.of(context.reader(), union.field());
    if (all == null) {
      return null;
    }
    OffloadTerms terms = all instanceof OffloadTerms ours ? ours : null;
    if (terms != null) {
      PlanImages.checkUsable(terms.image(), true);
    }
    UnionSets sets = terms != null && maySet ? UnionSets.of(union, terms, context.reader()) : null;
    LeafNode known = sets == null ? null : sets.known();
    if (known != null) {
      return known;
    }
    int most = sets == null ? UnionLeaf.MAX_LISTS : SetDocs.MAX_LISTS;
    TermLists found = terms == null ? null : union.in(terms, most);
    check(found, most, union, context);
    if (found.size() == 0) {
      return union.isSoughtEarly() ? null : new LeafNode.None();
    }
    if (sets != null && sets.pays(found)) {
      return sets.node(found);
    }
    return found.size() > UnionLeaf.MAX_LISTS
        ? sets.once(found)
        : new UnionLeaf(union, found, terms.image());
  }

  /**
   * Returns the node of the terms of a join that a segment has; null if the segment lacks the
   * field: stock sees no more of that early.
   */
  static LeafNode join(QueryNode.JoinNode node, LeafReaderContext context)
      throws RefusedException, IOException {
    TermUnion union = node.union();
    Terms all = DeviceTerms.of(context.reader(), union.field());
    if (all == null) {
      return null;
    }
    OffloadTerms terms = all instanceof OffloadTerms ours ? ours : null;
    if (terms != null) {
      PlanImages.checkUsable(terms.image(), true);
    }
    int most = UnionLeaf.MAX_LISTS;
    JoinTerms.Found found = terms == null ? null : node.join().in(terms, most);
    TermLists lists = found == null ? null : found.lists();
    check(lists != null && lists.size() > most ? TermUnion.TOO_MANY : lists, most, union, context);
    if (lists.size() == 0) {
      return new LeafNode.None();
    }
    float[] scores = found.scores();
    for (int i = 0; i < scores.length; i++) {
      scores[i] *= node.boost();
    }
    return new UnionLeaf(union, lists, terms.image(), scores, node.join().most() * node.boost());
  }

  private static void check(TermLists found, int most, TermUnion union, LeafReaderContext context)
      throws RefusedException {
    if (found == null) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE, "field \"" + union.field() + "\" in segment " + context.ord);
    }
    if (found == TermUnion.TOO_MANY) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "more than " + most + " terms of field \"" + union.field() + "\"");
    }
  }
}
