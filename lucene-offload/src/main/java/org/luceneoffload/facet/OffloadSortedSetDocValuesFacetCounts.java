/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PrimitiveIterator;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.FacetsConfig.DimConfig;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState.DimTree;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState.OrdRange;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.util.TopCounts;

/**
 * Twin of {@link SortedSetDocValuesFacetCounts}, and of the concurrent one: counts of labels by
 * dimension, flat or hierarchical, of fields that {@link
 * org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetField} wrote. For one thread.
 */
public final class OffloadSortedSetDocValuesFacetCounts extends Facets {
  /** The count of a dimension that the index does not tell. */
  private static final int UNKNOWN = -1;

  private static final Comparator<Dim> GREATEST_FIRST =
      Comparator.comparingInt(Dim::count).reversed().thenComparing(Dim::name);

  private final SortedSetDocValuesReaderState state;
  private final SortedSetDocValues values;

  /** By ordinal. */
  private final int[] counts;

  private final boolean anyMatch;

  /**
   * Counts all dimensions of a field.
   *
   * @param state of the reader that is searched
   * @param hits the matches
   * @throws IllegalStateException if the state is of another reader
   * @see SortedSetDocValuesFacetCounts#SortedSetDocValuesFacetCounts(SortedSetDocValuesReaderState,
   *     org.apache.lucene.facet.FacetsCollector)
   * @throws IOException if the index cannot be read
   */
  public OffloadSortedSetDocValuesFacetCounts(
      SortedSetDocValuesReaderState state, OffloadFacetsCollector hits) throws IOException {
    if (state.getReader() != hits.searcher().getIndexReader()) {
      throw new IllegalStateException(
          "the state is of another reader than the searcher's: make a state for each reader");
    }
    this.state = state;
    values = state.getDocValues();
    Aggregation<OrdinalCounts> all = Aggregation.ordinals(state.getField());
    AggregationResults found = hits.aggregate(all);
    counts = new int[state.getSize()];
    found
        .get(all)
        .addTo(
            counts,
            values instanceof MultiDocValues.MultiSortedSetDocValues several
                ? several.mapping
                : null);
    anyMatch = found.matches() > 0;
  }

  private DimConfig config(String dim) {
    return state.getFacetsConfig().getDimConfig(dim);
  }

  /**
   * A label and the ordinals right below it.
   *
   * @param ord of the label; of a flat dimension without a label of its own, that of its first one
   */
  private record Parent(int ord, PrimitiveIterator.OfInt children) {}

  /** Returns null if the index does not have it. */
  private Parent parent(String dim, String... path) throws IOException {
    DimConfig config = config(dim);
    if (config.hierarchical) {
      DimTree tree = state.getDimTree(dim);
      if (tree == null) {
        return null;
      }
      int ord =
          path.length == 0
              ? tree.dimStartOrd
              : (int) values.lookupTerm(new BytesRef(FacetsConfig.pathToString(dim, path)));
      return ord < 0 ? null : new Parent(ord, tree.iterator(ord));
    }
    if (path.length > 0) {
      throw new IllegalArgumentException(
          "dimension \"" + dim + "\" is not hierarchical, so the path must be empty");
    }
    OrdRange range = state.getOrdRange(dim);
    if (range == null) {
      return null;
    }
    PrimitiveIterator.OfInt children = range.iterator();
    if (hasOwnLabel(config)) {
      children.nextInt();
    }
    return new Parent(range.start(), children);
  }

  /** Returns whether a flat dimension has a label of its own, below which the others are. */
  private static boolean hasOwnLabel(DimConfig config) {
    return config.multiValued && config.requireDimCount;
  }

  /** A parent's children that have matches, and its own count. */
  private record Family(int count, int[] ords, int[] counts) {}

  private Family family(String dim, Parent parent) {
    int[] ords = {};
    int size = 0;
    int sum = 0;
    while (parent.children().hasNext()) {
      int ord = parent.children().nextInt();
      if (counts[ord] > 0) {
        ords = ArrayUtil.grow(ords, size + 1);
        ords[size++] = ord;
        sum += counts[ord];
      }
    }
    DimConfig config = config(dim);
    int count =
        config.hierarchical || hasOwnLabel(config)
            ? counts[parent.ord()]
            : config.multiValued ? UNKNOWN : sum;
    int[] found = Arrays.copyOf(ords, size);
    return new Family(count, found, Arrays.stream(found).map(ord -> counts[ord]).toArray());
  }

  /**
   * Returns the result of some children.
   *
   * @param children indexes
   */
  private FacetResult result(Family family, int[] children, String dim, String... path)
      throws IOException {
    LabelAndValue[] labels = new LabelAndValue[children.length];
    for (int i = 0; i < labels.length; i++) {
      BytesRef term = values.lookupOrd(family.ords()[children[i]]);
      String[] parts = FacetsConfig.stringToPath(term.utf8ToString());
      labels[i] = new LabelAndValue(parts[parts.length - 1], family.counts()[children[i]]);
    }
    return new FacetResult(dim, path, family.count(), labels, family.ords().length);
  }

  private FacetResult top(int topN, String dim, String... path) throws IOException {
    if (!anyMatch) {
      return null;
    }
    Parent parent = parent(dim, path);
    if (parent == null) {
      return null;
    }
    Family family = family(dim, parent);
    return family.ords().length == 0
        ? null
        : result(family, TopCounts.of(family.counts(), topN), dim, path);
  }

  @Override
  public FacetResult getTopChildren(int topN, String dim, String... path) throws IOException {
    validateTopN(topN);
    return top(topN, dim, path);
  }

  /**
   * Returns all children that have matches, in the order of terms; null if the index has no such
   * label.
   */
  @Override
  public FacetResult getAllChildren(String dim, String... path) throws IOException {
    Parent parent = parent(dim, path);
    if (parent == null || !anyMatch) {
      return null;
    }
    Family family = family(dim, parent);
    int[] children = new int[family.ords().length];
    for (int i = 0; i < children.length; i++) {
      children[i] = i;
    }
    return result(family, children, dim, path);
  }

  /** Returns the number of matches that have a label; -1 if the index does not have it. */
  @Override
  public Number getSpecificValue(String dim, String... path) throws IOException {
    if (!config(dim).hierarchical && path.length != 1) {
      throw new IllegalArgumentException(
          "dimension \"" + dim + "\" is not hierarchical, so the path must be one label");
    }
    long ord = values.lookupTerm(new BytesRef(FacetsConfig.pathToString(dim, path)));
    return ord < 0 ? -1 : counts[(int) ord];
  }

  @Override
  public List<FacetResult> getAllDims(int topN) throws IOException {
    validateTopN(topN);
    List<FacetResult> results = new ArrayList<>();
    for (String dim : state.getDims()) {
      FacetResult result = top(topN, dim);
      if (result != null) {
        results.add(result);
      }
    }
    results.sort(
        Comparator.comparingInt((FacetResult result) -> result.value.intValue())
            .reversed()
            .thenComparing(result -> result.dim));
    return results;
  }

  private record Dim(String name, int count) {}

  /**
   * Returns the dimensions of most matches. Those whose count the index does not tell come last,
   * with or without matches; null stands for one without.
   */
  @Override
  public List<FacetResult> getTopDims(int topNDims, int topNChildren) throws IOException {
    validateTopN(topNDims);
    validateTopN(topNChildren);
    List<Dim> dims = new ArrayList<>();
    if (anyMatch) {
      for (String dim : state.getDims()) {
        int count = family(dim, parent(dim)).count();
        if (count != 0) {
          dims.add(new Dim(dim, count));
        }
      }
    }
    dims.sort(GREATEST_FIRST);
    List<FacetResult> results = new ArrayList<>();
    for (Dim dim : dims.subList(0, Math.min(topNDims, dims.size()))) {
      results.add(top(topNChildren, dim.name()));
    }
    return results;
  }
}
