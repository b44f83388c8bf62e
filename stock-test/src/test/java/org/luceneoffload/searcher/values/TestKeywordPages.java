/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadTopFieldCollectorManager;
import org.luceneoffload.searcher.SearcherTestCase;

/** The next page of a search that sorts by keywords is the device's, and that of stock. */
class TestKeywordPages extends SearcherTestCase {
  private static final int SEGMENTS = 4;

  @Override
  public int documents() {
    return 1200;
  }

  /** A keyword may be in any of the segments, but for the last one, which has none. */
  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (int i = 0; i < documents() / SEGMENTS; i++) {
        Document document = new Document();
        document.add(new TextField("body", random.nextBoolean() ? "w0 w1" : "w1", Field.Store.NO));
        document.add(new NumericDocValuesField("number", random.nextInt(9)));
        if (segment < SEGMENTS - 1) {
          if (random.nextInt(4) > 0) {
            document.add(new SortedDocValuesField("word", keyword(segment, random.nextInt(30))));
          }
          for (int n = random.nextInt(4); n > 0; n--) {
            document.add(
                new KeywordField("keys", keyword(segment, random.nextInt(90)), Field.Store.NO));
          }
        }
        writer.addDocument(document);
      }
      writer.flush();
    }
    writer.deleteDocuments(new Term("keys", keyword(0, 7)));
  }

  /** Segments share some of their keywords. */
  private static BytesRef keyword(int segment, int i) {
    return new BytesRef("k" + (i % 3 == 0 ? i : SEGMENTS * i + segment));
  }

  private static List<Sort> sorts() {
    List<Sort> sorts = new ArrayList<>();
    for (boolean reverse : new boolean[] {false, true}) {
      for (Object missing : new Object[] {SortField.STRING_FIRST, SortField.STRING_LAST}) {
        SortField word = new SortField("word", SortField.Type.STRING, reverse, missing);
        SortField most =
            new SortedSetSortField("keys", reverse, SortedSetSelector.Type.MAX, missing);
        SortField least =
            new SortedSetSortField("keys", !reverse, SortedSetSelector.Type.MIN, missing);
        SortField number = new SortField("number", SortField.Type.LONG, !reverse);
        sorts.add(new Sort(word));
        sorts.add(new Sort(most, SortField.FIELD_DOC));
        sorts.add(new Sort(number, least, word));
        sorts.add(new Sort(word, number, new SortField(null, SortField.Type.DOC, reverse)));
        sorts.add(new Sort(least, SortField.FIELD_SCORE, number));
      }
    }
    sorts.add(new Sort(new SortField("word", SortField.Type.STRING)));
    return sorts;
  }

  private static void assertSame(TopDocs expected, TopDocs actual, String what) {
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length, what);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      FieldDoc hit = (FieldDoc) actual.scoreDocs[i];
      assertEquals(expected.scoreDocs[i].doc, hit.doc, what);
      assertArrayEquals(((FieldDoc) expected.scoreDocs[i]).fields, hit.fields, what);
    }
    if (actual.totalHits.relation() == TotalHits.Relation.EQUAL_TO
        && expected.totalHits.relation() == TotalHits.Relation.EQUAL_TO) {
      assertEquals(expected.totalHits.value(), actual.totalHits.value(), what);
    }
  }

  @Test
  void pagesUpToTheEnd() throws IOException {
    IndexSearcher stock = stock(reader);
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    for (Query query : List.of(MatchAllDocsQuery.INSTANCE, new TermQuery(new Term("body", "w0")))) {
      for (Sort sort : sorts()) {
        int size = 1 + random.nextInt(200);
        int hits = 0;
        TopDocs page = stock.search(query, size, sort);
        while (page.scoreDocs.length > 0) {
          hits += page.scoreDocs.length;
          FieldDoc after = (FieldDoc) page.scoreDocs[page.scoreDocs.length - 1];
          TopDocs next = stock.searchAfter(after, query, size, sort);
          onDevice(
              () ->
                  assertSame(
                      next, offload.searchAfter(after, query, size, sort), query + " by " + sort));
          page = next;
        }
        assertEquals(stock.count(query), hits);
      }
    }
  }

  /** Keywords before, between and behind those of the index, and none. */
  @Test
  void pagesAfterAnything() throws IOException {
    pagesAfter(random.nextInt(documents()));
  }

  /** Applications that know no doc of the page before, but its keys, ask like that. */
  @Test
  void pagesAfterKeysAlone() throws IOException {
    pagesAfter(Integer.MAX_VALUE);
    FieldDoc after = new FieldDoc(documents(), Float.NaN, new Object[] {new BytesRef("k3")});
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    Sort sort = new Sort(new SortField("word", SortField.Type.STRING));
    assertThrows(
        IllegalArgumentException.class,
        () -> offload.searchAfter(after, MatchAllDocsQuery.INSTANCE, 5, sort));
  }

  private void pagesAfter(int doc) throws IOException {
    IndexSearcher stock = stock(reader);
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    Query all = MatchAllDocsQuery.INSTANCE;
    for (Sort sort : sorts()) {
      for (String keyword : new String[] {null, "", "a", "k3", "k30x", "k7", "zzz"}) {
        SortField[] fields = sort.getSort();
        Object[] values = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
          values[i] =
              switch (fields[i].getType()) {
                case SCORE -> 1f;
                case DOC -> doc;
                case LONG -> (long) random.nextInt(9);
                default -> keyword == null ? null : new BytesRef(keyword);
              };
        }
        FieldDoc after = new FieldDoc(doc, Float.NaN, values);
        TopDocs expected = stock.search(all, new TopFieldCollectorManager(sort, 50, after, 1000));
        onDevice(
            () ->
                assertSame(
                    expected,
                    offload.search(all, new OffloadTopFieldCollectorManager(sort, 50, after, 1000)),
                    after + " by " + sort));
        if (doc < documents()) {
          TopDocs page = stock.searchAfter(after, all, 50, sort);
          onDevice(
              () ->
                  assertSame(
                      page, offload.searchAfter(after, all, 50, sort), after + " by " + sort));
        }
      }
    }
  }

  @Test
  void valuesOfOtherTypesAreErrorsOfStock() {
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    Sort sort = new Sort(new SortField("word", SortField.Type.STRING));
    FieldDoc after = new FieldDoc(3, Float.NaN, new Object[] {"k3"});
    assertThrows(
        ClassCastException.class,
        () -> offload.searchAfter(after, MatchAllDocsQuery.INSTANCE, 5, sort));
  }
}
