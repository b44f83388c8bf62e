/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** Sorts by fields that have points beside their doc values: of the same width, or not. */
class TestSortedPoints extends SearcherTestCase {
  private final Query query = new TermQuery(new Term("body", "w1"));

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      int value = random.nextInt(100);
      for (String name : new String[] {"int", "long", "plane"}) {
        document.add(new NumericDocValuesField(name, value));
      }
      document.add(new IntPoint("int", value));
      document.add(new LongPoint("long", value));
      document.add(new IntPoint("plane", value, value));
      writer.addDocument(document);
    }
  }

  private static void sorted(IndexSearcher searcher, Query query, SortField field)
      throws IOException {
    searcher.search(query, 3, new Sort(field));
  }

  @Test
  void pointsOfAnotherWidthAreRefusedAsByStock() {
    SortField[] wrong = {
      new SortField("int", SortField.Type.LONG),
      new SortField("long", SortField.Type.INT),
      new SortField("int", SortField.Type.DOUBLE),
      new SortField("long", SortField.Type.FLOAT),
      new SortField("plane", SortField.Type.INT),
    };
    for (SortField field : wrong) {
      Exception ours =
          assertThrows(
              IllegalArgumentException.class,
              () -> sorted(new OffloadIndexSearcher(reader), query, field));
      Exception stocks =
          assertThrows(IllegalArgumentException.class, () -> sorted(stock(reader), query, field));
      assertEquals(head(stocks), head(ours));
    }
  }

  /** A message without the identity of the comparator that it names. */
  private static String head(Exception e) {
    return e.getMessage().replaceAll("@[0-9a-f]+", "");
  }

  @Test
  void pointsOfTheSameWidthAreSortedOnTheDevice() throws IOException {
    for (SortField field :
        new SortField[] {
          new SortField("int", SortField.Type.INT), new SortField("long", SortField.Type.LONG)
        }) {
      Sort sort = new Sort(field);
      onDevice(
          () ->
              assertEquals(
                  Answers.hits(stock(reader).search(query, 30, sort)),
                  Answers.hits(new OffloadIndexSearcher(reader).search(query, 30, sort))));
    }
  }
}
