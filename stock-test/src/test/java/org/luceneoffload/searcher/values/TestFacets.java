/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.LongValueFacetCounts;
import org.apache.lucene.facet.StringDocValuesReaderState;
import org.apache.lucene.facet.StringValueFacetCounts;
import org.apache.lucene.facet.range.DoubleRange;
import org.apache.lucene.facet.range.DoubleRangeFacetCounts;
import org.apache.lucene.facet.range.LongRange;
import org.apache.lucene.facet.range.LongRangeFacetCounts;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetField;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.Placement;
import org.luceneoffload.facet.OffloadDoubleRangeFacetCounts;
import org.luceneoffload.facet.OffloadFacetsCollector;
import org.luceneoffload.facet.OffloadLongRangeFacetCounts;
import org.luceneoffload.facet.OffloadLongValueFacetCounts;
import org.luceneoffload.facet.OffloadSortedSetDocValuesFacetCounts;
import org.luceneoffload.facet.OffloadStringValueFacetCounts;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;

/** Our twins of Lucene's facets have the results of Lucene's, in every detail. */
class TestFacets extends SearcherTestCase {
  private static final List<String> NUMBERS = List.of("long", "longs", "number", "nowhere");
  private static final List<String> DOUBLES = List.of("double", "doubles", "nowhere");
  private static final List<String> KEYWORDS = List.of("name", "tags", "group", "nowhere");
  private static final List<String> DIMS = List.of("colour", "size", "shape", "place", "none");
  private static final int[] TOPS = {1, 3, 1000};

  private static final long[] EXTREME = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1023, 1024, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static final double[] SPECIAL = {
    Double.NaN,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NEGATIVE_INFINITY,
    Double.POSITIVE_INFINITY
  };

  private static final LongRange[] LONG_RANGES = {
    new LongRange("few", -5, true, 5, false),
    new LongRange("all", Long.MIN_VALUE, true, Long.MAX_VALUE, true),
    new LongRange("one", 7, true, 7, true),
    new LongRange("great", 20, false, Long.MAX_VALUE, true)
  };

  private static final DoubleRange[] FROM_ZERO = {
    new DoubleRange("small", 0, true, 1, false),
    new DoubleRange("all", 0, true, Double.POSITIVE_INFINITY, true),
    new DoubleRange("one", 1, true, 1, true)
  };

  private static final DoubleRange[] ALSO_BELOW = {
    new DoubleRange("below", Double.NEGATIVE_INFINITY, true, 0, false),
    new DoubleRange("around", -1, true, 1, true),
    new DoubleRange("above", 0, true, Double.MAX_VALUE, true),
    new DoubleRange("zero", -0.0, true, 0.0, true),
    new DoubleRange("far", -1e9, false, -1e3, true)
  };

  private final FacetsConfig config = new FacetsConfig();

  TestFacets() {
    config.setMultiValued("size", true);
    config.setMultiValued("shape", true);
    config.setRequireDimCount("shape", true);
    config.setHierarchical("place", true);
    config.setMultiValued("place", true);
  }

  /** The last segment has none of the fields that not all documents have. */
  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    for (int i = 0; i < 20; i++) {
      Term some = new Term("id", Integer.toString(random.nextInt(documents())));
      writer.updateNumericDocValue(some, "long", number());
      writer.updateNumericDocValue(some, "double", Double.doubleToRawLongBits(fraction()));
    }
  }

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(4) > 0) {
        document.add(new NumericDocValuesField("long", number()));
        document.add(new DoubleDocValuesField("double", fraction()));
        document.add(new SortedDocValuesField("name", new BytesRef("n" + random.nextInt(count))));
        document.add(new SortedSetDocValuesFacetField("colour", "c" + random.nextInt(9)));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        document.add(new SortedNumericDocValuesField("longs", number()));
        long bits = Double.doubleToRawLongBits(fraction());
        document.add(new SortedNumericDocValuesField("doubles", bits));
        document.add(new SortedSetDocValuesField("tags", new BytesRef("t" + random.nextInt(30))));
        document.add(new SortedSetDocValuesFacetField("size", "s" + n + random.nextInt(50)));
        document.add(new SortedSetDocValuesFacetField("shape", "h" + n + random.nextInt(5)));
        String town = "t" + random.nextInt(8);
        document.add(new SortedSetDocValuesFacetField("place", "p" + n, town));
      }
      writer.addDocument(config.build(document));
    }
  }

  private long number() {
    return random.nextInt(5) == 0
        ? EXTREME[random.nextInt(EXTREME.length)]
        : random.nextInt(200) - 100;
  }

  private double fraction() {
    return random.nextInt(20) == 0
        ? SPECIAL[random.nextInt(SPECIAL.length)]
        : random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6);
  }

  private List<Query> queries() {
    List<Query> queries = new ArrayList<>(List.of(MatchAllDocsQuery.INSTANCE));
    queries.add(MatchNoDocsQuery.INSTANCE);
    queries.add(new TermQuery(new Term("body", "nowhere")));
    for (int i = 0; i < QuickRun.rounds(8); i++) {
      queries.add(words.query());
      queries.add(new TermQuery(new Term("body", words.word())));
    }
    return queries;
  }

  /** A question; its answer is a text. */
  @FunctionalInterface
  private interface Question {
    String ask(Facets facets) throws IOException;
  }

  private static String text(FacetResult result) {
    return result == null ? "null" : text(result, List.of(result.labelValues));
  }

  private static String texts(List<FacetResult> results) {
    return results.stream().map(TestFacets::text).toList().toString();
  }

  /** All of a result, with its labels in another order. */
  private static String text(FacetResult result, List<LabelAndValue> labels) {
    StringBuilder text = new StringBuilder();
    text.append(result.dim).append(Arrays.toString(result.path)).append(' ');
    text.append(result.value).append(result.value.getClass()).append(' ');
    text.append(result.childCount);
    for (LabelAndValue label : labels) {
      text.append('\n').append(label.label).append(' ').append(label.value);
      text.append(label.value.getClass()).append(' ').append(label.count);
    }
    return text.toString();
  }

  private static String sorted(FacetResult result) {
    return text(
        result,
        Arrays.stream(result.labelValues).sorted((a, b) -> a.label.compareTo(b.label)).toList());
  }

  private static void same(Facets stock, Facets ours, String what, Question question) {
    assertEquals(answer(stock, question), answer(ours, question), what);
  }

  private static String answer(Facets facets, Question question) {
    try {
      return question.ask(facets);
    } catch (IOException | RuntimeException e) {
      return e.getClass().toString();
    }
  }

  /** Compares what all facets are asked. */
  private static void same(Facets stock, Facets ours, String dim, boolean inOrder, String what) {
    for (int n : TOPS) {
      same(stock, ours, what, facets -> text(facets.getTopChildren(n, dim)));
      same(stock, ours, what, facets -> text(facets.getTopChildren(n, dim, "path")));
      same(stock, ours, what, facets -> texts(facets.getAllDims(n)));
      same(stock, ours, what, facets -> texts(facets.getTopDims(2, n)));
    }
    same(
        stock,
        ours,
        what,
        facets -> {
          FacetResult all = facets.getAllChildren(dim);
          return inOrder ? text(all) : sorted(all);
        });
    same(stock, ours, what, facets -> text(facets.getTopChildren(0, dim)));
    same(stock, ours, what, facets -> text(facets.getTopChildren(1, "else")));
    same(stock, ours, what, facets -> text(facets.getAllChildren("else")));
    same(stock, ours, what, facets -> text(facets.getAllChildren(dim, "path")));
    same(stock, ours, what, facets -> "" + facets.getSpecificValue(dim));
    same(stock, ours, what, facets -> "" + facets.getSpecificValue("else", "t1"));
    for (String path : List.of("t1", "t29", "n1", "nix", "c2", "s11", "h12", "p1")) {
      same(stock, ours, what, facets -> "" + facets.getSpecificValue(dim, path));
    }
  }

  private void sameForAll(DirectoryReader searched, OffloadIndexSearcher searcher)
      throws IOException {
    SortedSetDocValuesReaderState state =
        new DefaultSortedSetDocValuesReaderState(searched, config);
    for (Query query : queries()) {
      FacetsCollector stock = stock(searched).search(query, new FacetsCollectorManager());
      OffloadFacetsCollector hits = new OffloadFacetsCollector(searcher, query);
      for (String field : NUMBERS) {
        LongValueFacetCounts expected = new LongValueFacetCounts(field, stock);
        OffloadLongValueFacetCounts got = new OffloadLongValueFacetCounts(field, hits);
        same(expected, got, field, false, query + " " + field);
        assertEquals(
            text(expected.getAllChildrenSortByValue()), text(got.getAllChildrenSortByValue()));
        ranges(field, stock, hits, LONG_RANGES);
        ranges(field, stock, hits, LONG_RANGES[0]);
        ranges(field, stock, hits, new LongRange[0]);
      }
      for (String field : DOUBLES) {
        ranges(field, stock, hits, FROM_ZERO);
        ranges(field, stock, hits, ALSO_BELOW);
        ranges(field, stock, hits, new DoubleRange[0]);
      }
      for (String field : KEYWORDS) {
        Facets expected =
            new StringValueFacetCounts(new StringDocValuesReaderState(searched, field), stock);
        Facets got = new OffloadStringValueFacetCounts(field, hits);
        same(expected, got, field, false, query + " " + field);
      }
      sortedSet(
          new SortedSetDocValuesFacetCounts(state, stock),
          new OffloadSortedSetDocValuesFacetCounts(state, hits),
          query);
      // Stock's facets over our collector.
      assertEquals(
          new LongRangeFacetCounts("longs", stock, LONG_RANGES).toString(),
          new LongRangeFacetCounts("longs", hits, LONG_RANGES).toString());
    }
  }

  private static void ranges(
      String field, FacetsCollector stock, OffloadFacetsCollector hits, LongRange... ranges)
      throws IOException {
    Facets expected = new LongRangeFacetCounts(field, stock, ranges);
    Facets got = new OffloadLongRangeFacetCounts(field, hits, ranges);
    same(expected, got, field, true, field);
    assertEquals(expected.toString(), got.toString());
  }

  private static void ranges(
      String field, FacetsCollector stock, OffloadFacetsCollector hits, DoubleRange... ranges)
      throws IOException {
    Facets expected = new DoubleRangeFacetCounts(field, stock, ranges);
    Facets got = new OffloadDoubleRangeFacetCounts(field, hits, ranges);
    same(expected, got, field, true, field);
    assertEquals(expected.toString(), got.toString());
  }

  private static void sortedSet(Facets expected, Facets got, Query query) throws IOException {
    for (String dim : DIMS) {
      String what = query + " " + dim;
      if (got.getTopDims(DIMS.size(), 1).contains(null)) {
        // Stock's own assertion fails where it gives null for a dimension.
        same(expected, got, what, facets -> text(facets.getTopChildren(2, dim)));
      } else {
        same(expected, got, dim, true, what);
      }
      for (String path : List.of("p1", "p3", "p9")) {
        same(expected, got, what, facets -> text(facets.getTopChildren(3, dim, path)));
        same(expected, got, what, facets -> text(facets.getAllChildren(dim, path)));
        same(expected, got, what, facets -> "" + facets.getSpecificValue(dim, path, "t3"));
      }
    }
  }

  @Test
  void sameAsStock() throws IOException {
    onDevice(() -> sameForAll(reader, new OffloadIndexSearcher(reader)));
  }

  @Test
  void sameAsStockWithoutADevice() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(Placement.NEVER);
    onHost(() -> sameForAll(reader, searcher));
  }

  @Test
  void sameAsStockInSlices() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      OffloadIndexSearcher searcher = sliced(reader, executor);
      sameForAll(reader, searcher);
    }
  }

  @Test
  void sameAsStockOverASortedIndex() throws IOException {
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG, true));
    for (int segments : new int[] {1, 3}) {
      try (OffloadDirectory other = OffloadDirectory.open(home.resolve("s" + segments), DEVICE)) {
        try (IndexWriter writer = new IndexWriter(other, config().setIndexSort(sort))) {
          for (int i = 0; i < segments; i++) {
            add(writer, 300);
            writer.flush();
          }
        }
        try (DirectoryReader sorted = DirectoryReader.open(other)) {
          assertEquals(segments, sorted.leaves().size());
          sameForAll(sorted, new OffloadIndexSearcher(sorted));
          assertTrue(other.stats().get(Counter.LEAVES_OFFLOADED) > 0);
        }
      }
    }
  }

  /** One plan for each segment and facet, and no list of matches. */
  @Test
  void theDeviceCounts() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    OffloadFacetsCollector hits =
        new OffloadFacetsCollector(searcher, new TermQuery(new Term("body", "w0")));
    SortedSetDocValuesReaderState state = new DefaultSortedSetDocValuesReaderState(reader, config);
    List<Action> facets =
        List.of(
            () -> new OffloadLongValueFacetCounts("number", hits),
            () -> new OffloadLongRangeFacetCounts("longs", hits, LONG_RANGES),
            () -> new OffloadDoubleRangeFacetCounts("double", hits, ALSO_BELOW),
            () -> new OffloadDoubleRangeFacetCounts("doubles", hits, FROM_ZERO),
            () -> new OffloadStringValueFacetCounts("tags", hits),
            () -> new OffloadSortedSetDocValuesFacetCounts(state, hits));
    for (Action facet : facets) {
      long plans = stats().get(Counter.PLANS_EXECUTED);
      facet.run();
      assertEquals(reader.leaves().size(), stats().get(Counter.PLANS_EXECUTED) - plans);
    }
  }

  @Test
  void whatCannotBeCountedIsRefused() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    OffloadFacetsCollector hits = new OffloadFacetsCollector(searcher, MatchAllDocsQuery.INSTANCE);
    assertThrows(IllegalStateException.class, () -> new OffloadLongValueFacetCounts("group", hits));
    assertThrows(
        IllegalStateException.class, () -> new OffloadStringValueFacetCounts("number", hits));
    assertThrows(
        IllegalStateException.class,
        () -> new OffloadDoubleRangeFacetCounts("group", hits, ALSO_BELOW));
    assertThrows(
        UnsupportedOperationException.class, () -> hits.getLeafCollector(reader.leaves().get(0)));
    try (DirectoryReader other = DirectoryReader.open(directory)) {
      SortedSetDocValuesReaderState state = new DefaultSortedSetDocValuesReaderState(other, config);
      assertThrows(
          IllegalStateException.class, () -> new OffloadSortedSetDocValuesFacetCounts(state, hits));
    }
  }
}
