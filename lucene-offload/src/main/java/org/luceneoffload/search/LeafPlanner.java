/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.BooleanClause.Occur;
import org.luceneoffload.codec.OffloadTermState;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.Extent;
import org.luceneoffload.wire.ListRef;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanExtent;
import org.luceneoffload.wire.PlanNode;

/**
 * Turns a compiled query into the plan of one segment.
 *
 * <p>Stock Lucene simplifies a Boolean query once more for each segment: clauses whose terms the
 * segment lacks are dropped, and optional clauses become required when just as many are left as
 * must match. Both decide which clauses are added in which sum, so the same is done here. A {@code
 * null} below is stock's null scorer supplier.
 */
final class LeafPlanner {
  /** A node of the plan with what stock would estimate of it. */
  private record Lowered(PlanNode node, long cost, float maxScore) {
    boolean isNone() {
      return node.op() == OffloadWire.Op.NONE;
    }
  }

  private static final Lowered NONE = new Lowered(PlanNode.none(OffloadWire.Occur.MUST), 0, 0f);

  private final LeafReaderContext context;
  private final List<ListRef> lists = new ArrayList<>();
  private final List<LeafPlan.TermList> termLists = new ArrayList<>();
  private final List<PlanExtent> extents = new ArrayList<>();
  private final List<NormTable> tables = new ArrayList<>();
  private final List<SegmentImage> images = new ArrayList<>(1);

  LeafPlanner(LeafReaderContext context) {
    this.context = context;
  }

  LeafPlan plan(QueryNode root) throws IOException {
    try {
      Lowered lowered = lower(root);
      if (lowered == null || lowered.isNone()) {
        return LeafPlan.NO_MATCH;
      }
      PlanNode tree = dropUnusedLists(lowered.node);
      if (images.isEmpty()) {
        addAnyImage(root);
      }
      int maxDoc = context.reader().maxDoc();
      Plan plan = new Plan(tree, lists, extents, tables, maxDoc);
      checkLimits(plan);
      return new LeafPlan(plan, termLists, images, lowered.cost, lowered.maxScore, null);
    } catch (RefusedException e) {
      return LeafPlan.onHost(e.refusal());
    }
  }

  /** A plan without lists runs on the device of the segment's lists. */
  private void addAnyImage(QueryNode root) throws RefusedException, IOException {
    SegmentImage image = root.matchesAll() ? null : QueryOffloader.anyImage(context);
    if (image == null || !image.usable() || image.handle() == null) {
      // That every doc matches is nothing to ask a device for.
      throw new RefusedException(
          Refusal.Reason.NO_LISTS, "every doc of segment " + context.ord + " matches");
    }
    images.add(image);
  }

  /** Removes the lists of clauses that turned out not to matter. */
  private PlanNode dropUnusedLists(PlanNode tree) {
    if (countTerms(tree) == lists.size()) {
      return tree;
    }
    int[] newIndex = new int[lists.size()];
    Arrays.fill(newIndex, -1);
    markUsed(tree, newIndex);
    int next = 0;
    for (int i = 0; i < newIndex.length; i++) {
      if (newIndex[i] >= 0) {
        lists.set(next, lists.get(i));
        termLists.set(next, termLists.get(i));
        newIndex[i] = next++;
      }
    }
    lists.subList(next, lists.size()).clear();
    termLists.subList(next, termLists.size()).clear();
    return renumber(tree, newIndex);
  }

  private static int countTerms(PlanNode node) {
    int count = node.op() == OffloadWire.Op.TERM ? 1 : 0;
    for (PlanNode child : node.children()) {
      count += countTerms(child);
    }
    return count;
  }

  private static void markUsed(PlanNode node, int[] newIndex) {
    if (node.op() == OffloadWire.Op.TERM) {
      newIndex[node.list()] = 0;
    }
    for (PlanNode child : node.children()) {
      markUsed(child, newIndex);
    }
  }

  private static PlanNode renumber(PlanNode node, int[] newIndex) {
    List<PlanNode> children = new ArrayList<>(node.children().size());
    for (PlanNode child : node.children()) {
      children.add(renumber(child, newIndex));
    }
    int list = node.op() == OffloadWire.Op.TERM ? newIndex[node.list()] : 0;
    return new PlanNode(
        node.op(), node.occur(), node.minShould(), list, node.table(), node.weight(), children);
  }

  private void checkLimits(Plan plan) throws RefusedException {
    String exceeded = plan.exceededLimit();
    int bytes = plan.encodedBytes();
    int mostBytes = images.get(0).handle().device().info().maxPlanBytes();
    if (exceeded == null && bytes > mostBytes) {
      exceeded = "the plan has " + bytes + " bytes, the device takes " + mostBytes;
    }
    if (exceeded != null) {
      throw new RefusedException(Refusal.Reason.PLAN_LIMIT, exceeded);
    }
  }

  private Lowered lower(QueryNode node) throws RefusedException, IOException {
    return switch (node) {
      case QueryNode.NothingNode nothing -> null;
      case QueryNode.AllNode all ->
          new Lowered(
              PlanNode.all(OffloadWire.Occur.MUST, all.weight()),
              context.reader().maxDoc(),
              all.weight());
      case QueryNode.ConstantNode constant -> constant(constant);
      case QueryNode.TermNode term -> term(term);
      case QueryNode.BoolNode bool -> bool(bool);
    };
  }

  private Lowered constant(QueryNode.ConstantNode constant) throws RefusedException, IOException {
    Lowered child = lower(constant.child());
    if (child == null || child.isNone()) {
      return child;
    }
    PlanNode node =
        child.node.op() == OffloadWire.Op.ALL
            ? PlanNode.all(OffloadWire.Occur.MUST, constant.weight())
            : PlanNode.constant(
                OffloadWire.Occur.MUST,
                constant.weight(),
                child.node.withOccur(OffloadWire.Occur.MUST));
    return new Lowered(node, child.cost, constant.weight());
  }

  private Lowered term(QueryNode.TermNode term) throws RefusedException, IOException {
    TermState state = term.lookup().state(context);
    if (state == null) {
      return null;
    }
    if (state == TermLookup.FOUND_MISSING) {
      return NONE;
    }
    Terms terms = term.lookup().terms(context, term.term());
    if (!(terms instanceof OffloadTerms offloadTerms)
        || !(state instanceof OffloadTermState list)) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE,
          "field \"" + term.term().field() + "\" in segment " + context.ord);
    }
    SegmentImage image = offloadTerms.image();
    if (!image.usable() || image.handle() == null || !list.hasDeviceList()) {
      String reason = image.usable() ? "it has no device lists" : image.unusableReason();
      throw new RefusedException(Refusal.Reason.IMAGE_UNUSABLE, image.fileName() + ": " + reason);
    }
    addImage(image);
    int index = lists.size();
    if (list.isInline()) {
      lists.add(ListRef.inline(list.inlineDoc(), list.inlineFreq(), list.inlineNorm()));
    } else {
      addPaged(image, list);
    }
    termLists.add(
        new LeafPlan.TermList(
            term.term(), list.docFreq, list.isInline() ? 0 : list.pageCount(), list.isInline()));
    PlanNode node =
        PlanNode.term(OffloadWire.Occur.MUST, index, tableIndex(term.table()), term.weight());
    return new Lowered(node, list.docFreq, term.weight());
  }

  private void addImage(SegmentImage image) throws RefusedException {
    for (SegmentImage present : images) {
      if (present == image) {
        return;
      }
      if (present.handle() != image.handle()) {
        throw new RefusedException(
            Refusal.Reason.SEVERAL_DEVICES, present.fileName() + " and " + image.fileName());
      }
    }
    images.add(image);
  }

  /** Refers to a list by the extents of its image that hold its pages. */
  private void addPaged(SegmentImage image, OffloadTermState list) throws RefusedException {
    int first = list.firstPage();
    long end = (long) first + list.pageCount();
    int from = extents.size();
    int count = 0;
    for (Extent extent : image.extents()) {
      if (extent.endFilePage() > first && extent.filePage() < end) {
        extents.add(new PlanExtent(extent.filePage(), extent.pageCount(), extent.lba()));
        count++;
      }
    }
    int shared = indexOfRun(from, count);
    if (shared < from) {
      extents.subList(from, extents.size()).clear();
      from = shared;
    }
    if (extents.size() > OffloadWire.MAX_PLAN_EXTENTS) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT, "image " + image.fileName() + " is in too many extents");
    }
    lists.add(
        ListRef.paged(
            first,
            list.slot(),
            list.pageCount(),
            list.docFreq,
            image.stamp(),
            list.impacts(),
            from,
            count));
  }

  /** Index of the first run of extents equal to the {@code count} ones at {@code from}. */
  private int indexOfRun(int from, int count) {
    // Files are in few extents; when they are not, sharing is not worth the search.
    if (count > 0 && from <= 64) {
      for (int i = 0; i + count <= from; i++) {
        if (sameRuns(i, from, count)) {
          return i;
        }
      }
    }
    return from;
  }

  private boolean sameRuns(int one, int other, int count) {
    for (int i = 0; i < count; i++) {
      if (!extents.get(one + i).equals(extents.get(other + i))) {
        return false;
      }
    }
    return true;
  }

  private int tableIndex(NormTable table) {
    if (table == null) {
      return 0;
    }
    int index = tables.indexOf(table);
    if (index < 0) {
      index = tables.size();
      tables.add(table);
    }
    return index;
  }

  private Lowered bool(QueryNode.BoolNode bool) throws RefusedException, IOException {
    List<Lowered> must = new ArrayList<>();
    List<Lowered> filter = new ArrayList<>();
    List<Lowered> should = new ArrayList<>();
    List<Lowered> mustNot = new ArrayList<>();
    for (QueryNode.Clause clause : bool.clauses()) {
      Lowered child = lower(clause.node());
      switch (clause.occur()) {
        case MUST, FILTER -> {
          if (child == null) {
            return null;
          }
          (clause.occur() == Occur.MUST ? must : filter).add(child);
        }
        case SHOULD -> addPresent(should, child);
        case MUST_NOT -> addPresent(mustNot, child);
      }
    }
    int minShould = bool.minShould();
    if (should.size() == minShould) {
      must.addAll(should);
      should.clear();
      minShould = 0;
    }
    boolean required = !must.isEmpty() || !filter.isEmpty();
    if ((!required && should.isEmpty()) || should.size() < minShould) {
      return null;
    }
    if (!bool.scored() && minShould == 0 && required) {
      should.clear();
    }
    return combine(must, filter, should, mustNot, minShould, bool.scored());
  }

  private static void addPresent(List<Lowered> list, Lowered child) {
    if (child != null) {
      list.add(child);
    }
  }

  /** Builds the node, after what can be decided without any posting is decided. */
  private Lowered combine(
      List<Lowered> must,
      List<Lowered> filter,
      List<Lowered> should,
      List<Lowered> mustNot,
      int minShould,
      boolean scoredHere) {
    removeNone(should);
    removeNone(mustNot);
    boolean required = !must.isEmpty() || !filter.isEmpty();
    if (anyIs(must, OffloadWire.Op.NONE)
        || anyIs(filter, OffloadWire.Op.NONE)
        || should.size() < (required ? minShould : Math.max(1, minShould))
        || anyIs(mustNot, OffloadWire.Op.ALL)) {
      return NONE;
    }
    if (mustNot.isEmpty() && must.size() + filter.size() + should.size() == 1) {
      // The sum of one score is that score; a lone FILTER has none, so it stands for itself only
      // where no score is needed.
      if (!must.isEmpty()) {
        return must.get(0);
      }
      if (!should.isEmpty()) {
        return should.get(0);
      }
      if (!scoredHere) {
        return filter.get(0);
      }
    }
    List<PlanNode> children =
        new ArrayList<>(must.size() + filter.size() + should.size() + mustNot.size());
    addAs(children, OffloadWire.Occur.MUST, must);
    addAs(children, OffloadWire.Occur.FILTER, filter);
    addAs(children, OffloadWire.Occur.SHOULD, should);
    addAs(children, OffloadWire.Occur.MUST_NOT, mustNot);
    PlanNode node = PlanNode.bool(OffloadWire.Occur.MUST, minShould, children);
    return new Lowered(
        node, cost(must, filter, should, minShould), scoreBound(must) + scoreBound(should));
  }

  // Plain loops: this is on the way of every query, and streams cost more than the work.

  private static void removeNone(List<Lowered> clauses) {
    if (anyIs(clauses, OffloadWire.Op.NONE)) {
      clauses.removeIf(Lowered::isNone);
    }
  }

  private static boolean anyIs(List<Lowered> clauses, int op) {
    for (int i = 0; i < clauses.size(); i++) {
      if (clauses.get(i).node.op() == op) {
        return true;
      }
    }
    return false;
  }

  private static void addAs(List<PlanNode> children, int occur, List<Lowered> clauses) {
    for (Lowered clause : clauses) {
      children.add(clause.node.withOccur(occur));
    }
  }

  private static long cost(
      List<Lowered> must, List<Lowered> filter, List<Lowered> should, int minShould) {
    long least = Long.MAX_VALUE;
    for (Lowered clause : must) {
      least = Math.min(least, clause.cost);
    }
    for (Lowered clause : filter) {
      least = Math.min(least, clause.cost);
    }
    if (least != Long.MAX_VALUE && minShould == 0) {
      return least;
    }
    // Of n optional clauses of which m must match, a match is in one of the n - m + 1 shortest.
    long[] costs = new long[should.size()];
    for (int i = 0; i < costs.length; i++) {
      costs[i] = should.get(i).cost;
    }
    Arrays.sort(costs);
    long sum = 0;
    for (int i = 0; i < costs.length - Math.max(1, minShould) + 1; i++) {
      sum += costs[i];
    }
    return Math.min(least, sum);
  }

  private static float scoreBound(List<Lowered> clauses) {
    double sum = 0;
    for (Lowered clause : clauses) {
      sum += clause.maxScore;
    }
    // Clauses may be added in another order elsewhere: one step up covers the rounding.
    return clauses.size() > 1 ? Math.nextUp((float) sum) : (float) sum;
  }
}
