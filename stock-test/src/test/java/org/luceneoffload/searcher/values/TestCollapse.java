/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.config.Placement;
import org.luceneoffload.searcher.SearcherTestCase;

/** Collapsed hits are the first of each value in stock's list of all hits. */
class TestCollapse extends SearcherTestCase {
  private static final List<CombinedField> FIELDS =
      List.of(
          CombinedField.keywords("few"),
          CombinedField.keywords("skewed"),
          CombinedField.keywords("many"),
          CombinedField.numbers("size"),
          CombinedField.keywords("nowhere"));

  @Override
  public int documents() {
    return 600;
  }

  /** Most have the commonest value of "skewed"; some have none of any field. */
  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(10) > 0) {
        int skewed = random.nextInt(10) < 8 ? 0 : random.nextInt(30);
        document.add(new SortedDocValuesField("few", new BytesRef("f" + random.nextInt(3))));
        document.add(new SortedSetDocValuesField("skewed", new BytesRef("s" + skewed)));
        document.add(new SortedDocValuesField("many", new BytesRef("m" + random.nextInt(count))));
        document.add(new NumericDocValuesField("size", random.nextInt(40)));
        document.add(new SortedNumericDocValuesField("several", 1));
        document.add(new SortedNumericDocValuesField("several", 2));
      }
      writer.addDocument(document);
    }
  }

  private Map<Integer, Object> keys(CombinedField field) throws IOException {
    Map<Integer, Object> keys = new HashMap<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      SortedSetDocValues terms = null;
      SortedNumericDocValues numbers = null;
      if (field.keywords()) {
        terms = DocValues.getSortedSet(leaf.reader(), field.field());
      } else {
        numbers = DocValues.getSortedNumeric(leaf.reader(), field.field());
      }
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (terms != null && terms.advanceExact(doc)) {
          keys.put(leaf.docBase + doc, terms.lookupOrd(terms.nextOrd()).utf8ToString());
        } else if (numbers != null && numbers.advanceExact(doc)) {
          keys.put(leaf.docBase + doc, numbers.nextValue());
        }
      }
    }
    return keys;
  }

  private static String text(ScoreDoc hit, Object key) {
    return hit.doc + " " + Float.floatToIntBits(hit.score) + " " + key;
  }

  private void same(OffloadIndexSearcher searcher, Query query, CombinedField field, int n)
      throws IOException {
    Map<Integer, Object> keys = keys(field);
    List<String> expected = new ArrayList<>();
    List<Object> seen = new ArrayList<>();
    for (ScoreDoc hit : stock(reader).search(query, reader.maxDoc()).scoreDocs) {
      Object key = keys.get(hit.doc);
      if (!seen.contains(key) && seen.size() < n) {
        seen.add(key);
        expected.add(text(hit, key));
      }
    }
    List<String> got = new ArrayList<>();
    for (FieldDoc hit : searcher.collapse(query, field, n)) {
      got.add(
          text(hit, hit.fields[0] instanceof BytesRef term ? term.utf8ToString() : hit.fields[0]));
    }
    assertEquals(expected, got, query + " by " + field + ", " + n);
  }

  @Test
  void sameHitsAsAmongAll() throws IOException {
    for (Placement placement : Placement.values()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(placement);
      for (CombinedField field : FIELDS) {
        for (int n : new int[] {1, 4, 50}) {
          same(searcher, new TermQuery(new Term("body", words.word())), field, n);
          same(searcher, new TermQuery(new Term("body", "w0")), field, n);
          same(searcher, MatchAllDocsQuery.INSTANCE, field, n);
        }
      }
    }
  }

  @Test
  void theDeviceDoesIt() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(true);
    for (CombinedField field : FIELDS) {
      onDevice(() -> same(searcher, new TermQuery(new Term("body", "w0")), field, 10));
    }
  }

  /** Stock's filters miss values of children there: hits that none excludes would come for ever. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void blocksThatAreSortedByTheField() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)))
            .setParentField("parent");
    Set<Object> expected = new HashSet<>();
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 200; i++) {
          List<Document> block = new ArrayList<>();
          for (int child = 0; child < 4; child++) {
            long number = random.nextInt(30);
            expected.add(number);
            block.add(numbered(number, "child"));
          }
          block.add(numbered(1000 + random.nextInt(30), "root"));
          writer.addDocuments(block);
        }
      }
      try (DirectoryReader blocks = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(blocks);
        Query children = new TermQuery(new Term("kind", "child"));
        Set<Object> got = new HashSet<>();
        CombinedField field = CombinedField.numbers("number");
        for (FieldDoc hit : searcher.collapse(children, field, 40)) {
          assertTrue(got.add(hit.fields[0]), hit.toString());
        }
        assertEquals(expected, got);
      }
    }
  }

  private static Document numbered(long number, String kind) {
    Document document = new Document();
    document.add(NumericDocValuesField.indexedField("number", number));
    document.add(new StringField("kind", kind, Field.Store.NO));
    return document;
  }

  @Test
  void severalValuesAreAnError() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    assertThrows(
        IllegalArgumentException.class,
        () -> searcher.collapse(MatchAllDocsQuery.INSTANCE, CombinedField.numbers("several"), 100));
    assertThrows(
        IllegalArgumentException.class,
        () -> searcher.collapse(MatchAllDocsQuery.INSTANCE, CombinedField.keywords("few"), 0));
  }
}
