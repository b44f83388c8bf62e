/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.PreparedQuery;
import org.luceneoffload.search.QueryOffloader;
import org.luceneoffload.search.SearchOverrides;
import org.luceneoffload.search.compile.FilteredRewrite;
import org.luceneoffload.search.compile.FlatRewrite;
import org.luceneoffload.search.nested.NestedSearch;
import org.luceneoffload.search.run.HostSearcher;
import org.luceneoffload.search.weight.WeightedQuery;
import org.luceneoffload.util.Text;

/**
 * An {@link IndexSearcher} that lets the device answer what it can. Every method returns what
 * {@link IndexSearcher} returns, to the bit: hits, order, scores, and counts that claim to be
 * exact. What the device cannot do, or fails to do, the host does; {@link OffloadStats} says how
 * often and why.
 *
 * <pre class="prettyprint">
 * try (Directory directory = OffloadDirectory.open(path, "sim");
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   IndexSearcher searcher = new OffloadIndexSearcher(reader);
 *   TopDocs hits = searcher.search(query, 10);
 * }
 * </pre>
 *
 * <p>A {@link org.apache.lucene.search.SearcherManager} makes such searchers if its {@link
 * org.apache.lucene.search.SearcherFactory} returns {@code new OffloadIndexSearcher(reader)}.
 * Applications that cannot choose the class of their searcher wrap queries instead: {@link
 * OffloadQuery}.
 *
 * <p>Over a reader whose segments have no posting images this is a plain {@link IndexSearcher}. A
 * subclass may override what one of {@link IndexSearcher} may, and is asked as that is; if it makes
 * weights or searches leaves in its own way, hits come through collectors.
 *
 * <p>For any number of threads. Nothing has to be closed: what is kept on the device for a reader
 * goes when the reader is closed.
 */
public class OffloadIndexSearcher extends IndexSearcher {
  private static final int TOTAL_HITS_THRESHOLD = 1000;

  private static final Refusal NO_DEVICE =
      new Refusal(Refusal.Reason.NO_DEVICE, "no segment was opened with one");

  private static final Refusal NEVER =
      new Refusal(Refusal.Reason.PLACEMENT, "placement is " + Placement.NEVER);

  /** How a thread creates weights. */
  private static final class Making {
    /** The parts of a query that runs on the host are being created. */
    private static final Making PARTS = new Making(null);

    /** Stock weights only. */
    private static final Making STOCK = new Making(null);

    private final PlannedSearch search; // hands its query over to a collector; null: none does

    private Making(PlannedSearch search) {
      this.search = search;
    }
  }

  // Stock's search and stock's weights call rewrite and createWeight of the searcher, on the same
  // thread, with arguments that are Lucene's alone, and applications override both: what was known
  // before such a call cannot become an argument of it. Null: what can be offloaded as a whole is.
  // A value that stayed would keep,
  // in the threads of a pool, the class loader of this class.
  private static final ThreadLocal<Making> MAKING = new ThreadLocal<>();

  final HostSearcher.Whole host = new Host();
  private final QueryOffloader offloader;
  private final boolean strictWithoutDevice;
  private static final ClassValue<SearchOverrides> OVERRIDES =
      SearchOverrides.below(OffloadIndexSearcher.class);

  final SearchOverrides overrides;
  private volatile boolean timedOut;
  private volatile Boolean strict;
  private volatile Placement placement;

  /**
   * Creates a searcher that runs on the calling thread.
   *
   * @param reader the index
   */
  public OffloadIndexSearcher(IndexReader reader) {
    this(reader, null);
  }

  /**
   * Creates a searcher that runs on an executor, one task for each slice of the index.
   *
   * @param reader the index
   * @param executor runs the slices; null: the calling thread
   */
  public OffloadIndexSearcher(IndexReader reader, Executor executor) {
    this(reader.getContext(), executor);
  }

  /**
   * Creates a searcher of a top-level context.
   *
   * @param context the top-level context of a reader
   */
  public OffloadIndexSearcher(IndexReaderContext context) {
    this(context, null);
  }

  /**
   * Creates a searcher of a top-level context that runs on an executor.
   *
   * @param context the top-level context of a reader
   * @param executor runs the slices; null: the calling thread
   */
  public OffloadIndexSearcher(IndexReaderContext context, Executor executor) {
    super(context, executor);
    try {
      offloader = QueryOffloader.of(host, leafContexts);
      strictWithoutDevice = offloader == null && QueryOffloader.isStrictWithoutDevice(leafContexts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    overrides = OVERRIDES.get(getClass());
    placement = offloader == null ? Placement.AUTO : offloader.placementByDirectory();
  }

  /**
   * Makes trouble with offloading an error (or not), whatever the directory's {@link
   * OffloadOptions#strict()} says: then a query that cannot run on the device is an {@link
   * UnsupportedOperationException} with the reason, and a device that fails an {@link
   * org.luceneoffload.wire.OffloadException}.
   *
   * @param strict whether trouble is an error
   */
  public void setStrict(boolean strict) {
    this.strict = strict;
  }

  /**
   * Sets who answers what the device can, whatever {@link OffloadOptions#placement()} says.
   *
   * @param placement from now on
   */
  public void setPlacement(Placement placement) {
    this.placement = Objects.requireNonNull(placement, "placement");
  }

  /** {@return who answers what the device can} */
  public Placement placement() {
    return placement;
  }

  /** Returns the offloading side; null if stock Lucene does everything. */
  QueryOffloader active() {
    return placement == Placement.NEVER ? null : offloader;
  }

  /** Sets how this thread creates weights from now on; returns what to set again at the end. */
  private static Making begin(Making making) {
    Making before = MAKING.get();
    MAKING.set(making);
    return before;
  }

  /** {@return the counters of the device; null if no segment has one} */
  public OffloadStats offloadStats() {
    return offloader == null ? null : offloader.stats();
  }

  @Override
  public TopDocs searchAfter(ScoreDoc after, Query query, int numHits) throws IOException {
    return topDocs(after, query, numHits, TOTAL_HITS_THRESHOLD);
  }

  /**
   * Finds the k best hits, as a search with {@link TopScoreDocCollectorManager} does.
   *
   * @param query what the documents have to match
   * @param k hits wanted
   * @param totalHitsThreshold matches to count exactly; Integer.MAX_VALUE: all of them
   * @return the hits
   * @throws IOException if the index cannot be read
   */
  public TopDocs topDocs(Query query, int k, int totalHitsThreshold) throws IOException {
    return topDocs(null, query, k, totalHitsThreshold);
  }

  private TopDocs topDocs(ScoreDoc after, Query query, int numHits, int threshold)
      throws IOException {
    int limit = docs();
    if (after != null && after.doc >= limit) {
      throw new IllegalArgumentException(
          "after.doc must be below the number of documents, " + limit + ", got " + after.doc);
    }
    PlannedSearch search = new PlannedSearch(this, query);
    TopDocs topDocs = search.hits(after, numHits, threshold);
    return topDocs != null
        ? topDocs
        : collect(
            search, new TopScoreDocCollectorManager(Math.min(numHits, limit), after, threshold));
  }

  /** Returns the number of documents of the index, at least 1. */
  int docs() {
    return Math.max(1, getIndexReader().maxDoc());
  }

  /** Collects the matches, where no plan does it. */
  <C extends Collector, T> T collect(PlannedSearch search, CollectorManager<C, T> manager)
      throws IOException {
    // A subclass that searches in its own way has to be asked, and finds its way back to here.
    return overrides.search() ? search(search.query(), manager) : handOver(search, manager);
  }

  private <C extends Collector, T> T handOver(PlannedSearch search, CollectorManager<C, T> manager)
      throws IOException {
    Making before = begin(new Making(search)); // maybe a collector's search in a search
    try {
      return super.search(search.query(), manager);
    } finally {
      MAKING.set(before);
    }
  }

  /** Returns what the search that calls this knows of its query; null if there is none. */
  private PreparedQuery prepared() {
    Making making = MAKING.get();
    PlannedSearch search = making == null ? null : making.search;
    return search == null || search.searcher != this ? null : search.prepared;
  }

  // Stock's searches with a sort go through a method that cannot be overridden.

  @Override
  public TopFieldDocs search(Query query, int n, Sort sort) throws IOException {
    return sorted(null, query, n, sort, false);
  }

  @Override
  public TopFieldDocs search(Query query, int n, Sort sort, boolean doDocScores)
      throws IOException {
    return sorted(null, query, n, sort, doDocScores);
  }

  @Override
  public TopDocs searchAfter(ScoreDoc after, Query query, int n, Sort sort) throws IOException {
    return searchAfter(after, query, n, sort, false);
  }

  @Override
  public TopFieldDocs searchAfter(
      ScoreDoc after, Query query, int numHits, Sort sort, boolean doDocScores) throws IOException {
    return after == null || after instanceof FieldDoc
        ? sorted((FieldDoc) after, query, numHits, sort, doDocScores)
        : super.searchAfter(after, query, numHits, sort, doDocScores);
  }

  private TopFieldDocs sorted(
      FieldDoc after, Query query, int numHits, Sort sort, boolean doDocScores) throws IOException {
    PlannedSearch search = new PlannedSearch(this, query);
    boolean refused = after != null && after.doc >= docs(); // stock says so
    TopFieldDocs topDocs =
        refused ? null : search.sorted(after, numHits, sort, TOTAL_HITS_THRESHOLD);
    if (topDocs == null) {
      return super.searchAfter(after, search.query(), numHits, sort, doDocScores);
    }
    if (doDocScores) {
      TopFieldCollector.populateScores(topDocs.scoreDocs, this, query);
    }
    return topDocs;
  }

  /**
   * Collects the matches of a query. What some managers ask for the device answers where it can,
   * without collecting: {@link TopScoreDocCollectorManager}, {@link
   * org.apache.lucene.search.TopFieldCollectorManager}, which then has no collectors to show,
   * {@link org.apache.lucene.search.TotalHitCountCollectorManager}, {@link
   * OffloadTopFieldCollectorManager}, {@link OffloadHistogramCollectorManager}, and these in a
   * {@link org.apache.lucene.search.MultiCollectorManager}, whose other managers then collect by
   * themselves.
   */
  @Override
  @SuppressWarnings("unchecked") // each of the managers gets what it makes itself
  public <C extends Collector, T> T search(Query query, CollectorManager<C, T> manager)
      throws IOException {
    PlannedSearch search = new PlannedSearch(this, query);
    Object result = search.managed(manager);
    return result != null ? (T) result : handOver(search, manager);
  }

  @Override
  @Deprecated
  public void search(Query query, Collector collector) throws IOException {
    Making before = begin(null);
    try {
      super.search(query, collector);
    } finally {
      MAKING.set(before);
    }
  }

  /**
   * Aggregates doc values over the matches of a query that are not deleted: the device does all of
   * it in one pass over each segment. What it cannot do, or fails to do, the host does, with the
   * same numbers. If {@link #timedOut()} then, the numbers are about some of the matches only.
   *
   * <pre class="prettyprint">
   * Aggregation&lt;LongStats&gt; prices = Aggregation.stats("price");
   * Aggregation&lt;TermCounts&gt; brands = Aggregation.terms("brand", 10);
   * AggregationResults results = searcher.aggregate(query, prices, brands);
   * long sum = results.get(prices).sum();
   * </pre>
   *
   * <p>With {@link Aggregation#statsOfDoubles} among the aggregations, segments are searched one
   * after the other; else slices are searched on the searcher's executor.
   *
   * @param query what the documents have to match
   * @param aggregations what is asked, at least one
   * @return the results, of the kind that each aggregation asks for
   * @throws IllegalStateException if a segment has doc values of another kind in a field, or if a
   *     histogram has more buckets than allowed
   * @throws UnsupportedOperationException in strict mode, if the query cannot run on the device
   * @throws IOException if the index cannot be read
   */
  public AggregationResults aggregate(Query query, Aggregation<?>... aggregations)
      throws IOException {
    return aggregate(query, List.of(aggregations));
  }

  /**
   * Returns the best hits of a query, of each value of a field the best one alone. The device finds
   * the best hits; if these have too few values, it finds the best ones of all others.
   *
   * @param query what the documents have to match
   * @param field of keywords or whole numbers, at most one in each document
   * @param n hits wanted, at least 1
   * @return the best ones, the best first, each with another value, a {@link
   *     org.apache.lucene.util.BytesRef} or {@link Long}, as the one of its fields; documents
   *     without one count as having one in common, null
   * @throws IllegalArgumentException if a hit has several values
   * @throws IllegalStateException if the field has doc values of another kind
   * @throws IOException if the index cannot be read
   */
  public List<FieldDoc> collapse(Query query, CombinedField field, int n) throws IOException {
    return Collapse.search(this, query, field, n);
  }

  private AggregationResults aggregate(Query query, List<Aggregation<?>> aggregations)
      throws IOException {
    return NestedSearch.isPlain(aggregations)
        ? new PlannedSearch(this, query).aggregate(aggregations)
        : new NestedSearch(new PlannedPasses(this)).run(query, aggregations);
  }

  @Override
  public Query rewrite(Query original) throws IOException {
    PreparedQuery known = prepared();
    if (known != null && known.isRewritten(original)) {
      return original;
    }
    // This searcher needs no telling what to offload, if it is all of the query.
    if (original instanceof OffloadQuery wrapper) {
      return rewrite(wrapper.getQuery());
    }
    if (original instanceof ConstantScoreQuery constant
        && constant.getQuery() instanceof OffloadQuery wrapper) {
      return rewrite(new ConstantScoreQuery(wrapper.getQuery()));
    }
    Query rewritten = null;
    if (active() != null) {
      Query flat = FlatRewrite.rewrite(original);
      rewritten = flat != null ? flat : FilteredRewrite.rewrite(this, original);
    }
    return rewritten != null ? rewritten : super.rewrite(original);
  }

  @Override
  public int count(Query query) throws IOException {
    Integer count = overrides.count() ? null : new PlannedSearch(this, query).count();
    return count != null ? count : super.count(query);
  }

  @Override
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
    if (offloader == null && placement != Placement.NEVER) {
      checkMayRunOnHost();
    }
    QueryOffloader active = active();
    Making making = MAKING.get();
    if (active == null || making == Making.STOCK) {
      return super.createWeight(query, scoreMode, boost);
    }
    if (query instanceof WeightedQuery made) {
      return made.weight();
    }
    boolean part = making == Making.PARTS;
    PreparedQuery known = part ? null : prepared();
    if (known != null && known.isRefused(query)) {
      active.refused(query, known);
    } else {
      Weight weight = active.createWeight(query, scoreMode, boost, part);
      if (weight != null) {
        return weight;
      }
    }
    boolean left = known != null && known.isLeft(query);
    boolean offloadParts = part || (!left && active.mayOffloadParts(query, scoreMode));
    Making before = begin(offloadParts ? Making.PARTS : Making.STOCK);
    try {
      Weight grouped =
          offloadParts
              ? active.createGroupedWeight(query, scoreMode, boost, UnaryOperator.identity())
              : null;
      return grouped != null
          ? cached(grouped, scoreMode)
          : super.createWeight(query, scoreMode, boost);
    } finally {
      MAKING.set(before);
    }
  }

  /** Puts the cache around a weight, as stock does. */
  private Weight cached(Weight weight, ScoreMode scoreMode) {
    QueryCache cache = getQueryCache();
    return scoreMode.needsScores() || cache == null
        ? weight
        : cache.doCache(weight, getQueryCachingPolicy());
  }

  /**
   * Searches a segment with stock weights: a weight of a prefix or a set rewrites its query for
   * each segment, and creates weights in here, which stay stock.
   */
  @Override
  protected void searchLeaf(
      LeafReaderContext context, int minDoc, int maxDoc, Weight weight, Collector collector)
      throws IOException {
    Making before = begin(Making.STOCK);
    try {
      super.searchLeaf(context, minDoc, maxDoc, weight, collector);
    } finally {
      MAKING.set(before);
    }
  }

  /**
   * Explains with stock weights throughout: the explanation of a prohibited clause says what its
   * scorer makes of the doc, although no scores were asked for.
   */
  @Override
  public Explanation explain(Query query, int doc) throws IOException {
    Making before = begin(Making.STOCK);
    try {
      return super.explain(query, doc);
    } finally {
      MAKING.set(before);
    }
  }

  /**
   * Checks that the host may search where there is no device at all; every search makes a weight,
   * and so comes here.
   */
  private void checkMayRunOnHost() {
    Boolean own = strict;
    if ((own != null ? own : strictWithoutDevice) && !getLeafContexts().isEmpty()) {
      throw new UnsupportedOperationException("not offloaded: " + NO_DEVICE);
    }
  }

  @Override
  public boolean timedOut() {
    return timedOut || super.timedOut();
  }

  /**
   * Explains where a search for the best hits of a query would run, segment by segment, and why.
   *
   * @param query the query, not yet rewritten
   * @return what was found for each segment
   * @throws IOException if the index cannot be read
   */
  public PlanExplanation explainPlan(Query query) throws IOException {
    Query rewritten = rewrite(query);
    QueryOffloader active = active();
    if (active == null) {
      Refusal refusal = offloader == null ? NO_DEVICE : NEVER;
      return new PlanExplanation(Text.of(query), Text.of(rewritten), true, refusal, List.of());
    }
    return active.explain(query, rewritten, true);
  }

  /** The stock side of this searcher. */
  private final class Host implements HostSearcher.Whole {
    @Override
    public IndexSearcher searcher() {
      return OffloadIndexSearcher.this;
    }

    @Override
    public Weight createStockWeight(Query query, ScoreMode scoreMode, float boost, boolean cached)
        throws IOException {
      Making before = begin(Making.STOCK);
      try {
        return cached
            ? OffloadIndexSearcher.super.createWeight(query, scoreMode, boost)
            : query.createWeight(OffloadIndexSearcher.this, scoreMode, boost);
      } finally {
        MAKING.set(before);
      }
    }

    @Override
    public void searchLeafStock(
        LeafReaderContext context, int minDoc, int maxDoc, Weight weight, Collector collector)
        throws IOException {
      searchLeaf(context, minDoc, maxDoc, weight, collector);
    }

    @Override
    public void markTimedOut() {
      timedOut = true;
    }

    @Override
    public Placement placement() {
      return placement;
    }

    @Override
    public boolean strict() {
      Boolean own = strict;
      if (own != null) {
        return own;
      }
      return offloader == null ? strictWithoutDevice : offloader.strictByDirectory();
    }
  }
}
