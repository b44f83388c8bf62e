/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.util.SortedBlocks;

/**
 * Filters by doc values that find all docs with a value, whatever the index. Where blocks are
 * sorted by the field, stock's own queries do not ({@link SortedBlocks}); the host then looks at
 * each doc.
 */
public final class ValueFilters {
  private ValueFilters() {}

  /** Returns a query for docs with a number from {@code min} to {@code max} in a field. */
  public static Query range(IndexReader reader, String field, long min, long max) {
    return SortedBlocks.areBy(reader, field)
        ? new ByValueQuery(field, min, max)
        : SortedNumericDocValuesField.newSlowRangeQuery(field, min, max);
  }

  /**
   * Returns a query for docs with a value in a field.
   *
   * @param key a {@link BytesRef} or {@link Long}
   */
  public static Query exactly(IndexReader reader, String field, Object key) {
    if (!(key instanceof BytesRef term)) {
      return range(reader, field, (Long) key, (Long) key);
    }
    return SortedBlocks.areBy(reader, field)
        ? new ByValueQuery(field, term)
        : SortedSetDocValuesField.newSlowExactQuery(field, term);
  }
}
