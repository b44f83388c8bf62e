/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.SearcherTestCase;

/** Phrases of alternatives with thousands of matches in a segment, of which a sort leaves few. */
class TestSortedPhrases extends SearcherTestCase {
  private static final int DOCS = 9_000;
  private static final int ALTERNATIVES = 12;
  private static final int THRESHOLD = 20;

  @Override
  public void write(IndexWriter writer) throws IOException {
    Random dice = new Random(1);
    for (int i = 0; i < DOCS; i++) {
      String word = "v" + dice.nextInt(2 * ALTERNATIVES);
      Document document = new Document();
      document.add(new TextField("body", "the " + word + " the end", Field.Store.NO));
      document.add(new NumericDocValuesField("number", dice.nextLong()));
      writer.addDocument(document);
    }
  }

  private static Query phrase(int slop) {
    Term[] alternatives =
        IntStream.range(0, ALTERNATIVES)
            .mapToObj(i -> new Term("body", "v" + i))
            .toArray(Term[]::new);
    return new MultiPhraseQuery.Builder()
        .add(new Term("body", "the"))
        .add(alternatives)
        .setSlop(slop)
        .build();
  }

  private void compare(Query query, Sort sort, int k) throws IOException {
    OffloadIndexSearcher searcher = always();
    int matches = stock(reader).count(query);
    FieldDoc after = null;
    for (int page = 0; page < 3; page++) {
      FieldDoc from = after;
      TopDocs expected = stock(reader).searchAfter(from, query, k, sort);
      onDevice(
          () -> {
            same(expected, searcher.searchAfter(from, query, k, sort), matches);
            same(
                expected,
                searcher.search(query, new TopFieldCollectorManager(sort, k, from, THRESHOLD)),
                matches);
          });
      after = (FieldDoc) expected.scoreDocs[k - 1];
    }
  }

  private static void same(TopDocs expected, TopDocs got, int matches) {
    assertArrayEquals(docs(expected), docs(got));
    if (got.totalHits.relation() == TotalHits.Relation.EQUAL_TO) {
      assertEquals(matches, got.totalHits.value());
    }
  }

  private static int[] docs(TopDocs top) {
    return Arrays.stream(top.scoreDocs).mapToInt(hit -> hit.doc).toArray();
  }

  @Test
  void nothingIsLost() throws IOException {
    for (int slop : new int[] {0, 3}) {
      Query phrase = phrase(slop);
      assertTrue(stock(reader).count(phrase) > DOCS / 3);
      for (Query query : List.of(phrase, new DisjunctionMaxQuery(List.of(phrase), 0f))) {
        for (boolean reverse : new boolean[] {false, true}) {
          Sort sort = new Sort(new SortField("number", SortField.Type.LONG, reverse));
          for (int k : new int[] {10, 100, 300, 1000}) {
            compare(query, sort, k);
          }
        }
      }
    }
  }
}
