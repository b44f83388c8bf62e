/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.Weight;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.column.DeviceImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.compile.FlatRewrite;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryCacheRules;
import org.luceneoffload.search.compile.kind.QueryCompiler;
import org.luceneoffload.search.run.AggregateSearch;
import org.luceneoffload.search.run.AllDocsHits;
import org.luceneoffload.search.run.HostCount;
import org.luceneoffload.search.run.HostSearcher;
import org.luceneoffload.search.run.LeafCounter;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.search.run.SortSearch;
import org.luceneoffload.search.run.TopKSearch;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.UnsteadyScores;
import org.luceneoffload.search.sort.SortFieldKey;
import org.luceneoffload.search.weight.BooleanParts;
import org.luceneoffload.search.weight.ClauseGroup;
import org.luceneoffload.search.weight.GroupedWeight;
import org.luceneoffload.search.weight.OffloadWeight;
import org.luceneoffload.search.weight.WeightedQuery;
import org.luceneoffload.search.weight.WrappedWeight;
import org.luceneoffload.wire.OffloadWire;

/**
 * The offloading side of one searcher: what {@link org.luceneoffload.OffloadIndexSearcher} uses.
 */
public final class QueryOffloader {
  private final OffloadContext offload;
  private final SegmentImage home;

  private QueryOffloader(
      HostSearcher host, SegmentImage home, IndexedFields fields, Bm25Tables bm25) {
    this.offload = new OffloadContext(host, home.handle(), fields, bm25);
    this.home = home;
  }

  /** The part that may outlive the object that asks: it does not keep its searcher alive. */
  static final class Known {
    private final SegmentImage home;
    private final IndexedFields fields;
    private final Bm25Tables bm25 = new Bm25Tables();

    private Known(SegmentImage home, IndexSearcher searcher) {
      this.home = home;
      this.fields = new IndexedFields(searcher);
    }

    /**
     * Looks at the segments of a searcher.
     *
     * @return null if none was opened with a device
     */
    static Known of(IndexSearcher searcher, List<LeafReaderContext> leaves) throws IOException {
      for (LeafReaderContext leaf : leaves) {
        SegmentImage image = DeviceImages.any(leaf.reader());
        if (image != null && image.handle() != null) {
          return new Known(image, searcher);
        }
      }
      return null;
    }

    /** Returns the offloading side of the searcher. */
    QueryOffloader offloader(HostSearcher host) {
      return new QueryOffloader(host, home, fields, bm25);
    }

    OffloadOptions options() {
      return home.options();
    }
  }

  /**
   * Returns the offloading side of a searcher.
   *
   * @return null if no segment of its reader was opened with a device
   */
  public static QueryOffloader of(HostSearcher host, List<LeafReaderContext> leaves)
      throws IOException {
    Known known = Known.of(host.searcher(), leaves);
    return known == null ? null : known.offloader(host);
  }

  /** Returns whether any segment was written through the offload codec. */
  static boolean isAnyOurs(List<LeafReaderContext> leaves) throws IOException {
    for (LeafReaderContext leaf : leaves) {
      if (DeviceImages.any(leaf.reader()) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a segment was opened in strict mode but without a device.
   *
   * @param leaves leaves for which {@link #of} found no device
   */
  public static boolean isStrictWithoutDevice(List<LeafReaderContext> leaves) throws IOException {
    for (LeafReaderContext leaf : leaves) {
      SegmentImage image = DeviceImages.any(leaf.reader());
      if (image != null && image.options().strict()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the directory says that trouble is an error. */
  public boolean strictByDirectory() {
    return home.options().strict();
  }

  /** Returns who answers what the device can, as the directory says. */
  public Placement placementByDirectory() {
    return home.options().placement();
  }

  /** Returns the counters of the device. */
  public OffloadStats stats() {
    return offload.stats;
  }

  /**
   * Returns the weight of a query that runs on the device.
   *
   * @param partOfQuery whether the query is part of one that runs on the host; of those only
   *     Boolean queries are offloaded, since a lone term gains nothing
   * @return null if the stock weight has to do
   */
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost, boolean partOfQuery)
      throws IOException {
    if (partOfQuery && !OffloadWeight.isBoolean(query)) {
      return null;
    }
    OffloadWeight.Role role = partOfQuery ? OffloadWeight.Role.PART : OffloadWeight.Role.WHOLE;
    return isLeftToCache(query, scoreMode, role)
        ? null
        : createWeight(query, scoreMode, boost, role);
  }

  private boolean isLeftToCache(Query query, ScoreMode scoreMode, OffloadWeight.Role role) {
    boolean left =
        QueryCacheRules.ownPolicy(offload.host.searcher())
            && (!scoreMode.needsScores() || QueryCacheRules.hasUnscoredParts(query));
    if (left && !role.isPart()) {
      offload.refused(
          new Refusal(Refusal.Reason.QUERY_CACHE, QueryCompiler.nameOf(query.getClass())));
    }
    return left;
  }

  /**
   * Returns whether parts of a query that runs on the host may run on the device: not if that would
   * alter how stock comes by the scores of the others.
   */
  public boolean mayOffloadParts(Query query, ScoreMode scoreMode) {
    return !scoreMode.needsScores() || !UnsteadyScores.areIn(query);
  }

  /**
   * Returns the weight of a query that an application wrapped, for a searcher that is not of ours.
   *
   * @param wrapper wraps parts of a query that plans cannot express
   * @return null if the stock weight has to do
   */
  public Weight createWrappedWeight(
      Query query, ScoreMode scoreMode, float boost, UnaryOperator<Query> wrapper)
      throws IOException {
    IndexSearcher searcher = offload.host.searcher();
    Query known = scoreMode.needsScores() ? query : unscored(query);
    boolean leftToCache = isLeftToCache(known, scoreMode, OffloadWeight.Role.WRAPPED);
    Weight weight =
        leftToCache ? null : createWeight(known, scoreMode, boost, OffloadWeight.Role.WRAPPED);
    if (weight != null && known == query) {
      return weight;
    }
    if (weight == null) {
      boolean inParts = !leftToCache && mayOffloadParts(known, scoreMode);
      UnaryOperator<Query> parts = part -> BooleanParts.wrapParts(part, wrapper);
      weight = inParts ? createGroupedWeight(known, scoreMode, boost, parts) : null;
      Query host = weight == null && inParts ? parts.apply(known) : known;
      if (weight == null && host == query) {
        return null;
      }
      weight = weight != null ? weight : host.createWeight(searcher, scoreMode, boost);
    }
    return new WrappedWeight(offload.host, query, known, scoreMode, boost, weight);
  }

  /**
   * Returns the weight of a Boolean query of which plans can express some clauses: the device finds
   * what these match, and the host the others.
   *
   * @param query rewritten
   * @param inner makes a query of one in which a clause stands for those of the device
   * @return null if there are no such clauses
   */
  public Weight createGroupedWeight(
      Query query, ScoreMode scoreMode, float boost, UnaryOperator<Query> inner)
      throws IOException {
    if (query instanceof BoostQuery boosted) {
      return createGroupedWeight(boosted.getQuery(), scoreMode, boosted.getBoost() * boost, inner);
    }
    ClauseGroup group =
        query instanceof BooleanQuery bool ? ClauseGroup.of(bool, scoreMode.needsScores()) : null;
    if (group == null) {
      return null;
    }
    ScoreMode mode = group.isScored() ? scoreMode : ScoreMode.COMPLETE_NO_SCORES;
    OffloadWeight.Role role = OffloadWeight.Role.GROUP;
    BooleanQuery clauses = group.clauses();
    if (isLeftToCache(clauses, mode, role)
        || !(createWeight(clauses, mode, boost, role) instanceof OffloadWeight weight)) {
      return null;
    }
    Query around = inner.apply(group.around(new WeightedQuery(weight)));
    Weight in = around.createWeight(offload.host.searcher(), scoreMode, boost);
    return new GroupedWeight(
        offload.host, (BooleanQuery) query, clauses, scoreMode, boost, weight, in);
  }

  /**
   * Returns the query that stock makes of one whose scores are not needed: the key of its caches.
   */
  private Query unscored(Query query) throws IOException {
    Query constant = new ConstantScoreQuery(OffloadWeight.withoutScoreWrappers(query));
    Query rewritten = FlatRewrite.rewrite(constant);
    if (rewritten == null) {
      rewritten = offload.host.searcher().rewrite(constant);
    }
    return OffloadWeight.withoutScoreWrappers(rewritten);
  }

  /** Returns whether the host scores, sorts and aggregates what the device finds. */
  private boolean filtersOnly() {
    return offload.host.placement() == Placement.FILTER;
  }

  private Weight createWeight(
      Query query, ScoreMode scoreMode, float boost, OffloadWeight.Role role) throws IOException {
    boolean scored = scoreMode.needsScores();
    if (scored && filtersOnly()) {
      if (role.isPart() || !mayOffloadParts(query, scoreMode)) {
        return null;
      }
      scored = false;
    }
    int mode = scored ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
    Refusal quicker = role.isPart() ? null : offload.quickerByStock(query, mode);
    if (quicker != null) {
      offload.refused(quicker);
      return role == OffloadWeight.Role.WHOLE
          ? offload.host.createStockWeight(query, scoreMode, boost, true)
          : null;
    }
    try {
      CompiledQuery compiled = offload.compileIfExpressible(query, scored, boost);
      if (compiled == null) {
        if (!role.isPart()) {
          offload.refusedKind(query);
        }
        return null;
      }
      if (role == OffloadWeight.Role.GROUP && offload.isGroupQuickerByStock(compiled, scoreMode)) {
        return null;
      }
      offload.stats.increment(Counter.QUERIES_COMPILED);
      return new OffloadWeight(offload, compiled, scoreMode, boost, role);
    } catch (RefusedException e) {
      if (!role.isPart()) {
        offload.refused(e);
      }
      return null;
    }
  }

  /**
   * Compiles a rewritten query.
   *
   * @param mode what is asked for
   * @param prepared told why a collector has to take over
   * @return null if one has to
   */
  private CompiledQuery compiled(Query rewritten, boolean scored, int mode, PreparedQuery prepared)
      throws IOException {
    Refusal quicker = offload.quickerByStock(rewritten, mode);
    if (quicker != null) {
      prepared.setLeft(rewritten, quicker);
      return null;
    }
    try {
      CompiledQuery compiled = offload.compileIfExpressible(rewritten, scored, 1f);
      prepared.setRefused(compiled == null ? rewritten : null);
      return compiled;
    } catch (RefusedException e) {
      prepared.setRefused(null);
      return null;
    }
  }

  /** Counts a query that {@link PreparedQuery#isRefused}. */
  public void refused(Query query, PreparedQuery prepared) {
    if (prepared.left() != null) {
      offload.refused(prepared.left());
    } else {
      offload.refusedKind(query);
    }
  }

  /**
   * Returns the k best hits of a rewritten query.
   *
   * @param host the searcher that this was made of
   * @param prepared told if plans cannot express the query
   * @param after hits have to come after this one; null for the first ones
   * @param k hits wanted, at most the docs of the index
   * @param threshold matches to count exactly; Integer.MAX_VALUE: all
   * @return null if this has to go through a collector; nothing is counted then
   */
  public TopDocs topDocs(
      HostSearcher.Whole host,
      Query rewritten,
      ScoreDoc after,
      int k,
      int threshold,
      PreparedQuery prepared)
      throws IOException {
    if (filtersOnly()
        || (QueryCacheRules.ownPolicy(host.searcher())
            && QueryCacheRules.hasUnscoredParts(rewritten))) {
      return null;
    }
    TopDocs first = AllDocsHits.of(host.searcher(), rewritten, after, k, threshold);
    if (first != null) {
      offload.stats.increment(Counter.QUERIES_COMPILED);
      return first;
    }
    CompiledQuery compiled = compiled(rewritten, true, OffloadWire.Mode.TOP_K, prepared);
    if (compiled == null) {
      return null;
    }
    Refusal quicker = offload.quickerByStock(compiled, threshold);
    if (quicker != null) {
      prepared.setLeft(rewritten, quicker);
      return null;
    }
    TopDocs topDocs = new TopKSearch(offload, host, compiled, after, k, threshold).run();
    if (topDocs != null) {
      offload.stats.increment(Counter.QUERIES_COMPILED);
    }
    return topDocs;
  }

  /**
   * Returns the k best hits of a query by sort keys.
   *
   * @param host the searcher that this was made of
   * @param rewritten the query, rewritten for scores or without, as the sort needs them
   * @param sort rewritten
   * @param after hits have to come after this one; null for the first ones
   * @param k hits wanted, at most the docs of the index
   * @param threshold matches to count exactly; Integer.MAX_VALUE: all
   * @return null if this has to go through a collector; nothing is counted then
   */
  public TopFieldDocs sorted(
      HostSearcher.Whole host,
      Query rewritten,
      Sort sort,
      FieldDoc after,
      int k,
      int threshold,
      PreparedQuery prepared)
      throws IOException {
    List<SortFieldKey> fields = SortFieldKey.all(sort, after);
    boolean scored = sort.needsScores();
    if (fields == null
        || filtersOnly()
        || (QueryCacheRules.ownPolicy(host.searcher())
            && (!scored || QueryCacheRules.hasUnscoredParts(rewritten)))) {
      return null;
    }
    CompiledQuery compiled =
        compiled(rewritten, scored, OffloadWire.Mode.TOP_K_BY_COLUMN, prepared);
    if (compiled == null) {
      return null;
    }
    TopFieldDocs topDocs =
        new SortSearch(offload, host, compiled, sort, fields, after, k, threshold).run();
    if (topDocs != null) {
      offload.stats.increment(Counter.QUERIES_COMPILED);
    }
    return topDocs;
  }

  /**
   * Aggregates doc values of the matches of a query.
   *
   * @param host the searcher that this was made of
   * @param rewritten the query, rewritten for no scores
   * @return null if this has to go through a collector; nothing is counted then
   */
  public AggregationResults aggregate(
      HostSearcher.Whole host,
      Query rewritten,
      List<Aggregation<?>> aggregations,
      PreparedQuery prepared)
      throws IOException {
    if (filtersOnly() || QueryCacheRules.ownPolicy(host.searcher())) {
      return null;
    }
    CompiledQuery compiled = compiled(rewritten, false, OffloadWire.Mode.AGGREGATE, prepared);
    if (compiled == null) {
      return null;
    }
    AggregationResults results = new AggregateSearch(offload, host, compiled, aggregations).run();
    if (results != null) {
      offload.stats.increment(Counter.QUERIES_COMPILED);
    }
    return results;
  }

  /**
   * Returns the number of live matches of a rewritten query.
   *
   * @param host the searcher that this was made of
   * @param rewritten the query, rewritten for no scores or such that {@link
   *     FlatRewrite#countsAsItIs}
   * @return -1 if this has to go through a collector; nothing is counted then
   */
  public int count(HostSearcher.Whole host, Query rewritten, PreparedQuery prepared)
      throws IOException {
    IndexSearcher searcher = host.searcher();
    if (searcher.getTimeout() != null || QueryCacheRules.ownPolicy(searcher)) {
      // A count that is cut short is a matter between the collector and the timeout.
      return -1;
    }
    CompiledQuery compiled = compiled(rewritten, false, OffloadWire.Mode.COUNT, prepared);
    if (compiled == null) {
      return prepared.left() != null ? HostCount.of(offload, host, rewritten, prepared.left()) : -1;
    }
    offload.stats.increment(Counter.QUERIES_COMPILED);
    LeafSlice[] slices = searcher.getSlices();
    if (slices.length == 1) {
      return count(host, compiled, slices[0]);
    }
    List<Callable<Integer>> tasks = new ArrayList<>(slices.length);
    for (LeafSlice slice : slices) {
      tasks.add(() -> count(host, compiled, slice));
    }
    int sum = 0;
    for (int count : searcher.getTaskExecutor().invokeAll(tasks)) {
      sum += count;
    }
    return sum;
  }

  private int count(HostSearcher.Whole host, CompiledQuery compiled, LeafSlice slice)
      throws IOException {
    List<LeafReaderContext> segments = new ArrayList<>(slice.partitions.length);
    int sum = 0;
    for (LeafReaderContextPartition partition : slice.partitions) {
      // A segment in partitions is counted whole, with the first of them.
      int known = partition.minDocId == 0 ? compiled.quickCount(partition.ctx) : 0;
      if (known < 0) {
        segments.add(partition.ctx);
      } else {
        sum += known;
      }
    }
    LeafCounter counter = new LeafCounter(offload, compiled);
    counter.begin(segments);
    for (LeafReaderContext context : segments) {
      sum += count(host, compiled, counter, context);
    }
    return sum;
  }

  private int count(
      HostSearcher.Whole host,
      CompiledQuery compiled,
      LeafCounter counter,
      LeafReaderContext context)
      throws IOException {
    int count = counter.count(context);
    if (count >= 0) {
      return count;
    }
    if (counter.refusal() != null) {
      offload.leafOnHost(counter.refusal());
    }
    Query query = compiled.query();
    if (FlatRewrite.countsAsItIs(query)) {
      query = FlatRewrite.rewrite(new ConstantScoreQuery(query));
    }
    return HostCount.of(host, query, List.of(context));
  }

  /** Returns the plan of a rewritten query: where each segment runs, and why. */
  public PlanExplanation explain(Query original, Query rewritten, boolean scored)
      throws IOException {
    return PlanExplainer.explain(offload, original, rewritten, scored);
  }
}
