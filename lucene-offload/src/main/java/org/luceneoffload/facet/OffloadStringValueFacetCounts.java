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
import org.luceneoffload.aggregate.TermCounts;
import org.luceneoffload.aggregate.TermCounts.Count;

/**
 * Twin of {@link StringValueFacetCounts}: matches by keyword. It needs no reader state; keywords of
 * different segments are brought together by their bytes.
 */
public final class OffloadStringValueFacetCounts extends FieldFacets {
  /** Keywords that are looked up at first: most who ask want no more. */
  private static final int FIRST = 32;

  private final String field;
  private final OffloadFacetsCollector hits;
  private TermCounts found;

  /**
   * Counts the keywords of a field. Who then asks for many of them has the device count again.
   *
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see StringValueFacetCounts
   */
  public OffloadStringValueFacetCounts(String field, OffloadFacetsCollector hits)
      throws IOException {
    super(field);
    this.field = field;
    this.hits = hits;
    found = count(FIRST);
  }

  private TermCounts count(int n) throws IOException {
    Aggregation<TermCounts> terms = Aggregation.terms(field, n);
    return hits.aggregate(terms).get(terms);
  }

  /** The commonest keywords, {@code n} of them or all. */
  private List<Count> top(int n) throws IOException {
    long wanted = Math.min(n, found.distinct());
    if (wanted > found.top().size()) {
      found = count(n);
    }
    return found.top().subList(0, (int) wanted);
  }

  private FacetResult result(List<Count> counts) {
    return result(
        found.docs(),
        found.distinct(),
        counts.stream()
            .map(
                count ->
                    new LabelAndValue(count.term().utf8ToString(), Math.toIntExact(count.count())))
            .toArray(LabelAndValue[]::new));
  }

  @Override
  public FacetResult getTopChildren(int topN, String dim, String... path) throws IOException {
    validateTopN(topN);
    checkHasChildren(dim, path);
    return result(top(topN));
  }

  /** All keywords that matches have, in the order of terms. */
  @Override
  public FacetResult getAllChildren(String dim, String... path) throws IOException {
    checkHasChildren(dim, path);
    return result(
        top(Integer.MAX_VALUE).stream().sorted(Comparator.comparing(Count::term)).toList());
  }

  /** The number of matches that have a keyword; -1 if the index does not have it. */
  @Override
  public Number getSpecificValue(String dim, String... path) throws IOException {
    checkDim(dim);
    if (path.length != 1) {
      throw new IllegalArgumentException("path must be one keyword, got " + List.of(path));
    }
    BytesRef keyword = new BytesRef(path[0]);
    for (Count count : top(Integer.MAX_VALUE)) {
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
