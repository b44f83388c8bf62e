/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Checks a result page of mode TOP_K_BY_COLUMN and gives access to it. Nothing of the page is
 * trusted: what breaks a rule of the wire is an {@link OffloadException} with status INTERNAL. That
 * an ordinal is one of the segment's is left to the caller that looks it up.
 */
public final class SortedResultReader {
  private final ResultReader header = new ResultReader();
  private ByteBuffer page;
  private int entryBytes;

  /**
   * Takes a result page, from byte 0 to its limit, that answers a request.
   *
   * @throws OffloadException if its header or an entry breaks a rule, or entries are out of order
   */
  public void reset(ByteBuffer result, PlanRequest request, SortPart sort) throws OffloadException {
    page = result;
    entryBytes = sort.entryBytes();
    header.reset(result, request, entryBytes);
    boolean scores = sort.scores();
    long[] before = null;
    int docBefore = -1;
    for (int i = 0; i < header.entryCount(); i++) {
      int doc = doc(i);
      long[] keys = keys(i, sort.keys().size());
      check(doc >= request.minDoc && doc < request.limitDoc, "doc ID", doc);
      float score = score(i);
      check(
          scores ? score >= 0f : Float.floatToRawIntBits(score) == 0,
          "score (bits)",
          Float.floatToRawIntBits(score));
      for (int k = 0; k < keys.length; k++) {
        check(sort.keys().get(k).allows(keys[k], doc, score), "key " + k, keys[k]);
      }
      int order = before != null ? sort.compare(before, keys) : -1;
      check(order < 0 || (order == 0 && docBefore < doc), "doc ID (out of order)", doc);
      check(sort.lets(keys, doc), "doc ID (beyond a limit)", doc);
      before = keys;
      docBefore = doc;
    }
  }

  /** Returns what the page's header says: entries, matches, work. */
  public ResultReader header() {
    return header;
  }

  private int at(int entry) {
    return ResultHeaderLayout.BYTES + entry * entryBytes;
  }

  /** Returns the doc ID of an entry. */
  public int doc(int entry) {
    return page.getInt(at(entry));
  }

  /** Returns the score of an entry; 0 without a SCORE key. */
  public float score(int entry) {
    return page.getFloat(at(entry) + Integer.BYTES);
  }

  /** Returns the key of an entry, by the number of the sort key. */
  public long key(int entry, int sortKey) {
    return page.getLong(at(entry) + Integer.BYTES + Float.BYTES + sortKey * Long.BYTES);
  }

  private long[] keys(int entry, int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = key(entry, i);
    }
    return keys;
  }

  private static void check(boolean holds, String field, long got) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL, "malformed result page: " + field + " is " + got);
    }
  }
}
