/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.LongValueFacetCounts;
import org.apache.lucene.facet.StringDocValuesReaderState;
import org.apache.lucene.facet.StringValueFacetCounts;
import org.apache.lucene.facet.range.DoubleRange;
import org.apache.lucene.facet.range.DoubleRangeFacetCounts;
import org.apache.lucene.facet.range.LongRange;
import org.apache.lucene.facet.range.LongRangeFacetCounts;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.IndexReader;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.facet.OffloadDoubleRangeFacetCounts;
import org.luceneoffload.facet.OffloadFacetsCollector;
import org.luceneoffload.facet.OffloadLongRangeFacetCounts;
import org.luceneoffload.facet.OffloadLongValueFacetCounts;
import org.luceneoffload.facet.OffloadSortedSetDocValuesFacetCounts;
import org.luceneoffload.facet.OffloadStringValueFacetCounts;
import org.luceneoffload.fuzz.generate.Schema;

/** Stock's facets, or our twins of them. */
public final class FacetProbes {
  private static final String[] NUMBERS = {
    Schema.NUMBER, Schema.POINT, Schema.UPDATED, Schema.NUMBERS, Schema.DOUBLES, "nofield"
  };

  private FacetProbes() {}

  /** Facets of one kind over one field. */
  public static List<String> facets(ProbedQuery asked, Random random) throws IOException {
    String number = NUMBERS[random.nextInt(NUMBERS.length)];
    int n = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
    return switch (random.nextInt(5)) {
      case 0 -> lines(values(asked, number), number, n);
      case 1 -> lines(longRanges(asked, number, random), number, n);
      case 2 -> lines(doubleRanges(asked, number, random), number, n);
      case 3 -> {
        String field = random.nextBoolean() ? Schema.STRING : Schema.KEYWORDS;
        yield lines(strings(asked, field), field, n);
      }
      default -> lines(labels(asked), "d" + random.nextInt(4), n);
    };
  }

  /** Children come in the order of labels where stock has none. */
  private static List<String> lines(Facets facets, String dim, int n) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(line(facets.getTopChildren(n, dim)));
    facets.getAllDims(n).forEach(result -> lines.add(line(result)));
    facets.getTopDims(2, n).forEach(result -> lines.add(line(result)));
    FacetResult all = facets.getAllChildren(dim);
    if (all != null) {
      lines.add(all.dim + " " + all.value + " " + all.childCount);
      Arrays.stream(all.labelValues).map(Object::toString).sorted().forEach(lines::add);
    }
    return lines;
  }

  private static String line(FacetResult result) {
    return result == null
        ? "null"
        : result.dim
            + Arrays.toString(result.path)
            + result.value
            + " "
            + result.childCount
            + Arrays.toString(result.labelValues);
  }

  /** The matches, for stock's facets; null if twins are asked. */
  private static FacetsCollector stock(ProbedQuery asked) throws IOException {
    return asked.searcher() instanceof OffloadIndexSearcher
        ? null
        : asked.searcher().search(asked.query(), new FacetsCollectorManager());
  }

  private static OffloadFacetsCollector ours(ProbedQuery asked) {
    return new OffloadFacetsCollector((OffloadIndexSearcher) asked.searcher(), asked.query());
  }

  private static Facets values(ProbedQuery asked, String field) throws IOException {
    FacetsCollector stock = stock(asked);
    return stock != null
        ? new LongValueFacetCounts(field, stock)
        : new OffloadLongValueFacetCounts(field, ours(asked));
  }

  private static Facets longRanges(ProbedQuery asked, String field, Random random)
      throws IOException {
    LongRange[] ranges = new LongRange[random.nextInt(5)];
    for (int i = 0; i < ranges.length; i++) {
      ValueRange range = AggregateProbes.range(random);
      ranges[i] = new LongRange("r" + i, range.min(), true, range.max(), true);
    }
    FacetsCollector stock = stock(asked);
    return stock != null
        ? new LongRangeFacetCounts(field, stock, ranges)
        : new OffloadLongRangeFacetCounts(field, ours(asked), ranges);
  }

  /** Whatever numbers a field has, their bits are doubles. */
  private static Facets doubleRanges(ProbedQuery asked, String field, Random random)
      throws IOException {
    DoubleRange[] ranges = new DoubleRange[random.nextInt(5)];
    boolean belowZero = random.nextBoolean();
    for (int i = 0; i < ranges.length; i++) {
      double one = end(random, belowZero);
      double other = end(random, belowZero);
      boolean inOrder = Double.compare(one, other) <= 0;
      ranges[i] =
          new DoubleRange("r" + i, inOrder ? one : other, true, inOrder ? other : one, true);
    }
    FacetsCollector stock = stock(asked);
    return stock != null
        ? new DoubleRangeFacetCounts(field, stock, ranges)
        : new OffloadDoubleRangeFacetCounts(field, ours(asked), ranges);
  }

  private static double end(Random random, boolean belowZero) {
    double end =
        switch (random.nextInt(4)) {
          case 0 -> Double.POSITIVE_INFINITY;
          case 1 -> Double.longBitsToDouble(random.nextInt(Schema.MAX_VALUE));
          case 2 -> 0.0;
          default -> Math.abs(random.nextGaussian());
        };
    return belowZero && random.nextBoolean() ? -end : end;
  }

  private static Facets strings(ProbedQuery asked, String field) throws IOException {
    FacetsCollector stock = stock(asked);
    IndexReader reader = asked.searcher().getIndexReader();
    return stock != null
        ? new StringValueFacetCounts(new StringDocValuesReaderState(reader, field), stock)
        : new OffloadStringValueFacetCounts(field, ours(asked));
  }

  private static Facets labels(ProbedQuery asked) throws IOException {
    FacetsCollector stock = stock(asked);
    SortedSetDocValuesReaderState state =
        new DefaultSortedSetDocValuesReaderState(
            asked.searcher().getIndexReader(), Schema.FACETS, new FacetsConfig());
    return stock != null
        ? new SortedSetDocValuesFacetCounts(state, stock)
        : new OffloadSortedSetDocValuesFacetCounts(state, ours(asked));
  }
}
