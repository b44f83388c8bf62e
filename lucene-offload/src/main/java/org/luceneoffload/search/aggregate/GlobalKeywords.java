/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.PackedInts;

/**
 * The keywords of a field by ordinals of the whole reader. With several segments these come from a
 * map, which takes about as long to make as to compare all keywords once. So it is made when
 * searches have compared as many without, and kept until the reader is closed. For one thread.
 */
final class GlobalKeywords {
  private static final Map<IndexReader.CacheKey, Map<String, Shared>> SHARED =
      new ConcurrentHashMap<>();

  private final List<LeafReaderContext> leaves;
  private final String field;
  private final OrdinalMap map;
  private final Keywords[] byLeaf;
  private final long count;

  private GlobalKeywords(IndexReaderContext top, String field, OrdinalMap map) throws IOException {
    leaves = top.leaves();
    this.field = field;
    this.map = map;
    byLeaf = new Keywords[leaves.size()];
    count = map == null ? of(0).count() : map.getValueCount();
  }

  /**
   * Returns the keywords of a reader.
   *
   * @param toCompare keywords that have to be compared without this
   * @return null if a map does not pay yet, or if another thread is making it
   */
  static GlobalKeywords of(IndexReaderContext top, String field, long toCompare)
      throws IOException {
    if (top.leaves().size() == 1) {
      return new GlobalKeywords(top, field, null);
    }
    IndexReader.CacheHelper helper = top.reader().getReaderCacheHelper();
    if (helper == null) {
      return null;
    }
    Map<String, Shared> fields = SHARED.get(helper.getKey());
    if (fields == null) {
      Map<String, Shared> made = new ConcurrentHashMap<>();
      fields = SHARED.putIfAbsent(helper.getKey(), made);
      if (fields == null) {
        fields = made;
        helper.addClosedListener(SHARED::remove);
      }
    }
    Shared shared = fields.computeIfAbsent(field, name -> new Shared());
    OrdinalMap map = shared.map(top, field, toCompare);
    return map == null ? null : new GlobalKeywords(top, field, map);
  }

  /** Number of readers that something is known of; for tests. */
  static int readersKnown() {
    return SHARED.size();
  }

  /** How many there are. */
  long count() {
    return count;
  }

  /** The ordinals that those of a segment are. */
  LongValues ordsOf(int leaf) {
    return map == null ? LongValues.IDENTITY : map.getGlobalOrds(leaf);
  }

  /** Returns a keyword, which the caller does not change. */
  BytesRef get(long ord) throws IOException {
    return map == null
        ? of(0).get(ord)
        : of(map.getFirstSegmentNumber(ord)).get(map.getFirstSegmentOrd(ord));
  }

  private Keywords of(int leaf) throws IOException {
    if (byLeaf[leaf] == null) {
      byLeaf[leaf] = Keywords.of(leaves.get(leaf).reader(), field);
    }
    return byLeaf[leaf];
  }

  /** What all searches of a reader share. */
  private static final class Shared {
    private long compared;
    private boolean begun;
    private volatile OrdinalMap map;

    OrdinalMap map(IndexReaderContext top, String field, long toCompare) throws IOException {
      OrdinalMap made = map;
      if (made != null) {
        return made;
      }
      SortedSetDocValues[] values = new SortedSetDocValues[top.leaves().size()];
      long all = 0;
      for (int i = 0; i < values.length; i++) {
        values[i] = DocValues.getSortedSet(top.leaves().get(i).reader(), field);
        all += values[i].getValueCount();
      }
      if (begins(all, toCompare)) {
        try {
          IndexReader.CacheKey owner = top.reader().getReaderCacheHelper().getKey();
          map = OrdinalMap.build(owner, values, PackedInts.DEFAULT);
        } finally {
          end();
        }
      }
      return map;
    }

    /** Returns whether the calling thread is to make the map of all keywords. */
    private synchronized boolean begins(long all, long toCompare) {
      compared += toCompare;
      boolean begins = compared >= all && !begun && map == null;
      begun |= begins;
      return begins;
    }

    private synchronized void end() {
      begun = false;
    }
  }
}
