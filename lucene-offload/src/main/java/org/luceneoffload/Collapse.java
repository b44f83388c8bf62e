/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.search.aggregate.ValueFilters;
import org.luceneoffload.util.SortedBlocks;

/** Finds the best hits of a query, of each value of a field the best one alone. */
final class Collapse {
  /** Hits that are asked for at once, to each that is wanted. */
  private static final int HITS_EACH = 2;

  private Collapse() {}

  /** Finds hits: see {@link OffloadIndexSearcher#collapse}. */
  static List<FieldDoc> search(
      OffloadIndexSearcher searcher, Query query, CombinedField field, int n) throws IOException {
    if (n < 1) {
      throw new IllegalArgumentException("n must be at least 1, got " + n);
    }
    List<FieldDoc> found = new ArrayList<>();
    Set<Object> keys = new LinkedHashSet<>();
    int asked = (int) Math.min((long) HITS_EACH * n, Integer.MAX_VALUE);
    while (true) {
      ScoreDoc[] hits =
          searcher.search(others(searcher.getIndexReader(), query, field, keys), asked).scoreDocs;
      for (ScoreDoc hit : hits) {
        Object key = key(searcher.getIndexReader().leaves(), field, hit.doc);
        if (keys.add(key)) {
          found.add(new FieldDoc(hit.doc, hit.score, new Object[] {key}));
          if (found.size() == n) {
            return found;
          }
        }
      }
      if (hits.length < asked) {
        return found;
      }
    }
  }

  /** Returns the matches that have none of some values: their scores are those of the query. */
  private static Query others(
      IndexReader reader, Query query, CombinedField field, Set<Object> keys) {
    if (keys.isEmpty()) {
      return query;
    }
    BooleanQuery.Builder others = new BooleanQuery.Builder().add(query, Occur.MUST);
    List<BytesRef> terms = new ArrayList<>();
    boolean byValue = SortedBlocks.areBy(reader, field.field());
    for (Object key : keys) {
      if (key == null) {
        others.add(new FieldExistsQuery(field.field()), Occur.FILTER);
      } else if (key instanceof BytesRef term && !byValue) {
        terms.add(term);
      } else {
        others.add(ValueFilters.exactly(reader, field.field(), key), Occur.MUST_NOT);
      }
    }
    if (!terms.isEmpty()) {
      others.add(SortedSetDocValuesField.newSlowSetQuery(field.field(), terms), Occur.MUST_NOT);
    }
    return others.build();
  }

  private static Object key(List<LeafReaderContext> leaves, CombinedField field, int doc)
      throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    int inLeaf = doc - leaf.docBase;
    if (field.keywords()) {
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), field.field());
      if (!values.advanceExact(inLeaf)) {
        return null;
      }
      checkSingle(field, doc, values.docValueCount());
      return BytesRef.deepCopyOf(values.lookupOrd(values.nextOrd()));
    }
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field.field());
    if (!values.advanceExact(inLeaf)) {
      return null;
    }
    checkSingle(field, doc, values.docValueCount());
    return values.nextValue();
  }

  private static void checkSingle(CombinedField field, int doc, int values) {
    if (values > 1) {
      throw new IllegalArgumentException(
          "doc " + doc + " has " + values + " values in field \"" + field.field() + "\"");
    }
  }
}
