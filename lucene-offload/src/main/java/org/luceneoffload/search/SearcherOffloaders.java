/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.run.HostSearcher;
import org.luceneoffload.util.WeakKeyCache;

/**
 * The knowledge about a searcher that is not of ours, found when it first meets a {@link
 * org.luceneoffload.OffloadQuery} and kept until it is collected or its reader is closed. It does
 * not refer to the searcher.
 */
public final class SearcherOffloaders {
  /** By open reader, what is known of its searchers. */
  private static final Map<IndexReader.CacheKey, WeakKeyCache<IndexSearcher, SearcherOffloaders>>
      OPEN = new ConcurrentHashMap<>();

  private final QueryOffloader.Known known; // null: no segment has a device
  private final boolean indexIsOurs;
  private final boolean strictWithoutDevice;

  private SearcherOffloaders(IndexSearcher searcher) throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    this.known = QueryOffloader.Known.of(searcher, leaves);
    this.indexIsOurs = known != null || QueryOffloader.isAnyOurs(leaves);
    this.strictWithoutDevice = known == null && QueryOffloader.isStrictWithoutDevice(leaves);
  }

  /** Returns what is known of a searcher; never null. */
  public static SearcherOffloaders of(IndexSearcher searcher) throws IOException {
    IndexReader.CacheHelper helper = helper(searcher);
    WeakKeyCache<IndexSearcher, SearcherOffloaders> searchers =
        helper == null ? null : searchers(helper);
    return searchers == null
        ? new SearcherOffloaders(searcher)
        : searchers.get(searcher, SearcherOffloaders::new);
  }

  /** Tells when the reader is closed, or its first segment that can tell; null if none can. */
  private static IndexReader.CacheHelper helper(IndexSearcher searcher) {
    IndexReader.CacheHelper helper = searcher.getIndexReader().getReaderCacheHelper();
    if (helper != null) {
      return helper;
    }
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      helper = leaf.reader().getReaderCacheHelper();
      if (helper != null) {
        return helper;
      }
    }
    return null;
  }

  /** Returns the searchers of an open reader; null if it is closed. */
  private static WeakKeyCache<IndexSearcher, SearcherOffloaders> searchers(
      IndexReader.CacheHelper helper) {
    WeakKeyCache<IndexSearcher, SearcherOffloaders> searchers = OPEN.get(helper.getKey());
    if (searchers != null) {
      return searchers;
    }
    WeakKeyCache<IndexSearcher, SearcherOffloaders> added = new WeakKeyCache<>();
    searchers = OPEN.putIfAbsent(helper.getKey(), added);
    if (searchers != null) {
      return searchers;
    }
    try {
      helper.addClosedListener(OPEN::remove);
      return added;
    } catch (AlreadyClosedException e) {
      OPEN.remove(helper.getKey());
      return null;
    }
  }

  /** Returns the number of readers whose searchers are known, for tests. */
  static int openReaders() {
    return OPEN.size();
  }

  /** Returns whether any segment was written through the offload codec, device or not. */
  public boolean indexIsOurs() {
    return indexIsOurs;
  }

  /**
   * Returns the offloading side; null if stock Lucene does everything.
   *
   * @param searcher the searcher that this is about
   */
  public QueryOffloader active(IndexSearcher searcher) {
    if (strictWithoutDevice) {
      throw new UnsupportedOperationException(
          "not offloaded: " + Refusal.Reason.NO_DEVICE.text() + ": no segment was opened with one");
    }
    return known == null || known.options().placement() == Placement.NEVER
        ? null
        : known.offloader(new Host(searcher, known));
  }

  /** A searcher that knows nothing of this. */
  private record Host(IndexSearcher searcher, QueryOffloader.Known known) implements HostSearcher {
    @Override
    public Weight createStockWeight(Query query, ScoreMode scoreMode, float boost, boolean cached)
        throws IOException {
      // A cache, if there is one, is around the weight that asks for this.
      return query.createWeight(searcher, scoreMode, boost);
    }

    @Override
    public Placement placement() {
      return known.options().placement();
    }

    @Override
    public boolean strict() {
      return known.options().strict();
    }
  }
}
