/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import java.nio.ByteBuffer;
import java.util.List;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.SortHeaderLayout;
import org.luceneoffload.wire.layout.SortKeyLayout;
import org.luceneoffload.wire.plan.PlanTail;

/**
 * The part of a plan of mode TOP_K_BY_COLUMN that says by which keys hits are ranked, and which of
 * them enter. It stands behind all other parts. Not for several threads at once while it is made.
 */
public final class SortPart implements PlanTail {
  private final List<SortKey> keys;
  private long[] after;
  private int afterDoc;
  private long[] bottom;
  private boolean ties;

  /**
   * Ranks by keys, the first one first, and lets all hits enter.
   *
   * @param keys 1 to {@link OffloadWire#MAX_SORT_KEYS}
   * @throws IllegalArgumentException for another number of keys
   */
  public SortPart(List<SortKey> keys) {
    if (keys.isEmpty() || keys.size() > OffloadWire.MAX_SORT_KEYS) {
      throw new IllegalArgumentException(keys.size() + " sort keys");
    }
    this.keys = List.copyOf(keys);
  }

  /**
   * Lets hits enter only behind a place.
   *
   * @param limit a key for each sort key
   * @param doc of hits with these very keys, those of greater doc IDs enter; may be negative
   */
  public void after(long[] limit, int doc) {
    after = copyOf(limit);
    afterDoc = doc;
  }

  /**
   * Lets hits enter only before a place.
   *
   * @param limit a key for each sort key
   * @param withTies lets hits with these very keys enter, too
   */
  public void bottom(long[] limit, boolean withTies) {
    bottom = copyOf(limit);
    ties = withTies;
  }

  private long[] copyOf(long[] limit) {
    if (limit.length != keys.size()) {
      throw new IllegalArgumentException(limit.length + " keys, not " + keys.size());
    }
    return limit.clone();
  }

  /** Returns the sort keys. */
  public List<SortKey> keys() {
    return keys;
  }

  /** Returns whether a key is the score, so that the plan needs norm tables. */
  public boolean scores() {
    return keys.stream().anyMatch(key -> key.kind() == OffloadWire.SortKind.SCORE);
  }

  @Override
  public int bytes() {
    int limits = (after != null ? keys.size() : 0) + (bottom != null ? keys.size() : 0);
    return SortHeaderLayout.BYTES + keys.size() * SortKeyLayout.BYTES + limits * Long.BYTES;
  }

  /** Returns the number of bytes of an entry of the result page. */
  public int entryBytes() {
    return entryBytes(keys.size());
  }

  /** Returns the number of bytes of an entry of a result page with so many sort keys. */
  public static int entryBytes(int keys) {
    return Integer.BYTES + Float.BYTES + keys * Long.BYTES;
  }

  @Override
  public int write(ByteBuffer b, int at) {
    SortHeaderLayout.keyCount(b, at, keys.size());
    SortHeaderLayout.flags(b, at, flags());
    b.putShort(at + SortHeaderLayout.RESERVED0, (short) 0);
    SortHeaderLayout.afterDoc(b, at, afterDoc);
    b.putLong(at + SortHeaderLayout.RESERVED1, 0);
    int next = at + SortHeaderLayout.BYTES;
    for (SortKey key : keys) {
      SortKeyLayout.kind(b, next, key.kind());
      SortKeyLayout.transform(b, next, key.transform());
      SortKeyLayout.selector(b, next, key.selector());
      SortKeyLayout.flags(b, next, key.reverse() ? OffloadWire.SortKeyFlag.REVERSE : 0);
      SortKeyLayout.column(b, next, key.column());
      SortKeyLayout.missing(b, next, key.missing());
      next += SortKeyLayout.BYTES;
    }
    return writeLimit(b, writeLimit(b, next, after), bottom);
  }

  private static int writeLimit(ByteBuffer b, int at, long[] limit) {
    int next = at;
    for (int i = 0; limit != null && i < limit.length; i++, next += Long.BYTES) {
      b.putLong(next, limit[i]);
    }
    return next;
  }

  private int flags() {
    return (after != null ? OffloadWire.SortFlag.HAS_AFTER : 0)
        | (bottom != null ? OffloadWire.SortFlag.HAS_BOTTOM : 0)
        | (bottom != null && ties ? OffloadWire.SortFlag.BOTTOM_TIES : 0);
  }

  /** Compares the keys of two hits as a comparator does: below 0 if those of a come first. */
  public int compare(long[] a, long[] b) {
    int order = 0;
    for (int i = 0; i < keys.size() && order == 0; i++) {
      order = keys.get(i).compare(a[i], b[i]);
    }
    return order;
  }

  /**
   * Returns whether a hit may be in the result: it is behind the one limit and before the other.
   */
  public boolean lets(long[] hit, int doc) {
    if (after != null) {
      int order = compare(hit, after);
      if (order < 0 || (order == 0 && doc <= afterDoc)) {
        return false;
      }
    }
    int order = bottom != null ? compare(hit, bottom) : -1;
    return order < 0 || (order == 0 && ties);
  }
}
