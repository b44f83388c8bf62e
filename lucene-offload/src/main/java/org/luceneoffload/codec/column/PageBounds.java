/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;

/**
 * The least and the greatest value of every page of a column, on the host's heap: 20 bytes a page,
 * about 0.5 % of it. A planner learns from them how many pages and docs a range concerns, and that
 * it concerns none, before a command is sent (Koo et al., FLIXR, 2022: the host's side of FLIXR-HS,
 * with the greatest values beside the least). Immutable.
 */
public final class PageBounds {
  /** Values that {@link #pagesOfValue} looks for in all pages. */
  private static final int SAMPLES = 32;

  private final long[] min;
  private final long[] max;
  private final int[] docs;
  private volatile double pagesOfValue; // 0: nobody has asked yet

  private PageBounds(long[] min, long[] max, int[] docs) {
    this.min = min;
    this.max = max;
    this.docs = docs;
  }

  /**
   * What a range of values concerns.
   *
   * @param pages pages with a value that may be in the range
   * @param partly of these, pages with other values, too
   * @param docs docs that are expected to have a value in the range, as if the values of a page
   *     were spread evenly between its bounds
   */
  public record Overlap(int pages, int partly, double docs) {}

  /** Returns what the values from {@code lo} to {@code hi} concern. */
  public Overlap overlap(long lo, long hi) {
    int pages = 0;
    int partly = 0;
    double found = 0;
    for (int i = 0; i < min.length; i++) {
      if (lo > max[i] || hi < min[i]) {
        continue;
      }
      pages++;
      if (lo <= min[i] && hi >= max[i]) {
        found += docs[i];
      } else {
        partly++;
        found += docs[i] * share(min[i], max[i], lo, hi);
      }
    }
    return new Overlap(pages, partly, found);
  }

  /**
   * Returns what the values in some ranges concern.
   *
   * @param ranges lo and hi of each range, both included, ascending, without overlap
   */
  public Overlap overlap(long[] ranges) {
    if (ranges.length == 2) {
      return overlap(ranges[0], ranges[1]);
    }
    RangeWidths widths = new RangeWidths(ranges);
    int pages = 0;
    int partly = 0;
    double found = 0;
    for (int i = 0; i < min.length; i++) {
      if (widths.overlap(min[i], max[i])) {
        pages++;
        partly += widths.cover(min[i], max[i]) ? 0 : 1;
        found += docs[i] * widths.share(min[i], max[i]);
      }
    }
    return new Overlap(pages, partly, found);
  }

  /**
   * Returns how many pages may have a value, on average over a sample of values: few if values are
   * in about the order of the docs.
   */
  public double pagesOfValue() {
    double known = pagesOfValue;
    if (known == 0) {
      int samples = Math.min(min.length, SAMPLES);
      for (int i = 0; i < samples; i++) {
        long value = min[(int) ((long) i * min.length / samples)];
        known += (double) overlap(value, value).pages() / samples;
      }
      pagesOfValue = known;
    }
    return known;
  }

  /**
   * Returns the share of values from {@code min} to {@code max} that is expected from {@code lo} to
   * {@code hi}, as if they were spread evenly.
   */
  static double share(long min, long max, long lo, long hi) {
    return Math.min(1, width(Math.max(min, lo), Math.min(max, hi)) / width(min, max));
  }

  /** Returns how many values a range has: up to 2^64. */
  static double width(long lo, long hi) {
    long more = hi - lo;
    return (more >= 0 ? more : more + 0x1p64) + 1;
  }

  /** Collects the bounds of pages as they are written. */
  static final class Builder {
    private long[] min = {};
    private long[] max = {};
    private int[] docs = {};
    private int count;

    /** Adds a page by its header, little-endian. */
    void add(ByteBuffer page) {
      add(
          ColumnPageHeaderLayout.min(page, 0),
          ColumnPageHeaderLayout.max(page, 0),
          ColumnPageHeaderLayout.docCount(page, 0));
    }

    /** Adds a page. */
    void add(long pageMin, long pageMax, int pageDocs) {
      min = ArrayUtil.grow(min, count + 1);
      max = ArrayUtil.grow(max, count + 1);
      docs = ArrayUtil.grow(docs, count + 1);
      min[count] = pageMin;
      max[count] = pageMax;
      docs[count++] = pageDocs;
    }

    /** Returns the bounds of the pages that were added. */
    PageBounds build() {
      return new PageBounds(
          Arrays.copyOf(min, count), Arrays.copyOf(max, count), Arrays.copyOf(docs, count));
    }
  }

  /** Writes the bounds; the number of pages is not written. */
  void write(DataOutput out) throws IOException {
    for (int i = 0; i < min.length; i++) {
      out.writeLong(min[i]);
      out.writeVLong((max[i] - min[i]) >>> 1); // unsigned: a page may have values of any size
      out.writeByte((byte) ((max[i] - min[i]) & 1));
      out.writeVInt(docs[i]);
    }
  }

  /**
   * Reads the bounds of some pages.
   *
   * @throws CorruptIndexException if a page has its least value above its greatest
   */
  static PageBounds read(DataInput in, int pages) throws IOException {
    Builder bounds = new Builder(); // grows: the file is not verified yet
    for (int i = 0; i < pages; i++) {
      long min = in.readLong();
      long max = min + (in.readVLong() << 1) + (in.readByte() & 1);
      int docs = in.readVInt();
      if (min > max || docs <= 0) {
        throw new CorruptIndexException("bounds of page " + i + " of a column", in.toString());
      }
      bounds.add(min, max, docs);
    }
    return bounds.build();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PageBounds other
        && Arrays.equals(min, other.min)
        && Arrays.equals(max, other.max)
        && Arrays.equals(docs, other.docs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(min);
  }

  @Override
  public String toString() {
    return "PageBounds(" + min.length + " pages)";
  }
}
