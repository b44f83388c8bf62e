/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * The keywords of a segment's field by their ordinals. Those of fields with few are kept until the
 * segment is closed: Lucene decompresses a block of its dictionary for each look-up.
 */
abstract class Keywords {
  /** Most keywords of a field and segment that are kept. */
  static final long MAX_KEPT = 4096;

  private static final Map<IndexReader.CacheKey, Map<String, BytesRef[]>> KEPT =
      new ConcurrentHashMap<>();

  /**
   * Returns the keywords of a field.
   *
   * @param values of that field and reader; for the calling thread alone
   */
  static Keywords of(LeafReader reader, String field, SortedSetDocValues values)
      throws IOException {
    IndexReader.CacheHelper helper = reader.getCoreCacheHelper();
    if (helper == null || values.getValueCount() > MAX_KEPT) {
      return new Looked(values);
    }
    Map<String, BytesRef[]> fields = KEPT.get(helper.getKey());
    if (fields == null) {
      fields = new ConcurrentHashMap<>();
      Map<String, BytesRef[]> before = KEPT.putIfAbsent(helper.getKey(), fields);
      if (before == null) {
        helper.addClosedListener(KEPT::remove);
      } else {
        fields = before;
      }
    }
    BytesRef[] terms = fields.get(field);
    if (terms == null) {
      terms = read(values);
      fields.put(field, terms);
    }
    return new Kept(terms);
  }

  /** Number of segments whose keywords are kept; for tests. */
  static int segmentsKept() {
    return KEPT.size();
  }

  private static BytesRef[] read(SortedSetDocValues values) throws IOException {
    BytesRef[] terms = new BytesRef[Math.toIntExact(values.getValueCount())];
    for (int ord = 0; ord < terms.length; ord++) {
      terms[ord] = BytesRef.deepCopyOf(values.lookupOrd(ord));
    }
    return terms;
  }

  /** How many there are. */
  abstract long count();

  /** Returns a keyword, which the caller does not change. */
  abstract BytesRef get(long ord) throws IOException;

  private static final class Kept extends Keywords {
    private final BytesRef[] terms;

    Kept(BytesRef[] terms) {
      this.terms = terms;
    }

    @Override
    long count() {
      return terms.length;
    }

    @Override
    BytesRef get(long ord) {
      return terms[(int) ord];
    }
  }

  private static final class Looked extends Keywords {
    private final SortedSetDocValues values;

    Looked(SortedSetDocValues values) {
      this.values = values;
    }

    @Override
    long count() {
      return values.getValueCount();
    }

    @Override
    BytesRef get(long ord) throws IOException {
      return BytesRef.deepCopyOf(values.lookupOrd(ord));
    }
  }
}
