/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.NumericUtils;
import org.junit.jupiter.api.Test;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** Sort values that are NaNs keep the bits that the index has. */
class TestSortedNaNs extends SearcherTestCase {
  private static final Query ALL = new TermQuery(new Term("all", "yes"));
  private static final int DOCS = 600;

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCS; i++) {
      Document document = new Document();
      document.add(new StringField("all", "yes", Field.Store.NO));
      if (random.nextInt(6) > 0) {
        double number = random.nextInt(3) == 0 ? nan() : random.nextInt(50) / 7.0;
        float single = random.nextInt(3) == 0 ? singleNaN() : random.nextInt(50) / 7f;
        document.add(new DoubleDocValuesField("double", number));
        document.add(new FloatDocValuesField("float", single));
        for (int n = random.nextInt(3); n >= 0; n--) {
          document.add(
              new SortedNumericDocValuesField("doubles", NumericUtils.doubleToSortableLong(nan())));
          document.add(
              new SortedNumericDocValuesField(
                  "floats", NumericUtils.floatToSortableInt(singleNaN())));
        }
      }
      writer.addDocument(document);
      if (i % 250 == 249) {
        writer.flush();
      }
    }
  }

  private double nan() {
    long sign = random.nextBoolean() ? Long.MIN_VALUE : 0;
    return Double.longBitsToDouble(sign | 0x7FF0_0000_0000_0001L | random.nextInt(1000) << 4);
  }

  private float singleNaN() {
    int sign = random.nextBoolean() ? Integer.MIN_VALUE : 0;
    return Float.intBitsToFloat(sign | 0x7F80_0001 | random.nextInt(1000) << 4);
  }

  private void same(SortField first) throws IOException {
    Sort sort = new Sort(first, SortField.FIELD_DOC);
    for (int k : new int[] {5, DOCS / 2, DOCS}) {
      List<String> expected = Answers.hits(stock(reader).search(ALL, k, sort));
      TopDocs[] got = new TopDocs[1];
      onDevice(() -> got[0] = always().search(ALL, k, sort));
      assertEquals(expected, Answers.hits(got[0]), sort + ", best " + k);
      boolean hasNaN = expected.stream().anyMatch(hit -> hit.contains("NaN 7f"));
      assertTrue(hasNaN || k < DOCS, "no NaN among the hits");
    }
  }

  @Test
  void singleValues() throws IOException {
    for (boolean reverse : new boolean[] {false, true}) {
      same(new SortField("double", SortField.Type.DOUBLE, reverse));
      Double missing = Double.longBitsToDouble(0x7FF8_0000_0000_0077L);
      same(new SortField("double", SortField.Type.DOUBLE, reverse, missing));
      same(new SortField("float", SortField.Type.FLOAT, reverse));
    }
  }

  @Test
  void severalValues() throws IOException {
    for (boolean reverse : new boolean[] {false, true}) {
      same(new SortedNumericSortField("doubles", SortField.Type.DOUBLE, reverse));
      same(new SortedNumericSortField("floats", SortField.Type.FLOAT, reverse));
    }
  }
}
