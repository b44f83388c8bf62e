/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;

/**
 * Decodes and checks a column page, bit by bit: the counterpart of the engine's check. Nothing of
 * the page is trusted.
 */
public final class ColumnPageDecoder {
  private static final int CRC_FROM = 12;

  private final ByteBuffer page;
  private final int presence;
  private final boolean table;
  private final boolean multi;
  private final int firstDoc;
  private final int docSpan;
  private final int docCount;
  private final int valueCount;
  private final long unit;
  private final int valueBits;
  private int at = ColumnPageHeaderLayout.BYTES;

  private ColumnPageDecoder(ByteBuffer page) throws OffloadException {
    this.page = page;
    check(ColumnPageHeaderLayout.magic(page, 0) == OffloadWire.COLUMN_MAGIC, "magic");
    if (ColumnPageHeaderLayout.version(page, 0) != OffloadWire.VERSION) {
      throw new OffloadException(OffloadWire.Status.UNSUPPORTED_VERSION, "version of the page");
    }
    CRC32C crc = new CRC32C();
    crc.update(page.slice(CRC_FROM, OffloadWire.PAGE_BYTES - CRC_FROM));
    check(ColumnPageHeaderLayout.crc32c(page, 0) == (int) crc.getValue(), "crc32c");
    presence = ColumnPageHeaderLayout.presence(page, 0);
    int flags = ColumnPageHeaderLayout.flags(page, 0);
    table = (flags & OffloadWire.ColumnFlag.TABLE) != 0;
    multi = (flags & OffloadWire.ColumnFlag.MULTI) != 0;
    firstDoc = ColumnPageHeaderLayout.firstDoc(page, 0);
    docSpan = ColumnPageHeaderLayout.docSpan(page, 0);
    docCount = ColumnPageHeaderLayout.docCount(page, 0);
    valueCount = ColumnPageHeaderLayout.valueCount(page, 0);
    unit = ColumnPageHeaderLayout.unit(page, 0);
    valueBits = ColumnPageHeaderLayout.valueBits(page, 0);
    checkHeader(flags);
  }

  /**
   * Returns the values of each doc that has one, ascending.
   *
   * @param page little-endian, {@link OffloadWire#PAGE_BYTES} bytes from byte 0 on
   * @throws OffloadException with status PAGE_CORRUPT or UNSUPPORTED_VERSION
   */
  public static SortedMap<Integer, long[]> decode(ByteBuffer page) throws OffloadException {
    return new ColumnPageDecoder(page).decode();
  }

  private void checkHeader(int flags) throws OffloadException {
    boolean list = presence == OffloadWire.ColumnPresence.LIST;
    boolean all = presence == OffloadWire.ColumnPresence.ALL;
    check(list || all || presence == OffloadWire.ColumnPresence.BITMAP, "presence");
    check(flags <= (OffloadWire.ColumnFlag.TABLE | OffloadWire.ColumnFlag.MULTI), "flags");
    check(page.get(ColumnPageHeaderLayout.RESERVED0) == 0, "reserved0");
    check(page.getShort(ColumnPageHeaderLayout.RESERVED1) == 0, "reserved1");
    check(firstDoc >= 0 && firstDoc < OffloadWire.MAX_DOC, "first_doc");
    check(docSpan >= 0 && docSpan <= OffloadWire.MAX_DOC - firstDoc, "doc_span");
    check(docCount >= 1 && docCount <= docSpan && (!all || docCount == docSpan), "doc_count");
    check(multi ? valueCount >= docCount : valueCount == docCount, "value_count");
    check(!multi || valueCount <= OffloadWire.MAX_COLUMN_VALUES, "value_count");
    check(valueBits <= Long.SIZE, "value_bits");
    int docBits = ColumnPageHeaderLayout.docBits(page, 0);
    check(docBits <= (list ? Integer.SIZE - 1 : 0), "doc_bits");
    int countBits = ColumnPageHeaderLayout.countBits(page, 0);
    check(countBits <= (multi ? Short.SIZE : 0), "count_bits");
    check(unit != 0, "unit");
  }

  private SortedMap<Integer, long[]> decode() throws OffloadException {
    long[] entries = table ? entries() : null;
    int[] docs = docs();
    int[] counts = counts();
    long[] packed = packed(valueCount, valueBits, "values");
    int end = ColumnPageHeaderLayout.usedBytes(page, 0);
    check(at == end, "used_bytes");
    for (int i = end; i < OffloadWire.PAGE_BYTES; i++) {
      check(page.get(i) == 0, "byte " + i + " behind the values");
    }
    long min = ColumnPageHeaderLayout.min(page, 0);
    long max = ColumnPageHeaderLayout.max(page, 0);
    check(min <= max, "min");
    boolean hasMin = false;
    boolean hasMax = false;
    SortedMap<Integer, long[]> values = new TreeMap<>();
    int next = 0;
    for (int rank = 0; rank < docCount; rank++) {
      long[] own = new long[counts[rank]];
      for (int i = 0; i < own.length; i++) {
        own[i] = value(packed[next++], entries, min, max);
        check(i == 0 || own[i - 1] <= own[i], "order of the values of doc " + docs[rank]);
        hasMin |= own[i] == min;
        hasMax |= own[i] == max;
      }
      values.put(docs[rank], own);
    }
    check(hasMin && hasMax, "min or max, which no value is");
    return values;
  }

  /** Returns the value that a packed one stands for. */
  private long value(long packed, long[] entries, long min, long max) throws OffloadException {
    if (entries != null) {
      check(Long.compareUnsigned(packed, entries.length) < 0, "a value beyond the table");
      return entries[(int) packed];
    }
    BigInteger value = unsigned(packed).multiply(unsigned(unit)).add(BigInteger.valueOf(min));
    check(value.compareTo(BigInteger.valueOf(max)) <= 0, "a value above max");
    return value.longValueExact();
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  private long[] entries() throws OffloadException {
    check(Long.compareUnsigned(unit, OffloadWire.PAGE_BYTES / Long.BYTES) < 0, "unit");
    long[] entries = new long[(int) unit];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = page.getLong(take(Long.BYTES, "table"));
      check(i == 0 || entries[i - 1] < entries[i], "order of the table");
    }
    check(
        entries[0] == ColumnPageHeaderLayout.min(page, 0)
            && entries[entries.length - 1] == ColumnPageHeaderLayout.max(page, 0),
        "ends of the table");
    return entries;
  }

  private int[] docs() throws OffloadException {
    int[] docs = new int[docCount];
    int found = 0;
    if (presence == OffloadWire.ColumnPresence.ALL) {
      for (; found < docCount; found++) {
        docs[found] = firstDoc + found;
      }
    } else if (presence == OffloadWire.ColumnPresence.LIST) {
      for (long offset : packed(docCount, ColumnPageHeaderLayout.docBits(page, 0), "docs")) {
        docs[found++] = firstDoc + (int) offset;
      }
    } else {
      int words = (docSpan + Long.SIZE - 1) / Long.SIZE;
      int from = take(words * Long.BYTES, "bitmap");
      for (int bit = 0; bit < words * Long.SIZE; bit++) {
        if (bit % OffloadWire.COLUMN_BLOCK_DOCS == 0) {
          check(unsignedShort(take(Short.BYTES, "ranks")) == found, "rank before bit " + bit);
        }
        if ((page.get(from + bit / Byte.SIZE) >> bit % Byte.SIZE & 1) != 0) {
          check(found < docCount, "number of bits");
          docs[found++] = firstDoc + bit;
        }
      }
    }
    check(found == docCount, "number of docs");
    for (int i = 1; i < docCount; i++) {
      check(docs[i - 1] < docs[i], "order of the docs");
    }
    check(docs[0] == firstDoc && docs[docCount - 1] == firstDoc + docSpan - 1, "ends of the span");
    return docs;
  }

  /** Returns how many values each doc has. */
  private int[] counts() throws OffloadException {
    int[] counts = new int[docCount];
    if (!multi) {
      Arrays.fill(counts, 1);
      return counts;
    }
    int blocks = (docCount - 1) / OffloadWire.COLUMN_BLOCK_DOCS + 1;
    int starts = take(blocks * Short.BYTES, "starts");
    long[] more = packed(docCount, ColumnPageHeaderLayout.countBits(page, 0), "counts");
    int sum = 0;
    for (int i = 0; i < docCount; i++) {
      if (i % OffloadWire.COLUMN_BLOCK_DOCS == 0) {
        int start = unsignedShort(starts + i / OffloadWire.COLUMN_BLOCK_DOCS * Short.BYTES);
        check(start == sum, "start before doc number " + i);
      }
      counts[i] = (int) more[i] + 1;
      sum += counts[i];
    }
    check(sum == valueCount, "sum of the counts");
    return counts;
  }

  private int unsignedShort(int from) {
    return Short.toUnsignedInt(page.getShort(from));
  }

  /** Returns values of a packed part, the next one of the page. */
  private long[] packed(int count, int bits, String what) throws OffloadException {
    long bytes = ((long) count * bits + Byte.SIZE - 1) / Byte.SIZE;
    check(bytes <= OffloadWire.PAGE_BYTES, "bytes of the " + what);
    int from = take((int) bytes, what);
    long[] values = new long[count];
    for (int bit = 0; bit < bytes * Byte.SIZE; bit++) {
      long set = page.get(from + bit / Byte.SIZE) >> bit % Byte.SIZE & 1;
      if (bit < count * bits) {
        values[bit / bits] |= set << bit % bits;
      } else {
        check(set == 0, "bits behind the " + what);
      }
    }
    return values;
  }

  /** Takes bytes of the page; returns where they begin. */
  private int take(int bytes, String what) throws OffloadException {
    int from = at;
    check(bytes <= OffloadWire.PAGE_BYTES - at, "end of the " + what);
    at += bytes;
    return from;
  }

  private static void check(boolean holds, String what) throws OffloadException {
    if (!holds) {
      throw new OffloadException(OffloadWire.Status.PAGE_CORRUPT, "column page: " + what);
    }
  }
}
