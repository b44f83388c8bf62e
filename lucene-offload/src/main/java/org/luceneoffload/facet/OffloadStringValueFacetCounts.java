/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.facet.FacetResult;
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
  private final String field;
  private final List<LeafReaderContext> leaves;
  private final List<Count> terms;
  private final int[] counts;
  private final int total;

  /**
   * Counts the keywords of a field.
   *
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see StringValueFacetCounts
   */
  public OffloadStringValueFacetCounts(String field, OffloadFacetsCollector hits)
      throws IOException {
    super(field);
    this.field = field;
    leaves = hits.searcher().getLeafContexts();
    Aggregation<TermCounts> all = Aggregation.terms(field, Integer.MAX_VALUE);
    TermCounts found = hits.aggregate(all).get(all);
    terms = found.top().stream().sorted(Comparator.comparing(Count::term)).toList();
    counts = terms.stream().mapToInt(term -> Math.toIntExact(term.count())).toArray();
    total = Math.toIntExact(found.docs());
  }

  @Override
  int total() {
    return total;
  }

  @Override
  int[] counts() {
    return counts;
  }

  @Override
  String label(int i) {
    return terms.get(i).term().utf8ToString();
  }

  /** All keywords that matches have, in the order of terms. */
  @Override
  public FacetResult getAllChildren(String dim, String... path) {
    checkHasChildren(dim, path);
    return result(IntStream.range(0, counts.length).toArray());
  }

  /** The number of matches that have a keyword; -1 if the index does not have it. */
  @Override
  public Number getSpecificValue(String dim, String... path) throws IOException {
    checkDim(dim);
    if (path.length != 1) {
      throw new IllegalArgumentException("path must be one keyword, got " + List.of(path));
    }
    BytesRef keyword = new BytesRef(path[0]);
    int low = 0;
    int high = counts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (terms.get(middle).term().compareTo(keyword) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < counts.length && terms.get(low).term().equals(keyword)) {
      return counts[low];
    }
    for (LeafReaderContext leaf : leaves) {
      if (DocValues.getSortedSet(leaf.reader(), field).lookupTerm(keyword) >= 0) {
        return 0;
      }
    }
    return -1;
  }
}
