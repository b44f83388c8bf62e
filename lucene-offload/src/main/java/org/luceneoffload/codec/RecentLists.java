/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.luceneoffload.codec.term.TermLists;

/**
 * The lists that the latest queries for many terms of a field found in a segment: they are the same
 * as long as the segment is open, and to find them takes longer than to read them. Of these, those
 * that were asked for last are kept, as far as they fit a fixed number of bytes. Safe for use by
 * several threads at once.
 */
public final class RecentLists {
  /** Bytes of one field of a segment, at most. */
  private static final long MAX_BYTES = 1 << 19;

  /** The same for each term of the field, so that small segments keep little. */
  private static final int BYTES_A_TERM = 4;

  private static final int MIN_BYTES = 1 << 13;

  private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Entry(TermLists lists, long bytes) {}

  /**
   * Returns the lists of a query.
   *
   * @return null if they are not kept; empty if they are known to be too many
   */
  public synchronized Optional<TermLists> get(Object query) {
    Entry entry = entries.get(query);
    return entry == null ? null : Optional.ofNullable(entry.lists);
  }

  /**
   * Keeps the lists of a query, if that is no larger than a fourth of all that is kept.
   *
   * @param query does not change
   * @param queryBytes about what it takes in memory
   * @param lists null: they are too many
   * @param terms how many terms the field has; negative if that is not known
   */
  public synchronized void put(Object query, long queryBytes, TermLists lists, long terms) {
    long limit = Math.min(MAX_BYTES, MIN_BYTES + BYTES_A_TERM * Math.max(0, terms));
    long added = queryBytes + (lists == null ? 0 : lists.bytes());
    if (added > limit / 4) {
      return;
    }
    Entry before = entries.put(query, new Entry(lists, added));
    bytes += added - (before == null ? 0 : before.bytes);
    var oldest = entries.values().iterator();
    while (bytes > limit) {
      bytes -= oldest.next().bytes;
      oldest.remove();
    }
  }

  /** Returns the bytes that are kept. */
  synchronized long bytes() {
    return bytes;
  }
}
