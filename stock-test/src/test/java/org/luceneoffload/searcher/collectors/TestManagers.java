/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.sandbox.facet.plain.histograms.HistogramCollectorManager;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadHistogramCollectorManager;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadTopFieldCollectorManager;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** Our twins of Lucene's collector managers have the results of Lucene's, under any searcher. */
class TestManagers extends SearcherTestCase {
  private static final List<Sort> SORTS =
      List.of(
          new Sort(new SortField("number", SortField.Type.LONG, true), SortField.FIELD_SCORE),
          new Sort(SortField.FIELD_SCORE, new SortField("long", SortField.Type.LONG)),
          new Sort(SortField.FIELD_DOC),
          new Sort(new SortField("group", SortField.Type.STRING)));

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(4) > 0) {
        document.add(new NumericDocValuesField("long", random.nextInt(200) - 100));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        long value = random.nextInt(9) == 0 ? random.nextLong() : random.nextInt(60) - 30;
        document.add(new SortedNumericDocValuesField("longs", value));
      }
      writer.addDocument(document);
    }
  }

  private List<IndexSearcher> searchers(ExecutorService executor) {
    List<IndexSearcher> searchers = new ArrayList<>();
    searchers.add(stock(reader));
    searchers.add(new OffloadIndexSearcher(reader));
    searchers.add(sliced(reader, executor));
    return searchers;
  }

  private List<Query> queries() {
    List<Query> queries = new ArrayList<>(List.of(MatchAllDocsQuery.INSTANCE));
    queries.add(Words.term("nowhere"));
    for (int i = 0; i < 10; i++) {
      queries.add(words.query());
      queries.add(Words.term(words.word()));
    }
    return queries;
  }

  @Test
  void sortedHits() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      for (IndexSearcher searcher : searchers(executor)) {
        for (Query query : queries()) {
          for (Sort sort : SORTS) {
            sortedHits(searcher, query, sort);
          }
        }
      }
    }
  }

  private void sortedHits(IndexSearcher searcher, Query query, Sort sort) throws IOException {
    int exact = stock(reader).count(query);
    for (int threshold : new int[] {1, 50, Integer.MAX_VALUE}) {
      FieldDoc after = null;
      for (int page = 0; page < 3; page++) {
        TopFieldDocs expected =
            stock(reader)
                .search(query, new TopFieldCollectorManager(sort, 8, after, Integer.MAX_VALUE));
        for (TopFieldCollectorManager manager :
            List.of(
                new OffloadTopFieldCollectorManager(sort, 8, after, threshold),
                new TopFieldCollectorManager(sort, 8, after, threshold))) {
          TopFieldDocs got = searcher.search(query, manager);
          Answers.sameTop(expected, got, exact, threshold, query + " " + sort);
          assertEquals(List.of(expected.fields), List.of(got.fields));
        }
        int count = expected.scoreDocs.length;
        after = count == 0 ? after : (FieldDoc) expected.scoreDocs[count - 1];
      }
    }
  }

  @Test
  void histograms() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      for (IndexSearcher searcher : searchers(executor)) {
        for (Query query : queries()) {
          for (String field : List.of("number", "long", "longs", "nowhere")) {
            for (long width : new long[] {2, 7, Long.MAX_VALUE}) {
              assertEquals(
                  stock(reader).search(query, new HistogramCollectorManager(field, width, 10_000)),
                  searcher.search(
                      query, new OffloadHistogramCollectorManager(field, width, 10_000)),
                  query + " " + field + " " + width);
            }
          }
        }
        assertThrows(
            IllegalStateException.class,
            () ->
                searcher.search(
                    MatchAllDocsQuery.INSTANCE,
                    new OffloadHistogramCollectorManager("number", 2, 9)));
        assertThrows(
            IllegalStateException.class,
            () ->
                searcher.search(
                    MatchAllDocsQuery.INSTANCE, new OffloadHistogramCollectorManager("group", 2)));
      }
    }
    assertThrows(
        IllegalArgumentException.class, () -> new OffloadHistogramCollectorManager("number", 1));
  }

  /** A plan for each segment, which sorts or counts: the matches do not come one by one. */
  @Test
  @SuppressWarnings("deprecation") // says that no collector was made
  void theDeviceAnswers() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    Query query = Words.bool("+w0 +w1");
    int leaves = reader.leaves().size();
    long plans = stats().get(Counter.PLANS_EXECUTED);
    searcher.search(query, new OffloadTopFieldCollectorManager(SORTS.get(0), 8, 10));
    assertTrue(stats().get(Counter.PLANS_EXECUTED) - plans <= leaves, stats().toString());
    plans = stats().get(Counter.PLANS_EXECUTED);
    TopFieldCollectorManager stock = new TopFieldCollectorManager(SORTS.get(0), 8, 10);
    assertEquals(8, searcher.search(query, stock).scoreDocs.length);
    assertEquals(List.of(), stock.getCollectors());
    assertTrue(stats().get(Counter.PLANS_EXECUTED) - plans <= leaves, stats().toString());
    plans = stats().get(Counter.PLANS_EXECUTED);
    searcher.search(query, new OffloadHistogramCollectorManager("number", 5));
    assertEquals(leaves, stats().get(Counter.PLANS_EXECUTED) - plans);
    plans = stats().get(Counter.PLANS_EXECUTED);
    searcher.search(query, new TotalHitCountCollectorManager(searcher.getSlices()));
    assertEquals(leaves, stats().get(Counter.PLANS_EXECUTED) - plans);
  }

  /** Among others they collect, as Lucene's do. */
  @Test
  void amongOthers() throws IOException {
    Sort sort = SORTS.get(0);
    for (Query query : queries()) {
      Object[] expected =
          stock(reader)
              .search(
                  query,
                  new MultiCollectorManager(
                      new TopFieldCollectorManager(sort, 8, null, Integer.MAX_VALUE),
                      new HistogramCollectorManager("longs", 1L << 60)));
      Object[] got =
          new OffloadIndexSearcher(reader)
              .search(
                  query,
                  new MultiCollectorManager(
                      new OffloadTopFieldCollectorManager(sort, 8, Integer.MAX_VALUE),
                      new OffloadHistogramCollectorManager("longs", 1L << 60)));
      assertEquals(Answers.hits((TopFieldDocs) expected[0]), Answers.hits((TopFieldDocs) got[0]));
      assertEquals(expected[1], got[1]);
    }
  }

  /** A subclass that has its own way of searching sees each search, and its collectors are fed. */
  @Test
  @SuppressWarnings("deprecation") // says which collectors were fed
  void underASubclass() throws IOException {
    List<CollectorManager<?, ?>> seen = new ArrayList<>();
    OffloadIndexSearcher searcher =
        new OffloadIndexSearcher(reader) {
          @Override
          public <C extends Collector, T> T search(Query query, CollectorManager<C, T> manager)
              throws IOException {
            seen.add(manager);
            return super.search(query, manager);
          }
        };
    OffloadTopFieldCollectorManager manager =
        new OffloadTopFieldCollectorManager(SORTS.get(0), 8, 1000);
    Query query = Words.term("w0");
    assertEquals(
        Answers.hits(stock(reader).search(query, 8, SORTS.get(0))),
        Answers.hits(searcher.search(query, manager)));
    assertEquals(List.of(manager), seen);
    assertTrue(!manager.getCollectors().isEmpty());
  }
}
