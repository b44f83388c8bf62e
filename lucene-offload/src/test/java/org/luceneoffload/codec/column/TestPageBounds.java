/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.junit.jupiter.api.Test;

/** Bounds of pages: what ranges concern, and the way to a file and back. */
class TestPageBounds {
  private static PageBounds bounds(long... minMaxDocs) {
    PageBounds.Builder bounds = new PageBounds.Builder();
    for (int i = 0; i < minMaxDocs.length; i += 3) {
      bounds.add(minMaxDocs[i], minMaxDocs[i + 1], (int) minMaxDocs[i + 2]);
    }
    return bounds.build();
  }

  private static void assertOverlap(
      PageBounds bounds, long lo, long hi, int pages, int partly, double docs) {
    PageBounds.Overlap overlap = bounds.overlap(lo, hi);
    assertEquals(pages, overlap.pages(), overlap.toString());
    assertEquals(partly, overlap.partly(), overlap.toString());
    assertEquals(docs, overlap.docs(), 1e-6 * Math.max(1, docs));
  }

  @Test
  void rangesOfPages() {
    PageBounds pages = bounds(0, 99, 100, 100, 199, 50, 1000, 1000, 7);
    assertOverlap(pages, 200, 999, 0, 0, 0);
    assertOverlap(pages, 0, 99, 1, 0, 100);
    assertOverlap(pages, 50, 149, 2, 2, 50 + 25);
    assertOverlap(pages, 1000, 1000, 1, 0, 7);
    assertOverlap(pages, 99, 100, 2, 2, 1 + 0.5);
    assertOverlap(pages, Long.MIN_VALUE, Long.MAX_VALUE, 3, 0, 157);
    assertOverlap(pages, Long.MIN_VALUE, -1, 0, 0, 0);
  }

  @Test
  void pagesOfAllLongs() {
    PageBounds pages = bounds(Long.MIN_VALUE, Long.MAX_VALUE, 1000, -1, Long.MAX_VALUE, 10);
    assertOverlap(pages, Long.MIN_VALUE, Long.MAX_VALUE, 2, 0, 1010);
    assertOverlap(pages, 0, Long.MAX_VALUE, 2, 2, 510);
    assertOverlap(pages, Long.MIN_VALUE, -2, 1, 1, 500);
    assertOverlap(pages, Long.MIN_VALUE, Long.MIN_VALUE, 1, 1, 0);
  }

  @Test
  void severalRanges() {
    PageBounds pages = bounds(0, 99, 100, 100, 199, 50, 1000, 1000, 7);
    PageBounds.Overlap overlap = pages.overlap(new long[] {-5, 9, 20, 29, 150, 999});
    assertEquals(new PageBounds.Overlap(2, 2, 45), overlap);
    overlap = pages.overlap(new long[] {-5, -1, 200, 999, 1001, 1002});
    assertEquals(new PageBounds.Overlap(0, 0, 0), overlap);
    overlap = pages.overlap(new long[] {-5, 99, 100, 1000});
    assertEquals(new PageBounds.Overlap(3, 0, 157), overlap);
    PageBounds all = bounds(Long.MIN_VALUE, Long.MAX_VALUE, 1000);
    overlap = all.overlap(new long[] {Long.MIN_VALUE, -1, 5, 5, Long.MAX_VALUE, Long.MAX_VALUE});
    assertEquals(1, overlap.partly());
    assertEquals(500, overlap.docs(), 1e-6);
  }

  @Test
  void pagesOfOneValue() {
    assertEquals(1, bounds(0, 99, 100, 100, 199, 50, 1000, 1000, 7).pagesOfValue());
    // The least values: 0, twice, is in two pages, and 50 in all three.
    assertEquals((2 + 2 + 3) / 3.0, bounds(0, 99, 9, 0, 59, 9, 50, 70, 9).pagesOfValue(), 1e-9);
    long[] alike = new long[3 * 100];
    for (int i = 0; i < alike.length; i += 3) {
      alike[i + 1] = 9;
      alike[i + 2] = 5;
    }
    assertEquals(100, bounds(alike).pagesOfValue(), 1e-9);
  }

  /** Of ranges side by side, each page is of as many docs as of the ranges one by one. */
  @Test
  void severalRangesAreTheirSum() {
    Random random = new Random(6);
    for (int round = 0; round < 300; round++) {
      long[] minMaxDocs = new long[3 * (1 + random.nextInt(20))];
      for (int i = 0; i < minMaxDocs.length; i += 3) {
        minMaxDocs[i] = random.nextInt(2000) - 1000;
        minMaxDocs[i + 1] = minMaxDocs[i] + random.nextInt(500);
        minMaxDocs[i + 2] = 1 + random.nextInt(1000);
      }
      long[] ranges = new long[2 * (2 + random.nextInt(30))];
      long next = -1200;
      for (int i = 0; i < ranges.length; i++) {
        next += i % 2 == 0 ? 1 + random.nextInt(80) : random.nextInt(40);
        ranges[i] = next;
      }
      PageBounds pages = bounds(minMaxDocs);
      double docs = 0;
      for (int i = 0; i < ranges.length; i += 2) {
        docs += pages.overlap(ranges[i], ranges[i + 1]).docs();
      }
      int touched = 0;
      for (int p = 0; p < minMaxDocs.length; p += 3) {
        PageBounds page = bounds(minMaxDocs[p], minMaxDocs[p + 1], minMaxDocs[p + 2]);
        for (int i = 0; i < ranges.length; i += 2) {
          if (page.overlap(ranges[i], ranges[i + 1]).pages() > 0) {
            touched++;
            break;
          }
        }
      }
      PageBounds.Overlap overlap = pages.overlap(ranges);
      assertEquals(touched, overlap.pages());
      assertEquals(docs, overlap.docs(), 1e-6 * Math.max(1, docs));
    }
  }

  @Test
  void fileAndBack() throws IOException {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      long[] values = new long[3 * (1 + random.nextInt(40))];
      for (int i = 0; i < values.length; i += 3) {
        long a = random.nextLong() >> random.nextInt(64);
        long b = random.nextInt(4) == 0 ? a : random.nextLong() >> random.nextInt(64);
        values[i] = Math.min(a, b);
        values[i + 1] = Math.max(a, b);
        values[i + 2] = 1 + random.nextInt(32_000);
      }
      PageBounds written = bounds(values);
      ByteBuffersDataOutput out = new ByteBuffersDataOutput();
      written.write(out);
      ByteBuffersDataInput in = out.toDataInput();
      assertEquals(written, PageBounds.read(in, values.length / 3));
      assertEquals(in.length(), in.position());
      values[1] ^= 1;
      assertNotEquals(written, bounds(values));
    }
  }

  @Test
  void brokenBoundsAreFound() throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    bounds(Long.MAX_VALUE, Long.MAX_VALUE, 3).write(out);
    byte[] bytes = out.toArrayCopy();
    bytes[9] = 1; // greatest value: one above the greatest long
    assertThrows(
        CorruptIndexException.class, () -> PageBounds.read(new ByteArrayDataInput(bytes), 1));
    bytes[9] = 0;
    bytes[10] = 0; // docs
    assertThrows(
        CorruptIndexException.class, () -> PageBounds.read(new ByteArrayDataInput(bytes), 1));
    ByteBuffersDataInput few = new ByteBuffersDataInput(out.toBufferList());
    assertThrows(EOFException.class, () -> PageBounds.read(few, Integer.MAX_VALUE));
  }

  @Test
  void sharesAreBetweenNoneAndAll() {
    assertEquals(1, PageBounds.share(5, 5, 0, 9));
    assertEquals(0.5, PageBounds.share(0, 9, 5, 20));
    assertTrue(PageBounds.share(Long.MIN_VALUE, Long.MAX_VALUE, 0, 0) > 0);
  }
}
