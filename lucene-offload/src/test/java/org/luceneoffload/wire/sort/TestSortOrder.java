/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.NumericUtils;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.wire.OffloadWire.SortSelector;
import org.luceneoffload.wire.OffloadWire.SortTransform;

/** Docs sorted by keys against a stock searcher's sort: any stored numbers, missing ones too. */
class TestSortOrder {
  private static final long[] ODD = {
    0,
    1,
    -1,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE,
    1L << 32,
    Float.floatToRawIntBits(Float.NaN),
    Float.floatToRawIntBits(-0f),
    0x7F800001,
    Double.doubleToRawLongBits(Double.NaN),
    Double.doubleToRawLongBits(-0d),
    Double.doubleToRawLongBits(-2.5),
    NumericUtils.doubleToSortableLong(-2.5),
    NumericUtils.floatToSortableInt(-2.5f)
  };

  private final Random random = new Random(DamagedBytes.seed(getClass()));
  private final List<long[]> values = new ArrayList<>(); // by doc, ascending; empty: none

  private long anyValue() {
    return switch (random.nextInt(3)) {
      case 0 -> ODD[random.nextInt(ODD.length)];
      case 1 -> random.nextLong();
      default -> random.nextInt(5) - 2;
    };
  }

  private void index(Directory directory, boolean several) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int doc = 0; doc < 700; doc++) {
        long[] own = new long[random.nextInt(several ? 4 : 2)];
        Arrays.setAll(own, i -> anyValue());
        Document document = new Document();
        for (long value : own) {
          document.add(
              several
                  ? new SortedNumericDocValuesField("v", value)
                  : new NumericDocValuesField("v", value));
        }
        writer.addDocument(document);
        Arrays.sort(own);
        values.add(own);
      }
      writer.forceMerge(1);
    }
  }

  private static long key(int transform, long value) {
    return switch (transform) {
      case SortTransform.I64 -> KeyValues.ofLong(value);
      case SortTransform.I32 -> KeyValues.ofInt((int) value);
      case SortTransform.F32 -> KeyValues.ofFloat(Float.intBitsToFloat((int) value));
      case SortTransform.SORTABLE_F32 ->
          KeyValues.ofFloat(NumericUtils.sortableIntToFloat((int) value));
      case SortTransform.F64 -> KeyValues.ofDouble(Double.longBitsToDouble(value));
      default -> KeyValues.ofDouble(NumericUtils.sortableLongToDouble(value));
    };
  }

  private static Object value(int transform, long key) {
    return switch (transform) {
      case SortTransform.I64 -> KeyValues.toLong(key);
      case SortTransform.I32 -> KeyValues.toInt(key);
      case SortTransform.F32, SortTransform.SORTABLE_F32 -> KeyValues.toFloat(key);
      default -> KeyValues.toDouble(key);
    };
  }

  private void compare(IndexSearcher searcher, SortField field, SortKey key) throws IOException {
    SortPart part = new SortPart(List.of(key));
    long[][] keys = new long[values.size()][];
    for (int doc = 0; doc < keys.length; doc++) {
      long[] own = values.get(doc);
      int chosen = key.selector() == SortSelector.MIN ? 0 : own.length - 1;
      keys[doc] = new long[] {own.length == 0 ? key.missing() : key(key.transform(), own[chosen])};
    }
    List<Integer> docs = new ArrayList<>();
    for (int doc = 0; doc < keys.length; doc++) {
      docs.add(doc);
    }
    docs.sort((a, b) -> part.compare(keys[a], keys[b]));
    TopFieldDocs stock =
        searcher.search(MatchAllDocsQuery.INSTANCE, values.size(), new Sort(field));
    for (int i = 0; i < stock.scoreDocs.length; i++) {
      FieldDoc hit = (FieldDoc) stock.scoreDocs[i];
      assertEquals(docs.get(i), hit.doc, field + ", hit " + i);
      assertEquals(hit.fields[0], value(key.transform(), keys[hit.doc][0]), field.toString());
    }
  }

  private void compareAll(boolean several) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, several);
      try (IndexReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (SortField.Type type :
            List.of(
                SortField.Type.INT,
                SortField.Type.LONG,
                SortField.Type.FLOAT,
                SortField.Type.DOUBLE)) {
          for (int i = 0; i < 8; i++) {
            compare(searcher, type, several, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
          }
        }
      }
    }
  }

  private void compare(
      IndexSearcher searcher,
      SortField.Type type,
      boolean several,
      boolean reverse,
      boolean max,
      boolean missing)
      throws IOException {
    int transform =
        switch (type) {
          case INT -> SortTransform.I32;
          case LONG -> SortTransform.I64;
          case FLOAT -> several ? SortTransform.SORTABLE_F32 : SortTransform.F32;
          default -> several ? SortTransform.SORTABLE_F64 : SortTransform.F64;
        };
    long missingKey = key(transform, missing ? anyValue() : 0);
    SortedNumericSelector.Type chosen =
        max ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN;
    Object missingValue = missing ? value(transform, missingKey) : null;
    SortField field =
        several
            ? new SortedNumericSortField("v", type, reverse, chosen, missingValue)
            : new SortField("v", type, reverse, missingValue);
    int selector = several && max ? SortSelector.MAX : SortSelector.MIN;
    compare(searcher, field, SortKey.ofColumn(0, transform, selector, missingKey, reverse));
  }

  @Test
  void singleNumbers() throws IOException {
    compareAll(false);
  }

  @Test
  void severalNumbers() throws IOException {
    compareAll(true);
  }
}
