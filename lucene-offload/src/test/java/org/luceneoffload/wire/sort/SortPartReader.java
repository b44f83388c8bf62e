/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.SortFlag;
import org.luceneoffload.wire.OffloadWire.SortKind;
import org.luceneoffload.wire.layout.SortHeaderLayout;
import org.luceneoffload.wire.layout.SortKeyLayout;

/** Decodes and checks the sort part of an encoded plan, of which nothing is trusted. */
public final class SortPartReader {
  private SortPartReader() {}

  /**
   * Reads the part from a byte on.
   *
   * @param end bytes of the plan
   * @param columns columns of the plan
   * @throws OffloadException with status PLAN_MALFORMED
   */
  public static SortPart read(ByteBuffer b, int at, int end, int columns) throws OffloadException {
    check(at + SortHeaderLayout.BYTES <= end, "bytes", end - at);
    int count = SortHeaderLayout.keyCount(b, at);
    int flags = SortHeaderLayout.flags(b, at);
    boolean after = (flags & SortFlag.HAS_AFTER) != 0;
    boolean bottom = (flags & SortFlag.HAS_BOTTOM) != 0;
    boolean ties = (flags & SortFlag.BOTTOM_TIES) != 0;
    check(count >= 1 && count <= OffloadWire.MAX_SORT_KEYS, "key_count", count);
    check(flags >> 3 == 0 && (bottom || !ties), "flags", flags);
    check(b.getShort(at + SortHeaderLayout.RESERVED0) == 0, "reserved0", 1);
    check(b.getLong(at + SortHeaderLayout.RESERVED1) == 0, "reserved1", 1);
    int limits = at + SortHeaderLayout.BYTES + count * SortKeyLayout.BYTES;
    int bytes = limits - at + ((after ? count : 0) + (bottom ? count : 0)) * Long.BYTES;
    check(at + bytes <= end, "bytes", end - at);
    List<SortKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(b, at + SortHeaderLayout.BYTES + i * SortKeyLayout.BYTES, columns));
    }
    SortPart part = new SortPart(keys);
    if (after) {
      part.after(limit(b, limits, count), SortHeaderLayout.afterDoc(b, at));
    }
    if (bottom) {
      part.bottom(limit(b, limits + (after ? count * Long.BYTES : 0), count), ties);
    }
    return part;
  }

  private static long[] limit(ByteBuffer b, int at, int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = b.getLong(at + i * Long.BYTES);
    }
    return keys;
  }

  private static SortKey key(ByteBuffer b, int at, int columns) throws OffloadException {
    int flags = SortKeyLayout.flags(b, at);
    SortKey key =
        new SortKey(
            SortKeyLayout.kind(b, at),
            SortKeyLayout.transform(b, at),
            SortKeyLayout.selector(b, at),
            flags != 0,
            SortKeyLayout.column(b, at),
            SortKeyLayout.missing(b, at));
    boolean column = key.kind() == SortKind.COLUMN;
    check(key.kind() >= SortKind.COLUMN && key.kind() <= SortKind.CONSTANT, "kind", key.kind());
    check(flags <= OffloadWire.SortKeyFlag.REVERSE, "flags of a key", flags);
    check(
        column ? key.transform() >= 1 && key.transform() <= 8 : key.transform() == 0,
        "transform",
        key.transform());
    check(
        column ? key.selector() >= 1 && key.selector() <= 2 : key.selector() == 0,
        "selector",
        key.selector());
    check(
        column ? Integer.compareUnsigned(key.column(), columns) < 0 : key.column() == 0,
        "column",
        key.column());
    check(
        column || key.kind() == SortKind.CONSTANT || key.missing() == 0, "missing", key.missing());
    return key;
  }

  private static void check(boolean holds, String field, long got) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_MALFORMED, "sort part: " + field + " is " + got);
    }
  }
}
