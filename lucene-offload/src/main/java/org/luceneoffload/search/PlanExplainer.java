/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.ColumnLeaf;
import org.luceneoffload.search.plan.DocSetLeaf;
import org.luceneoffload.search.plan.LeafNode;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.PhraseLeaf;
import org.luceneoffload.search.plan.TermLeaf;
import org.luceneoffload.search.plan.UnionLeaf;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.OffloadWire;

/** Makes plan explanations; runs and counts nothing. */
final class PlanExplainer {
  private static final int HITS = 10;
  private static final int THRESHOLD = 1000;

  private PlanExplainer() {}

  static PlanExplanation explain(
      OffloadContext offload, Query original, Query rewritten, boolean scored) throws IOException {
    List<PlanExplanation.Leaf> leaves = new ArrayList<>();
    Refusal refusal = null;
    try {
      CompiledQuery compiled = offload.compile(rewritten, scored, 1f);
      int mode = scored ? OffloadWire.Mode.TOP_K : OffloadWire.Mode.COUNT;
      for (LeafReaderContext context : offload.host.searcher().getLeafContexts()) {
        leaves.add(leaf(context, offload.plan(compiled, context, mode, HITS, THRESHOLD)));
      }
    } catch (RefusedException e) {
      refusal = e.inFull();
    }
    return new PlanExplanation(Text.of(original), Text.of(rewritten), scored, refusal, leaves);
  }

  private static PlanExplanation.Leaf leaf(LeafReaderContext context, LeafPlan plan) {
    boolean onDevice = plan.onDevice();
    PlanExplanation.Place place =
        onDevice
            ? PlanExplanation.Place.DEVICE
            : plan.matchesNothing() ? PlanExplanation.Place.NOWHERE : PlanExplanation.Place.HOST;
    return new PlanExplanation.Leaf(
        context.ord,
        context.docBase,
        context.reader().maxDoc(),
        place,
        onDevice ? plan.handle().device().name() : null,
        plan.refusal(),
        onDevice ? plan.layout().bytes() : 0,
        plan.listBytes(),
        onDevice ? node(plan.root()) : null,
        plan.estimate());
  }

  private static PlanExplanation.Node node(LeafNode node) {
    PlanExplanation.TermList list = null;
    if (node instanceof TermLeaf term) {
      list = list(term.term(), term.list(), term.pageCount(), 0);
    }
    if (node instanceof DocSetLeaf set) {
      long bytes = (long) set.pages() * OffloadWire.PAGE_BYTES;
      list =
          new PlanExplanation.TermList(
              set.key().query().toString(), set.docCount(), set.pages(), bytes, false);
    }
    PlanExplanation.ColumnRange range = null;
    if (node instanceof ColumnLeaf column) {
      range =
          new PlanExplanation.ColumnRange(
              column.field(),
              column.rangeCount(),
              column.lo(0),
              column.hi(column.rangeCount() - 1),
              column.column().docCount(),
              column.pagesInRange(),
              column.pageCount(),
              (long) column.pageCount() * OffloadWire.PAGE_BYTES);
    }
    List<PlanExplanation.Node> children = new ArrayList<>(node.children().length);
    for (LeafNode child : node.children()) {
      children.add(node(child));
    }
    if (node instanceof PhraseLeaf phrase) {
      addTerms(phrase, children);
    }
    if (node instanceof UnionLeaf union) {
      if (union.lists().size() == 1) {
        list = list(union, 0);
      } else {
        addLists(union, children);
      }
    }
    int minShould = node instanceof LeafNode.Bool bool ? bool.minShould() : 0;
    return new PlanExplanation.Node(
        op(node.op()), occur(node.occur()), minShould, node.weight(), list, range, children);
  }

  /** Adds the lists of a union as children. */
  private static void addLists(UnionLeaf union, List<PlanExplanation.Node> to) {
    for (int i = 0; i < union.lists().size(); i++) {
      to.add(
          new PlanExplanation.Node(
              op(OffloadWire.Op.TERM),
              occur(OffloadWire.Occur.SHOULD),
              0,
              0f,
              list(union, i),
              null,
              List.of()));
    }
  }

  private static PlanExplanation.TermList list(UnionLeaf union, int i) {
    TermLists lists = union.lists();
    int pages = lists.pageCount(i);
    return new PlanExplanation.TermList(
        union.name(),
        lists.postings(i),
        pages,
        (long) pages * OffloadWire.PAGE_BYTES,
        lists.isInline(i));
  }

  /** Adds the terms of a phrase as children; those that share a place as optional ones. */
  private static void addTerms(PhraseLeaf phrase, List<PlanExplanation.Node> to) {
    for (int i = 0; i < phrase.termCount(); i++) {
      OffloadTermState state = phrase.list(i);
      PlanExplanation.TermList list =
          list(phrase.term(i), state, phrase.listPages(i), state.positionPageCount());
      to.add(
          new PlanExplanation.Node(
              op(OffloadWire.Op.TERM),
              occur(sharesPlace(phrase, i) ? OffloadWire.Occur.SHOULD : OffloadWire.Occur.MUST),
              0,
              0f,
              list,
              null,
              List.of()));
    }
  }

  private static boolean sharesPlace(PhraseLeaf phrase, int i) {
    return (i > 0 && phrase.slot(i - 1) == phrase.slot(i))
        || (i + 1 < phrase.termCount() && phrase.slot(i + 1) == phrase.slot(i));
  }

  private static PlanExplanation.TermList list(
      Term term, OffloadTermState list, int listPages, int positionPages) {
    int pages = listPages + positionPages;
    return new PlanExplanation.TermList(
        term.toString(),
        list.docFreq,
        pages,
        (long) pages * OffloadWire.PAGE_BYTES,
        list.isInline());
  }

  private static String op(int op) {
    return switch (op) {
      case OffloadWire.Op.TERM -> "TERM";
      case OffloadWire.Op.ALL -> "ALL";
      case OffloadWire.Op.BOOL -> "BOOL";
      case OffloadWire.Op.CONST -> "CONST";
      case OffloadWire.Op.COLUMN_RANGE -> "COLUMN_RANGE";
      case OffloadWire.Op.COLUMN_IN -> "COLUMN_IN";
      case OffloadWire.Op.DIS_MAX -> "DIS_MAX";
      case OffloadWire.Op.PHRASE -> "PHRASE";
      case OffloadWire.Op.MULTI_PHRASE -> "MULTI_PHRASE";
      case OffloadWire.Op.DOC_SET -> "DOC_SET";
      case OffloadWire.Op.SYNONYM -> "SYNONYM";
      case OffloadWire.Op.COMBINED -> "COMBINED";
      case OffloadWire.Op.ORDERED_SPANS -> "ORDERED_SPANS";
      case OffloadWire.Op.UNORDERED_SPANS -> "UNORDERED_SPANS";
      case OffloadWire.Op.ORDERED_INTERVALS -> "ORDERED_INTERVALS";
      case OffloadWire.Op.UNORDERED_INTERVALS -> "UNORDERED_INTERVALS";
      case OffloadWire.Op.TABLE_TERM -> "TABLE_TERM";
      case OffloadWire.Op.FEATURE_TERM -> "FEATURE_TERM";
      default -> "NONE";
    };
  }

  private static String occur(int occur) {
    return switch (occur) {
      case OffloadWire.Occur.MUST -> "MUST";
      case OffloadWire.Occur.FILTER -> "FILTER";
      case OffloadWire.Occur.SHOULD -> "SHOULD";
      default -> "MUST_NOT";
    };
  }
}
