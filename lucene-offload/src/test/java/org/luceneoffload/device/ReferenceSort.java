/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.NumericUtils;
import org.luceneoffload.wire.OffloadWire.SortKind;
import org.luceneoffload.wire.OffloadWire.SortSelector;
import org.luceneoffload.wire.OffloadWire.SortTransform;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.sort.KeyValues;
import org.luceneoffload.wire.sort.SortKey;
import org.luceneoffload.wire.sort.SortPart;

/** Ranks matches by sort keys, the plain way: all of them, by every key. */
final class ReferenceSort {
  /** A match with its keys. */
  record Hit(int doc, float score, long[] keys) {
    void write(ByteBuffer b) {
      b.putInt(doc).putFloat(score);
      for (long key : keys) {
        b.putLong(key);
      }
    }
  }

  private final SortPart sort;
  private final List<Map<Integer, long[]>> values = new ArrayList<>();

  ReferenceSort(Plan plan, SortPart sort, ReferenceColumns columns) throws IOException {
    this.sort = sort;
    for (SortKey key : sort.keys()) {
      boolean column = key.kind() == SortKind.COLUMN;
      values.add(column ? columns.values(plan.columns().get(key.column())) : Map.of());
    }
  }

  /** The k best matches that may enter, in order. */
  List<Hit> best(BitSet docs, float[] scores, int k) {
    List<Hit> hits = new ArrayList<>();
    for (int doc = docs.nextSetBit(0); doc >= 0; doc = docs.nextSetBit(doc + 1)) {
      long[] keys = new long[sort.keys().size()];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = key(i, doc, scores[doc]);
      }
      if (sort.lets(keys, doc)) {
        hits.add(new Hit(doc, sort.scores() ? scores[doc] : 0f, keys));
      }
    }
    hits.sort((a, b) -> sort.compare(a.keys, b.keys)); // stable: docs ascend
    return hits.subList(0, Math.min(hits.size(), k));
  }

  private long key(int i, int doc, float score) {
    SortKey key = sort.keys().get(i);
    long[] own = values.get(i).get(doc);
    return switch (key.kind()) {
      case SortKind.DOC -> KeyValues.ofDoc(doc);
      case SortKind.SCORE -> KeyValues.ofScore(score);
      default ->
          own == null
              ? key.missing()
              : key(key.transform(), own[key.selector() == SortSelector.MIN ? 0 : own.length - 1]);
    };
  }

  private static long key(int transform, long value) {
    int low = (int) value;
    return switch (transform) {
      case SortTransform.I64 -> KeyValues.ofLong(value);
      case SortTransform.I32 -> KeyValues.ofInt(low);
      case SortTransform.F32 -> KeyValues.ofFloat(Float.intBitsToFloat(low));
      case SortTransform.F64 -> KeyValues.ofDouble(Double.longBitsToDouble(value));
      case SortTransform.SORTABLE_F32 -> KeyValues.ofFloat(NumericUtils.sortableIntToFloat(low));
      case SortTransform.SORTABLE_F64 ->
          KeyValues.ofDouble(NumericUtils.sortableLongToDouble(value));
      default -> KeyValues.ofOrd(value);
    };
  }
}
