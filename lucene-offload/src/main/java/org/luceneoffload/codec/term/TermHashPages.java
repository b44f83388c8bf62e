/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.RandomAccessInput;

/**
 * The pages of a term hash, each of which is verified when it is read for the first time: so
 * opening reads none of them, and no byte is believed unverified. Safe for use by several threads:
 * two that meet at a page may both verify it.
 */
public final class TermHashPages {
  private static final int SHIFT = 12;

  /** Bytes of a page; the last page may be shorter. */
  public static final int PAGE_BYTES = 1 << SHIFT;

  /** Bytes of checksums that are asked for at most: those of 64 MiB. */
  private static final long MAX_SUMS_ASKED = 1 << 16;

  private final long length;
  private final AtomicIntegerArray verified; // a bit for each page
  private volatile boolean askedForSums;

  /**
   * Pages of which none is verified yet.
   *
   * @param length bytes of all pages, from the beginning of the file; their checksums follow
   */
  public TermHashPages(long length) {
    this.length = length;
    this.verified = new AtomicIntegerArray(Math.toIntExact((count(length) >>> 5) + 1));
  }

  /** Returns the number of pages that hold {@code length} bytes. */
  public static long count(long length) {
    return length + PAGE_BYTES - 1 >>> SHIFT;
  }

  /**
   * Asks for the pages that some bytes are in, unless they are verified, and once for checksums.
   *
   * @param again whether to ask for pages that are verified, too: the system has let go of them
   */
  public void ask(RandomAccessInput in, long position, int bytes, boolean again)
      throws IOException {
    int page = (int) (position >>> SHIFT);
    int last = (int) (Math.min(position + bytes, length) - 1 >>> SHIFT);
    while (!again && page <= last && (verified.getPlain(page >>> 5) & 1 << page) != 0) {
      page++;
    }
    if (page <= last) {
      long start = (long) page << SHIFT;
      in.prefetch(start, Math.min(last + 1L << SHIFT, length) - start);
      if (!askedForSums) {
        askedForSums = true;
        in.prefetch(length, Math.min(MAX_SUMS_ASKED, count(length) * Integer.BYTES));
      }
    }
  }

  /**
   * Returns whether the page that a byte is in has been verified; position as of {@link #verify}.
   */
  public boolean isVerified(long position) {
    int page = (int) (position >>> SHIFT);
    return (verified.getPlain(page >>> 5) & 1 << page) != 0;
  }

  /**
   * Verifies the page that a byte is in, unless that was done before.
   *
   * @param position the byte's position, less than the length of all pages
   * @param ahead told before a page is read; null: nobody is
   * @return position after the last byte of the page
   * @throws CorruptIndexException if the page's checksum is wrong
   */
  public long verify(RandomAccessInput in, long position, ReadAhead ahead) throws IOException {
    int page = (int) (position >>> SHIFT);
    if (!isVerified(position)) {
      if (ahead != null) {
        ahead.beforeReading();
      }
      verifyPage(in, page);
    }
    return page + 1L << SHIFT;
  }

  private void verifyPage(RandomAccessInput in, int page) throws IOException {
    long start = (long) page << SHIFT;
    byte[] bytes = new byte[(int) Math.min(PAGE_BYTES, length - start)];
    in.readBytes(start, bytes, 0, bytes.length);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    if ((int) crc.getValue() != in.readInt(length + (long) page * Integer.BYTES)) {
      throw new CorruptIndexException("page " + page + " is damaged", in.toString());
    }
    int word = page >>> 5;
    // A bit that another thread sets meanwhile may be lost: its page is verified once more then.
    verified.setOpaque(word, verified.getPlain(word) | 1 << page);
  }
}
