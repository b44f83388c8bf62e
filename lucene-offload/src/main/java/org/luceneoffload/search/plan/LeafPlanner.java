/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.DeviceColumns;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.search.join.JoinTerms;
import org.luceneoffload.search.plan.node.CombinedLeaf;
import org.luceneoffload.search.plan.node.DocSetLeaf;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.PhraseLeaf;
import org.luceneoffload.search.plan.node.PlanLayout;
import org.luceneoffload.search.plan.node.SynonymLeaf;
import org.luceneoffload.search.plan.node.TermLeaf;
import org.luceneoffload.search.plan.node.UnionLeaf;
import org.luceneoffload.search.score.FeatureScores;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.search.sort.SortFieldKey;
import org.luceneoffload.util.SortedBlocks;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Operator;
import org.luceneoffload.wire.sort.SortKey;

/**
 * Turns a compiled query into the plan of one segment.
 *
 * <p>Stock Lucene simplifies a Boolean query once more for each segment: clauses whose terms the
 * segment lacks are dropped, and optional clauses become required when just as many are left as
 * must match. Both decide which clauses are added in which sum, so the same is done here. A {@code
 * null} below is stock's null scorer supplier.
 */
public final class LeafPlanner {
  /** Most ranges of a clause for a device that takes each as a node of its own. */
  private static final int MAX_RANGE_NODES = 64;

  private final LeafReaderContext context;
  private final boolean toCount;
  private final PlanImages images = new PlanImages();
  private int docSets; // of the plan so far, and norms
  private QueryNode whole; // the query, or what it gives a constant score

  /**
   * Makes a planner for one plan.
   *
   * @param toCount whether matches are only counted, which leaves open how scores are added
   */
  public LeafPlanner(LeafReaderContext context, boolean toCount) {
    this.context = context;
    this.toCount = toCount;
  }

  /** Returns what the segment has to do for a query. */
  public LeafPlan plan(QueryNode root) throws IOException {
    return plan(root, (node, layout) -> {}, 0);
  }

  /** Returns what the segment has to do for a query whose best hits by sort keys are wanted. */
  public SortedPlan planSorted(QueryNode root, List<SortFieldKey> fields) throws IOException {
    List<SortKey> keys = new ArrayList<>(fields.size());
    LeafPlan leaf =
        planTailed(
            root,
            (node, layout) -> {
              for (SortFieldKey field : fields) {
                DeviceColumn column = field.field() == null ? null : sortColumn(field);
                int point = 0;
                if (column != null && field.origin() != null) {
                  images.need(Operator.GEO_DISTANCE);
                  point = layout.addTailPoint(field.origin().lat(), field.origin().lon());
                }
                keys.add(field.key(column == null ? -1 : layout.addTailColumn(column), point));
              }
            });
    return new SortedPlan(leaf, leaf.onDevice() ? keys : List.of());
  }

  /** Returns the column that a sort key is read from; null if no doc of the segment has a value. */
  private DeviceColumn sortColumn(SortFieldKey field) throws RefusedException, IOException {
    checkOrder(field.field());
    return tailColumn(field.field(), field::takes);
  }

  /** Plans a query for a mode that has a part of the plan of its own. */
  LeafPlan planTailed(QueryNode root, TailReferences tail) throws IOException {
    return plan(root, tail, OffloadWire.PAGE_BYTES); // the tail takes much less than a page
  }

  private LeafPlan plan(QueryNode root, TailReferences tail, int tailBytes) throws IOException {
    whole = root instanceof QueryNode.ConstantNode constant ? constant.child() : root;
    try {
      LeafNode node = lower(root);
      if (node == null || node instanceof LeafNode.None) {
        return LeafPlan.NO_MATCH;
      }
      node.setOccur(OffloadWire.Occur.MUST);
      PlanLayout layout = new PlanLayout(node, context.reader().maxDoc());
      tail.addTo(node, layout);
      images.addAnyIfNone(root, context);
      if (images.haveShortTables()) {
        layout.shortenTables();
      }
      images.check(layout.bytes() + tailBytes);
      return LeafPlan.onDevice(node, layout, images.all());
    } catch (RefusedException e) {
      return LeafPlan.onHost(e.refusal());
    }
  }

  /**
   * Returns the column of a field that a tail refers to; null if no doc of the segment has a value.
   */
  DeviceColumn tailColumn(String field, Predicate<FieldInfo> takes)
      throws RefusedException, IOException {
    DeviceColumn column = usableColumn(field, takes);
    if (column != null) {
      images.add(column.image());
    }
    return column;
  }

  /** Returns the column of a field; null if the segment lacks the field. */
  private DeviceColumn usableColumn(String field, Predicate<FieldInfo> takes)
      throws RefusedException, IOException {
    FieldInfo info = context.reader().getFieldInfos().fieldInfo(field);
    if (info == null) {
      return null;
    }
    DeviceColumn column = takes.test(info) ? DeviceColumns.of(context.reader(), field) : null;
    if (column == null) {
      throw new RefusedException(
          Refusal.Reason.NO_COLUMN, "field \"" + field + "\" in segment " + context.ord);
    }
    PlanImages.checkUsable(column.image(), true);
    return column;
  }

  private LeafNode lower(QueryNode node) throws RefusedException, IOException {
    return switch (node) {
      case QueryNode.TermNode term -> term(term);
      case QueryNode.ScoredTermNode scored -> scoredTerm(scored);
      case QueryNode.FeatureNode feature -> feature(feature);
      case QueryNode.PhraseNode phrase -> phrase(phrase);
      case QueryNode.ColumnNode column -> column(column);
      case QueryNode.UnionNode union -> union(union.union());
      case QueryNode.JoinNode join -> join(join);
      case QueryNode.BoolNode bool -> bool(bool);
      case QueryNode.DisMaxNode disMax -> disMax(disMax);
      case QueryNode.SynonymNode synonym -> synonym(synonym);
      case QueryNode.CombinedNode combined -> combined(combined);
      case QueryNode.NothingNode nothing -> null;
      case QueryNode.AllNode all -> new LeafNode.All(all.weight(), context.reader().maxDoc());
      case QueryNode.ConstantNode constant -> constant(constant);
    };
  }

  private LeafNode constant(QueryNode.ConstantNode constant) throws RefusedException, IOException {
    LeafNode child = lower(constant.child());
    if (child == null || child instanceof LeafNode.None) {
      return child;
    }
    return child instanceof LeafNode.All
        ? new LeafNode.All(constant.weight(), context.reader().maxDoc())
        : new LeafNode.Constant(constant.weight(), child);
  }

  private LeafNode term(QueryNode.TermNode term) throws RefusedException, IOException {
    TermLookup lookup = term.lookup();
    TermState state = toCount ? lookup.stateToCount(context, term.term()) : lookup.state(context);
    if (state == null) {
      return null;
    }
    if (state == TermLookup.ABSENT_ON_LOOKUP) {
      return new LeafNode.None();
    }
    Terms terms = lookup.terms(context, term.term());
    OffloadTermState list = list(terms, state, term.term(), false);
    SegmentImage of = ((OffloadTerms) terms).image();
    images.add(of);
    return new TermLeaf(term, list, of);
  }

  private LeafNode scoredTerm(QueryNode.ScoredTermNode node) throws RefusedException, IOException {
    LeafNode found = term(node.term());
    if (toCount || !(found instanceof TermLeaf term)) {
      return found;
    }
    if (term.list().isInline()) {
      return new LeafNode.Constant(node.scores().ofOnly(term.list()), term);
    }
    images.need(Operator.TABLE_TERM);
    return new TermLeaf(term, node.scores().of(term.list()));
  }

  private LeafNode feature(QueryNode.FeatureNode node) throws RefusedException, IOException {
    LeafNode found = term(node.term());
    if (toCount || !(found instanceof TermLeaf term)) {
      return found;
    }
    if (term.list().isInline()) {
      return new LeafNode.Constant(node.scores().of(term.list().inlineFreq()), term);
    }
    OffloadTerms terms = (OffloadTerms) node.term().lookup().terms(context, term.term());
    FeatureScores scores = node.scores();
    if (scores.areLinear() && term.image().handle().device().info().knows(Operator.LINEAR_TERM)) {
      int greatest = terms.greatestFreqs().of(term.term().bytes());
      if (FeatureScores.isValue(greatest)) {
        images.need(Operator.LINEAR_TERM);
        return new TermLeaf(term, scores.weight(), greatest, scores.of(greatest));
      }
    }
    images.need(Operator.FEATURE_TERM);
    return new TermLeaf(term, scores.of(context.reader(), terms));
  }

  /** Returns where the list of a term is, in an image that can be used. */
  private OffloadTermState list(Terms terms, TermState state, Term term, boolean positions)
      throws RefusedException, IOException {
    OffloadTerms ours = terms instanceof OffloadTerms offloadTerms ? offloadTerms : null;
    OffloadTermState list = ours == null ? null : ours.withList(state, term.bytes(), positions);
    if (list == null) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE, "field \"" + term.field() + "\" in segment " + context.ord);
    }
    PlanImages.checkUsable(ours.image(), list.hasDeviceList());
    return list;
  }

  private LeafNode union(TermUnion union) throws RefusedException, IOException {
    boolean maySet = docSets < OffloadWire.MAX_PLAN_DOC_SETS;
    LeafNode found = UnionPlanner.node(union, context, maySet);
    if (found instanceof LeafNode.Bool parts) {
      for (LeafNode part : parts.children()) {
        addUnion(part);
      }
    } else {
      addUnion(found);
    }
    return found;
  }

  /** Makes the node of a join; if all scores are the same, of a union at a constant score. */
  private LeafNode join(QueryNode.JoinNode node) throws RefusedException, IOException {
    JoinTerms join = node.join();
    if (!join.hasOneScore() && !toCount) {
      LeafNode found = UnionPlanner.join(node, context);
      addUnion(found);
      images.need(Operator.JOIN);
      return found;
    }
    LeafNode found = union(node.union());
    if (found == null || found instanceof LeafNode.None) {
      boolean hasField = DeviceTerms.of(context.reader(), node.union().field()) != null;
      return hasField ? new LeafNode.None() : null;
    }
    return new LeafNode.Constant(join.most() * node.boost(), found);
  }

  private void addUnion(LeafNode found) throws RefusedException {
    if (found instanceof UnionLeaf lists) {
      images.add(lists.image());
    } else if (found instanceof DocSetLeaf set) {
      docSets++;
      images.add(set.image());
    }
  }

  private LeafNode phrase(QueryNode.PhraseNode node) throws RefusedException, IOException {
    int[] slots = node.phrase().slots();
    int[] kept = new int[slots.length];
    OffloadTermState[] lists = new OffloadTermState[slots.length];
    SegmentImage of = null;
    int count = 0;
    int next = 0; // the first place that no term was found for
    for (int i = 0; i < slots.length && slots[i] <= next; i++) {
      Term term = node.phrase().terms().get(i);
      TermLookup lookup = node.lookups().get(i);
      TermState state = lookup.state(context);
      if (state == null || state == TermLookup.ABSENT_ON_LOOKUP) {
        continue;
      }
      Terms terms = lookup.terms(context, term);
      lists[count] = list(terms, state, term, true);
      of = ((OffloadTerms) terms).image();
      if (!lists[count].hasPositions() || of.positionStart() == 0) {
        throw new RefusedException(
            Refusal.Reason.NO_POSITIONS,
            "field \"" + term.field() + "\" in segment " + context.ord);
      }
      kept[count++] = i;
      next = slots[i] + 1;
    }
    if (next <= slots[slots.length - 1]) {
      return null;
    }
    PhraseLeaf phrase =
        new PhraseLeaf(node, Arrays.copyOf(kept, count), Arrays.copyOf(lists, count), of);
    PlanImages.checkKnown(of.handle(), Operator.of(phrase.op()));
    images.add(of);
    return phrase;
  }

  /** Refuses a field by which the blocks of the segment are sorted. */
  private void checkOrder(String field) throws RefusedException {
    if (SortedBlocks.areBy(context.reader(), field)) {
      throw new RefusedException(
          Refusal.Reason.NO_COLUMN,
          "segment " + context.ord + " has blocks, and is sorted by field \"" + field + "\"");
    }
  }

  private LeafNode column(QueryNode.ColumnNode node) throws RefusedException, IOException {
    ColumnFilter filter = node.filter();
    checkOrder(filter.field());
    DeviceColumn column = usableColumn(filter.field(), filter::takes);
    if (column == null) {
      return null;
    }
    SegmentImage of = column.image();
    if (filter.area() != null) {
      PlanImages.checkKnown(of.handle(), filter.area().operator());
      return found(ColumnNodes.area(filter, column, node.weight()), filter, of);
    }
    PlanImages.checkKnown(of.handle(), Operator.COLUMN_RANGE);
    UnionLeaf terms = node == whole ? UnionPlanner.insteadOf(column, filter, context) : null;
    if (terms != null) {
      images.add(terms.image());
      return node.scored() ? new LeafNode.Constant(node.weight(), terms) : terms;
    }
    long[] ranges = filter.ranges(context);
    boolean takesSets = of.handle().device().info().knows(Operator.COLUMN_IN);
    int most = takesSets ? ColumnFilter.MAX_RANGES : MAX_RANGE_NODES;
    if (ranges == null || ranges.length > 2 * most) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "more than " + most + " ranges of field \"" + filter.field() + "\"");
    }
    ranges = ColumnNodes.clipped(ranges, column);
    int maxDoc = context.reader().maxDoc();
    LeafNode found =
        takesSets || ranges.length <= 2
            ? ColumnNodes.set(filter, column, ranges, node.weight(), maxDoc)
            : ColumnNodes.ranges(filter, column, ranges, node.weight(), maxDoc);
    return found(found, filter, of);
  }

  /** Returns the node of a filter: if that is null, what the filter is without a match. */
  private LeafNode found(LeafNode node, ColumnFilter filter, SegmentImage of)
      throws RefusedException, IOException {
    if (node == null) {
      return filter.hasSupplier(context) ? new LeafNode.None() : null;
    }
    images.add(of);
    return node;
  }

  private LeafNode bool(QueryNode.BoolNode bool) throws RefusedException, IOException {
    List<QueryNode.Clause> clauses = bool.clauses();
    LeafNode[] children = new LeafNode[clauses.size()];
    int count = 0;
    int should = 0;
    int required = 0;
    for (int i = 0; i < children.length; i++) {
      QueryNode.Clause clause = clauses.get(i);
      LeafNode child = lower(clause.node());
      Occur occur = clause.occur();
      boolean isRequired = occur == Occur.MUST || occur == Occur.FILTER;
      if (child == null) {
        if (isRequired) {
          return null;
        }
        continue;
      }
      child.setOccur(wireOccur(occur));
      children[count++] = child;
      required += isRequired ? 1 : 0;
      should += occur == Occur.SHOULD ? 1 : 0;
    }
    int minShould = bool.minShould();
    boolean allShould = should == minShould;
    if (allShould) {
      required += should;
      should = 0;
      minShould = 0;
    }
    if ((required == 0 && should == 0) || should < minShould) {
      return null;
    }
    boolean dropShould = !bool.scored() && minShould == 0 && required > 0;
    children = BooleanSimplifier.inOrder(children, count, allShould, dropShould);
    return BooleanSimplifier.combine(children, minShould, bool.scored());
  }

  private LeafNode disMax(QueryNode.DisMaxNode disMax) throws RefusedException, IOException {
    LeafNode[] children = new LeafNode[disMax.children().size()];
    int count = 0;
    for (QueryNode disjunct : disMax.children()) {
      LeafNode child = lower(disjunct);
      if (child != null) {
        child.setOccur(OffloadWire.Occur.SHOULD);
        children[count++] = child;
      }
    }
    LeafNode node = BooleanSimplifier.disMax(children, count, disMax.tieBreaker());
    if (node instanceof LeafNode.DisMax) {
      images.need(Operator.DIS_MAX);
    }
    return node;
  }

  /** Makes the node of synonyms: stock always has a supplier, and scores a lone term as such. */
  private LeafNode synonym(QueryNode.SynonymNode synonym) throws RefusedException, IOException {
    LeafNode[] terms = new LeafNode[synonym.terms().size()];
    int count = 0;
    long cost = 0;
    QueryNode.TermNode last = null;
    for (QueryNode.TermNode one : synonym.terms()) {
      LeafNode term = term(one);
      if (term instanceof TermLeaf) {
        term.setOccur(OffloadWire.Occur.SHOULD);
        terms[count++] = term;
        cost += term.cost();
        last = one;
      }
    }
    if (count == 0) {
      return new LeafNode.None();
    }
    if (count == 1 && last.weight() == 1f) {
      return term(
          new QueryNode.TermNode(last.term(), last.lookup(), synonym.table(), synonym.weight()));
    }
    images.need(Operator.SYNONYM);
    return new SynonymLeaf(
        ArrayUtil.copyOfSubArray(terms, 0, count), synonym.table(), synonym.weight(), cost);
  }

  /** Makes the node of combined fields; to count, any of the terms will do. */
  private LeafNode combined(QueryNode.CombinedNode combined) throws RefusedException, IOException {
    if (toCount) {
      List<QueryNode.Clause> clauses = new ArrayList<>(combined.terms().size());
      for (QueryNode.TermNode one : combined.terms()) {
        QueryNode term = new QueryNode.TermNode(one.term(), one.lookup(), null, 0f);
        clauses.add(new QueryNode.Clause(Occur.SHOULD, term));
      }
      return bool(new QueryNode.BoolNode(clauses, 0, false));
    }
    LeafNode[] terms = new LeafNode[combined.terms().size()];
    int count = 0;
    long cost = 0;
    DocSets sets = null;
    for (QueryNode.TermNode one : combined.terms()) {
      if (term(one) instanceof TermLeaf term) {
        term.setOccur(OffloadWire.Occur.SHOULD);
        terms[count++] = term;
        cost += term.cost();
        sets = DocSets.of(term.image().handle());
      }
    }
    if (count == 0) {
      return null;
    }
    LeafReader reader = context.reader();
    if (sets == null || !sets.hasRoomForNorms(reader.maxDoc())) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "the device keeps no norms of several fields of segment " + context.ord);
    }
    if (reader.getCoreCacheHelper() == null) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE, "segment " + context.ord + " does not say when it is closed");
    }
    docSets++;
    images.need(Operator.COMBINED);
    LeafNode[] found = ArrayUtil.copyOfSubArray(terms, 0, count);
    return new CombinedLeaf(combined, found, cost, reader);
  }

  private static int wireOccur(Occur occur) {
    return switch (occur) {
      case MUST -> OffloadWire.Occur.MUST;
      case FILTER -> OffloadWire.Occur.FILTER;
      case SHOULD -> OffloadWire.Occur.SHOULD;
      case MUST_NOT -> OffloadWire.Occur.MUST_NOT;
    };
  }
}
