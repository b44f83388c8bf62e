/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldDocs;

/** Reads the bits of NaNs among sort values: sort keys of plans know one NaN alone. */
public final class StoredNaNs {
  private StoredNaNs() {}

  /**
   * Replaces each NaN in the fields of hits by the value that stock's comparator reads.
   *
   * @param leaves of the reader that the hits' doc IDs are of
   * @return the hits
   */
  public static TopFieldDocs restore(Sort sort, List<LeafReaderContext> leaves, TopFieldDocs hits)
      throws IOException {
    SortField[] fields = sort.getSort();
    for (ScoreDoc hit : hits.scoreDocs) {
      Object[] values = ((FieldDoc) hit).fields;
      for (int i = 0; i < values.length; i++) {
        if (isNaN(values[i])) {
          values[i] = read(fields[i], leaves, hit.doc);
        }
      }
    }
    return hits;
  }

  private static boolean isNaN(Object value) {
    return value instanceof Float single && single.isNaN()
        || value instanceof Double number && number.isNaN();
  }

  private static Object read(SortField field, List<LeafReaderContext> leaves, int doc)
      throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    FieldComparator<?> comparator = field.getComparator(1, Pruning.NONE);
    comparator.getLeafComparator(leaf).copy(0, doc - leaf.docBase);
    return comparator.value(0);
  }
}
