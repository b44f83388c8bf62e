/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.wire.sort.KeyValues;
import org.luceneoffload.wire.sort.SortPart;

/**
 * Where a hit of an earlier page stands among those of a segment: hits of the next page have to
 * come after it. A keyword of it that the segment lacks stands between two ordinals. Which of its
 * docs come after is then decided by that key alone, and the hit stands before all docs of the next
 * ordinal: wire/WIRE.md, section 4, says how keys tell that.
 */
public final class AfterKeys {
  /** Doc ID before all others. */
  private static final int BEFORE_ALL = -1;

  /** The dictionaries of a segment. */
  @FunctionalInterface
  public interface Dictionaries {
    /**
     * Returns the ordinal of a keyword of a field, or -1 less the ordinal that it would have, as
     * {@code SortedSetDocValues.lookupTerm} does.
     */
    long lookupTerm(String field, BytesRef keyword) throws IOException;
  }

  private final long[] keys;
  private final int doc;

  private AfterKeys(long[] keys, int doc) {
    this.keys = keys;
    this.doc = doc;
  }

  /**
   * Returns the place of a hit in a segment.
   *
   * @param fields the keys of the sort
   * @param after the hit; its doc ID is of the index
   * @param docBase of the segment
   */
  public static AfterKeys of(
      List<SortFieldKey> fields, FieldDoc after, int docBase, Dictionaries dictionaries)
      throws IOException {
    long[] keys = new long[fields.size()];
    for (int i = 0; i < keys.length; i++) {
      SortFieldKey field = fields.get(i);
      Object value = after.fields[i];
      if (!(value instanceof BytesRef keyword)) {
        keys[i] = field.keyOf(value, docBase);
        continue;
      }
      long ord = dictionaries.lookupTerm(field.field(), keyword);
      if (ord >= 0) {
        keys[i] = KeyValues.ofOrd(ord);
        continue;
      }
      long next = -1 - ord;
      keys[i] = KeyValues.ofOrd(field.isReverse() ? next - 1 : next);
      for (int rest = i + 1; rest < keys.length; rest++) {
        keys[rest] = fields.get(rest).isReverse() ? -1 : 0; // come before all others
      }
      return new AfterKeys(keys, BEFORE_ALL);
    }
    return new AfterKeys(keys, after.doc - docBase);
  }

  /** Limits a plan to the hits that come after. */
  public void limit(SortPart part) {
    part.after(keys, doc);
  }
}
