/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;

/** Queries for doc values and sorts by them run on the device, and say what stock says. */
class TestColumnQueries extends SearcherTestCase {
  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < 3; segment++) {
      for (int i = 0; i < documents() / 3; i++) {
        writer.addDocument(document());
      }
      writer.flush();
    }
    writer.deleteDocuments(new Term("body", "rare"));
  }

  private Document document() {
    Document document = new Document();
    String text = random.nextInt(40) == 0 ? "rare" : "";
    for (int i = random.nextInt(6); i >= 0; i--) {
      text += " w" + (int) (20 * random.nextDouble() * random.nextDouble());
    }
    document.add(new TextField("body", text, Field.Store.NO));
    document.add(new NumericDocValuesField("number", random.nextInt(1000)));
    if (random.nextInt(4) > 0) {
      document.add(new NumericDocValuesField("some", random.nextLong()));
      document.add(new SortedDocValuesField("word", new BytesRef("k" + random.nextInt(30))));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      document.add(new LongField("longs", random.nextInt(100), Field.Store.NO));
      document.add(new DoubleField("doubles", random.nextGaussian(), Field.Store.NO));
      document.add(new KeywordField("keys", "k" + random.nextInt(50), Field.Store.NO));
    }
    return document;
  }

  private static List<Query> filters() {
    BytesRef k1 = new BytesRef("k1");
    BytesRef k3 = new BytesRef("k3");
    return List.of(
        NumericDocValuesField.newSlowRangeQuery("number", 100, 300),
        NumericDocValuesField.newSlowExactQuery("number", 77),
        NumericDocValuesField.newSlowSetQuery("number", 1, 5, 6, 7, 900),
        NumericDocValuesField.newSlowRangeQuery("some", 0, Long.MAX_VALUE),
        SortedNumericDocValuesField.newSlowRangeQuery("longs", 10, 30),
        LongField.newRangeQuery("longs", 10, 30),
        LongField.newExactQuery("longs", 10),
        LongField.newSetQuery("longs", 3, 50, 51),
        DoubleField.newRangeQuery("doubles", -0.5, 0.25),
        SortedDocValuesField.newSlowExactQuery("word", k1),
        SortedDocValuesField.newSlowRangeQuery("word", k1, k3, false, true),
        SortedSetDocValuesField.newSlowRangeQuery("keys", k1, null, true, false),
        SortedSetDocValuesField.newSlowSetQuery("keys", List.of(k1, k3)),
        new PrefixQuery(new Term("keys", "k2"), MultiTermQuery.DOC_VALUES_REWRITE),
        new FieldExistsQuery("some"),
        new FieldExistsQuery("keys"));
  }

  private static Query text(String... words) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String word : words) {
      builder.add(new TermQuery(new Term("body", word)), Occur.SHOULD);
    }
    return builder.build();
  }

  /** Filters in the places that they can have in a query. */
  private static List<Query> queries(Query filter) {
    Query some = text("w0", "w3");
    return List.of(
        filter,
        new BooleanQuery.Builder().add(some, Occur.MUST).add(filter, Occur.FILTER).build(),
        new BooleanQuery.Builder().add(some, Occur.MUST).add(filter, Occur.MUST).build(),
        new BooleanQuery.Builder().add(some, Occur.SHOULD).add(filter, Occur.SHOULD).build(),
        new BooleanQuery.Builder().add(some, Occur.MUST).add(filter, Occur.MUST_NOT).build());
  }

  @Test
  void filtersSayWhatStockSays() throws IOException {
    IndexSearcher stock = new IndexSearcher(reader);
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    offload.setPlacement(Placement.ALWAYS);
    for (Query filter : filters()) {
      for (Query query : queries(filter)) {
        long before = stats().get(Counter.LEAVES_OFFLOADED);
        assertEquals(stock.count(query), offload.count(query), query::toString);
        assertSame(stock.search(query, 20), offload.search(query, 20), query);
        assertTrue(stats().get(Counter.LEAVES_OFFLOADED) > before, "not offloaded: " + query);
      }
    }
  }

  @Test
  void sidesThatDifferStayWithStock() throws IOException {
    Query differs =
        new IndexOrDocValuesQuery(
            LongPoint.newRangeQuery("longs", 10, 30),
            SortedNumericDocValuesField.newSlowRangeQuery("longs", 10, 31));
    long before = stats().get(Counter.LEAVES_OFFLOADED);
    new OffloadIndexSearcher(reader).count(differs);
    assertEquals(before, stats().get(Counter.LEAVES_OFFLOADED));
  }

  private static List<Sort> sorts() {
    return List.of(
        new Sort(new SortField("number", SortField.Type.LONG, true)),
        new Sort(new SortField("some", SortField.Type.LONG, false, Long.MAX_VALUE)),
        new Sort(new SortField("some", SortField.Type.INT)),
        new Sort(
            new SortedNumericSortField(
                "longs", SortField.Type.LONG, true, SortedNumericSelector.Type.MAX),
            new SortField("number", SortField.Type.LONG)),
        new Sort(
            new SortedNumericSortField("doubles", SortField.Type.DOUBLE), SortField.FIELD_SCORE),
        new Sort(new SortField("word", SortField.Type.STRING, false, SortField.STRING_LAST)),
        new Sort(new SortedSetSortField("keys", true), SortField.FIELD_DOC),
        new Sort(new SortField(null, SortField.Type.DOC, true)),
        new Sort(new SortField("nowhere", SortField.Type.LONG), SortField.FIELD_SCORE));
  }

  /** All docs by their IDs or scores are nothing to ask a device for. */
  private static boolean readsAnything(Query query, Sort sort) {
    String key = sort.getSort()[0].getField();
    return !(query instanceof MatchAllDocsQuery) || (key != null && !key.equals("nowhere"));
  }

  @Test
  void sortsSayWhatStockSays() throws IOException {
    IndexSearcher stock = new IndexSearcher(reader);
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    for (Sort sort : sorts()) {
      List<Query> queries = new ArrayList<>(queries(filters().get(0)));
      queries.add(MatchAllDocsQuery.INSTANCE);
      for (Query query : queries) {
        long before = stats().get(Counter.LEAVES_OFFLOADED);
        TopDocs first = stock.search(query, 15, sort, true);
        assertSame(first, offload.search(query, 15, sort, true), query);
        assertEquals(
            readsAnything(query, sort),
            stats().get(Counter.LEAVES_OFFLOADED) > before,
            query + " by " + sort);
        if (first.scoreDocs.length > 0) {
          ScoreDoc after = first.scoreDocs[first.scoreDocs.length / 2];
          assertSame(
              stock.searchAfter(after, query, 10, sort),
              offload.searchAfter(after, query, 10, sort),
              query);
        }
      }
    }
  }

  private static void assertSame(TopDocs expected, TopDocs actual, Query query) {
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length, query::toString);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      ScoreDoc a = expected.scoreDocs[i];
      ScoreDoc b = actual.scoreDocs[i];
      assertEquals(a.doc, b.doc, query::toString);
      assertEquals(
          Float.floatToRawIntBits(a.score), Float.floatToRawIntBits(b.score), query::toString);
      if (a instanceof FieldDoc field) {
        assertArrayEquals(field.fields, ((FieldDoc) b).fields, query::toString);
      }
    }
  }
}
