/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.run.HostSearcher;

/**
 * The offloading side of searchers that are not of ours, made when one of them first meets a {@link
 * org.luceneoffload.OffloadQuery} and kept as long as garbage collection lets it.
 */
public final class SearcherOffloaders {
  // An offloading side holds its searcher, so a strong value would keep its own weak key alive.
  private static final Map<IndexSearcher, WeakReference<SearcherOffloaders>> KNOWN =
      new WeakHashMap<>();

  private final IndexSearcher searcher;
  private final QueryOffloader offloader;
  private final boolean indexIsOurs;
  private final boolean strictWithoutDevice;

  private SearcherOffloaders(IndexSearcher searcher) throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    this.searcher = searcher;
    this.offloader = QueryOffloader.of(new Host(), leaves);
    this.indexIsOurs = offloader != null || QueryOffloader.isAnyOurs(leaves);
    this.strictWithoutDevice = offloader == null && QueryOffloader.isStrictWithoutDevice(leaves);
  }

  /** What there is for a searcher; never null. */
  public static SearcherOffloaders of(IndexSearcher searcher) throws IOException {
    synchronized (KNOWN) {
      WeakReference<SearcherOffloaders> reference = KNOWN.get(searcher);
      SearcherOffloaders known = reference == null ? null : reference.get();
      // A searcher may say that it equals another one; its statistics are its own all the same.
      if (known == null || known.searcher != searcher) {
        known = new SearcherOffloaders(searcher);
        KNOWN.put(searcher, new WeakReference<>(known));
      }
      return known;
    }
  }

  /** Whether any segment was written through the offload codec, device or not. */
  public boolean indexIsOurs() {
    return indexIsOurs;
  }

  /** The offloading side; null if stock Lucene does everything. */
  public QueryOffloader active() {
    if (strictWithoutDevice) {
      throw new UnsupportedOperationException(
          "not offloaded: " + Refusal.Reason.NO_DEVICE.text() + ": no segment was opened with one");
    }
    return offloader == null || offloader.placementByDirectory() == Placement.NEVER
        ? null
        : offloader;
  }

  /** A searcher that knows nothing of this. */
  private final class Host implements HostSearcher {
    @Override
    public IndexSearcher searcher() {
      return searcher;
    }

    @Override
    public Weight createStockWeight(Query query, ScoreMode scoreMode, float boost, boolean cached)
        throws IOException {
      // A cache, if there is one, is around the weight that asks for this.
      return query.createWeight(searcher, scoreMode, boost);
    }

    @Override
    public Placement placement() {
      return offloader.placementByDirectory();
    }

    @Override
    public boolean strict() {
      return offloader.strictByDirectory();
    }
  }
}
