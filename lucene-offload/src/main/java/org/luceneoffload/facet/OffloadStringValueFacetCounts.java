/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.StringValueFacetCounts;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts.Count;
import org.luceneoffload.search.aggregate.keyword.KeywordCounts;

/**
 * Twin of {@link StringValueFacetCounts}: matches by keyword. It needs no reader state: what
 * ordinals segments have in common is found out when it pays, and kept until the reader is closed.
 */
public final class OffloadStringValueFacetCounts extends FieldFacets {
  private final String field;
  private final OffloadFacetsCollector hits;
  private final long docs;
  private final KeywordCounts counts;

  /**
   * Counts the keywords of a field.
   *
   * @param field name of the field
   * @param hits the matches
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see StringValueFacetCounts
   * @throws IOException if the index cannot be read
   */
  public OffloadStringValueFacetCounts(String field, OffloadFacetsCollector hits)
      throws IOException {
    super(field);
    this.field = field;
    this.hits = hits;
    Aggregation<OrdinalCounts> all = Aggregation.ordinals(field);
    OrdinalCounts found = hits.aggregate(all).get(all);
    docs = found.docs();
    counts = KeywordCounts.of(hits.searcher().getTopReaderContext(), field, found.segments());
  }

  private FacetResult result(List<Count> children) {
    return result(
        docs,
        counts.distinct(),
        children.stream()
            .map(
                count ->
                    new LabelAndValue(count.term().utf8ToString(), Math.toIntExact(count.count())))
            .toArray(LabelAndValue[]::new));
  }

  @Override
  public FacetResult getTopChildren(int topN, String dim, String... path) throws IOException {
    validateTopN(topN);
    checkHasChildren(dim, path);
    return result(counts.top(topN));
  }

  /** Returns all keywords that matches have, in the order of terms. */
  @Override
  public FacetResult getAllChildren(String dim, String... path) throws IOException {
    checkHasChildren(dim, path);
    return result(all().stream().sorted(Comparator.comparing(Count::term)).toList());
  }

  private List<Count> all() throws IOException {
    return counts.top(Integer.MAX_VALUE);
  }

  /** Returns the number of matches that have a keyword; -1 if the index does not have it. */
  @Override
  public Number getSpecificValue(String dim, String... path) throws IOException {
    checkDim(dim);
    if (path.length != 1) {
      throw new IllegalArgumentException("path must be one keyword, got " + List.of(path));
    }
    BytesRef keyword = new BytesRef(path[0]);
    for (Count count : all()) {
      if (count.term().equals(keyword)) {
        return Math.toIntExact(count.count());
      }
    }
    for (LeafReaderContext leaf : hits.searcher().getLeafContexts()) {
      if (DocValues.getSortedSet(leaf.reader(), field).lookupTerm(keyword) >= 0) {
        return 0;
      }
    }
    return -1;
  }
}
