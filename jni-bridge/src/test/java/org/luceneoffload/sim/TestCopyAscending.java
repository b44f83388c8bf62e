/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.PlainSession;

/** Native code and the code that every back end inherits tell the same of the same doc IDs. */
class TestCopyAscending {
  private static final int FROM = 48;
  private static final int MAX_DOCS = 5000;

  private final ByteBuffer page =
      ByteBuffer.allocateDirect(FROM + MAX_DOCS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final int[] docs = new int[MAX_DOCS];

  @TempDir Path home;

  private boolean copy(int count, int... wanted) throws IOException {
    for (int i = 0; i < count; i++) {
      page.putInt(FROM + i * Integer.BYTES, wanted[i]);
    }
    Arrays.fill(docs, -7);
    boolean plain = new PlainSession().copyAscending(page, FROM, count, docs);
    Arrays.fill(docs, -7);
    boolean natively = SimSession.nativeCopyAscending(page, FROM, count, docs);
    assertEquals(plain, natively);
    if (natively) {
      assertArrayEquals(Arrays.copyOf(wanted, count), Arrays.copyOf(docs, count));
    }
    for (int i = count; i < MAX_DOCS; i++) {
      assertEquals(-7, docs[i], "behind the last");
    }
    return natively;
  }

  private static int[] ascending() {
    int[] wanted = new int[MAX_DOCS];
    for (int i = 0; i < MAX_DOCS; i++) {
      wanted[i] = 3 * i;
    }
    return wanted;
  }

  @Test
  void copiesAscendingDocs() throws IOException {
    open();
    for (int count : new int[] {1, 2, 3, 17, 128, 2047, 2048, 2049, 2050, 4096, 4097, MAX_DOCS}) {
      assertTrue(copy(count, ascending()), count + " docs");
    }
    assertTrue(copy(2, 0, Integer.MAX_VALUE));
  }

  @Test
  void seesOneDocOutOfOrderAnywhere() throws IOException {
    open();
    for (int at : new int[] {1, 2, 15, 16, 2047, 2048, 2049, 4096, 4097, MAX_DOCS - 1}) {
      int[] wanted = ascending();
      wanted[at] = wanted[at - 1];
      assertFalse(copy(MAX_DOCS, wanted), "twice, at " + at);
      wanted[at] = wanted[at - 1] - 1;
      assertFalse(copy(MAX_DOCS, wanted), "falling, at " + at);
      wanted[at] = Integer.MIN_VALUE;
      assertFalse(copy(MAX_DOCS, wanted), "negative, at " + at);
      wanted[at] = -1;
      assertFalse(copy(MAX_DOCS, wanted), "negative, at " + at);
    }
    assertFalse(copy(1, -1));
    assertFalse(copy(2, Integer.MIN_VALUE, 0));
    assertFalse(copy(2, Integer.MAX_VALUE, 0));
    assertFalse(copy(3, -3, -2, -1));
  }

  @Test
  void refusesRangesOutsideOfPageAndArray() throws IOException {
    open();
    assertFalse(SimSession.nativeCopyAscending(page, FROM, MAX_DOCS + 1, new int[MAX_DOCS + 1]));
    assertFalse(SimSession.nativeCopyAscending(page, FROM, 2, new int[1]));
    assertFalse(SimSession.nativeCopyAscending(page, -4, 2, docs));
    assertFalse(SimSession.nativeCopyAscending(page, FROM + 1, 2, docs));
    assertFalse(SimSession.nativeCopyAscending(ByteBuffer.allocate(400), 0, 2, docs));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> new PlainSession().copyAscending(page, FROM, MAX_DOCS + 1, new int[MAX_DOCS + 1]));
  }

  /** Loads the library. */
  private void open() throws IOException {
    try (Device device = new SimDeviceProvider().openForWriting("capacity=16m", home)) {
      assertTrue(device.info().lbaCount() > 0);
    }
  }
}
