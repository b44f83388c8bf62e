/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;

/**
 * The matches of a query, for facets to count. Twins of this package have the device count them,
 * and no list of matches is made. Lucene's own {@link org.apache.lucene.facet.Facets} take it, too:
 * the first of them that asks makes it search, and it keeps what it finds.
 *
 * <pre class="prettyprint">
 * OffloadFacetsCollector hits = new OffloadFacetsCollector(searcher, query);
 * Facets prices = new OffloadLongRangeFacetCounts("price", hits, cheap, dear);
 * Facets brands = new OffloadStringValueFacetCounts("brand", hits);
 * Facets years = new FastTaxonomyFacetCounts(taxonomy, config, hits);
 * </pre>
 *
 * <p>Each of the facets asks the searcher; if {@link OffloadIndexSearcher#timedOut()} then, they
 * are about a part of the matches. For one thread.
 */
public final class OffloadFacetsCollector extends FacetsCollector {
  private final OffloadIndexSearcher searcher;
  private final Query query;
  private List<MatchingDocs> matchingDocs;

  /**
   * Takes a query, and who finds its matches.
   *
   * @param searcher what searches the index
   * @param query what the documents have to match
   */
  public OffloadFacetsCollector(OffloadIndexSearcher searcher, Query query) {
    this.searcher = Objects.requireNonNull(searcher, "searcher");
    this.query = Objects.requireNonNull(query, "query");
  }

  OffloadIndexSearcher searcher() {
    return searcher;
  }

  /** Aggregates all matches. */
  AggregationResults aggregate(Aggregation<?> aggregation) throws IOException {
    return searcher.aggregate(query, aggregation);
  }

  /**
   * Returns the matches of each segment, without scores. Searches when it is first called.
   *
   * @throws UncheckedIOException if the search fails
   */
  @Override
  public List<MatchingDocs> getMatchingDocs() {
    if (matchingDocs == null) {
      try {
        matchingDocs = searcher.search(query, new FacetsCollectorManager()).getMatchingDocs();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return matchingDocs;
  }

  /**
   * Refuses the segment, as this collector finds its matches itself.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  protected void doSetNextReader(LeafReaderContext context) {
    throw new UnsupportedOperationException(
        "an OffloadFacetsCollector finds its matches itself; search with a FacetsCollectorManager"
            + " instead");
  }
}
