/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.LabelAndValue;

/** Counts of the values of one field, which is the only dimension: results and checks. */
abstract class FieldFacets extends Facets {
  private static final String[] NO_PATH = {};

  private final String field;

  FieldFacets(String field) {
    this.field = field;
  }

  /**
   * Returns a result.
   *
   * @param total matches that have a value
   * @param distinct different values of matches
   */
  final FacetResult result(long total, long distinct, LabelAndValue... values) {
    return new FacetResult(
        field, NO_PATH, Math.toIntExact(total), values, Math.toIntExact(distinct));
  }

  @Override
  public List<FacetResult> getAllDims(int topN) throws IOException {
    return List.of(getTopChildren(topN, field));
  }

  final void checkHasChildren(String dim, String... path) {
    checkDim(dim);
    if (path.length != 0) {
      throw new IllegalArgumentException(
          "path must be empty: values of field \"" + field + "\" have no children");
    }
  }

  final void checkDim(String dim) {
    if (!dim.equals(field)) {
      throw new IllegalArgumentException(
          "dim must be \"" + field + "\", the field that was counted; got \"" + dim + "\"");
    }
  }
}
