/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.LabelAndValue;

/** Counts of the values of one field, which is the only dimension. */
abstract class FieldFacets extends Facets {
  private static final String[] NO_PATH = {};

  private final String field;

  FieldFacets(String field) {
    this.field = field;
  }

  /** Matches that have a value. */
  abstract int total();

  /** Counts of values that have matches; of equal counts the first comes first in results. */
  abstract int[] counts();

  /** The label of value number {@code i}. */
  abstract String label(int i);

  final FacetResult result(int[] children) {
    LabelAndValue[] values = new LabelAndValue[children.length];
    for (int i = 0; i < children.length; i++) {
      values[i] = new LabelAndValue(label(children[i]), counts()[children[i]]);
    }
    return new FacetResult(field, NO_PATH, total(), values, counts().length);
  }

  @Override
  public FacetResult getTopChildren(int topN, String dim, String... path) {
    validateTopN(topN);
    checkHasChildren(dim, path);
    return result(TopChildren.of(counts(), topN));
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
