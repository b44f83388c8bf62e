/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

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
public final class GlobalKeywords {
  /** Ordinals of all segments that are unpacked at most, into 4 bytes each. */
  private static final long MAX_UNPACKED = 1 << 20;

  private static final Map<IndexReader.CacheKey, Map<String, Shared>> SHARED =
      new ConcurrentHashMap<>();

  private final List<LeafReaderContext> leaves;
  private final String field;
  private final OrdinalMap map;
  private final LongValues[] ords;
  private final Keywords[] byLeaf;
  private final long count;

  private GlobalKeywords(IndexReaderContext top, String field, Made made) throws IOException {
    leaves = top.leaves();
    this.field = field;
    map = made == null ? null : made.map;
    ords = made == null ? null : made.ords;
    byLeaf = new Keywords[leaves.size()];
    count = map == null ? of(0).count() : map.getValueCount();
  }

  /**
   * Returns the keywords of a reader.
   *
   * @param toCompare keywords that have to be compared without this
   * @return null if a map does not pay yet, or if another thread is making it
   */
  public static GlobalKeywords of(IndexReaderContext top, String field, long toCompare)
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
    Made made = shared.map(top, field, toCompare);
    return made == null ? null : new GlobalKeywords(top, field, made);
  }

  /** Returns the number of readers that something is known of; for tests. */
  public static int readersKnown() {
    return SHARED.size();
  }

  /** Returns the number of keywords. */
  public long count() {
    return count;
  }

  /** Returns a map from the ordinals of a segment to these ordinals. */
  public LongValues ordsOf(int leaf) {
    return ords == null ? LongValues.IDENTITY : ords[leaf];
  }

  /** Returns a keyword, which the caller does not change. */
  public BytesRef get(long ord) throws IOException {
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

  /**
   * A map.
   *
   * @param ords by leaf, the ordinals that those of a segment are
   */
  private record Made(OrdinalMap map, LongValues[] ords) {
    /**
     * Returns a map whose ordinals are unpacked, if they are few.
     *
     * @param all how many the segments have
     */
    static Made of(OrdinalMap map, SortedSetDocValues[] values, long all) {
      LongValues[] ords = new LongValues[values.length];
      for (int leaf = 0; leaf < ords.length; leaf++) {
        LongValues packed = map.getGlobalOrds(leaf);
        ords[leaf] =
            all <= MAX_UNPACKED ? Unpacked.of(packed, values[leaf].getValueCount()) : packed;
      }
      return new Made(map, ords);
    }
  }

  /** Values in an array, which are read in a fraction of the time that packed ones take. */
  private static final class Unpacked extends LongValues {
    private final int[] values;

    private Unpacked(int[] values) {
      this.values = values;
    }

    static Unpacked of(LongValues packed, long count) {
      int[] values = new int[Math.toIntExact(count)];
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.toIntExact(packed.get(i));
      }
      return new Unpacked(values);
    }

    @Override
    public long get(long index) {
      return values[(int) index];
    }
  }

  /** What all searches of a reader share. */
  private static final class Shared {
    private long compared;
    private boolean begun;
    private volatile Made made;

    Made map(IndexReaderContext top, String field, long toCompare) throws IOException {
      Made present = made;
      if (present != null) {
        return present;
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
          made = Made.of(OrdinalMap.build(owner, values, PackedInts.DEFAULT), values, all);
        } finally {
          end();
        }
      }
      return made;
    }

    /** Returns whether the calling thread is to make the map of all keywords. */
    private synchronized boolean begins(long all, long toCompare) {
      compared += toCompare;
      boolean begins = compared >= all && !begun && made == null;
      begun |= begins;
      return begins;
    }

    private synchronized void end() {
      begun = false;
    }
  }
}
