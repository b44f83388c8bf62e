/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.SortSelector;
import org.luceneoffload.wire.OffloadWire.SortTransform;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;

/** Sorted result pages: what is good is read, and each rule that is broken is seen. */
class TestSortedResultReader {
  private static final int ENTRY = 24;
  private static final int FIRST = ResultHeaderLayout.BYTES;

  private final Random random = new Random(DamagedBytes.seed(getClass()));
  private final SortPart sort =
      new SortPart(
          List.of(
              SortKey.ofColumn(0, SortTransform.I32, SortSelector.MIN, -1L, true),
              SortKey.ofScore(false)));

  private static PlanRequest request() {
    PlanRequest request = PlanRequest.of(OffloadWire.Mode.TOP_K_BY_COLUMN, 10, 100, 4096);
    request.k = 3;
    return request;
  }

  private static void entry(ByteBuffer page, int i, int doc, float score, long key) {
    int at = FIRST + i * ENTRY;
    page.putInt(at, doc).putFloat(at + 4, score).putLong(at + 8, key);
    page.putLong(at + 16, KeyValues.ofScore(score));
  }

  private static ByteBuffer page() {
    ByteBuffer page = ByteBuffer.allocate(FIRST + 3 * ENTRY).order(ByteOrder.LITTLE_ENDIAN);
    ResultHeaderLayout.magic(page, 0, OffloadWire.RESULT_MAGIC);
    ResultHeaderLayout.version(page, 0, OffloadWire.VERSION);
    ResultHeaderLayout.mode(page, 0, OffloadWire.Mode.TOP_K_BY_COLUMN);
    ResultHeaderLayout.totalBytes(page, 0, page.capacity());
    ResultHeaderLayout.entryCount(page, 0, 3);
    ResultHeaderLayout.matchCount(page, 0, 5);
    ResultHeaderLayout.nextDoc(page, 0, 100);
    entry(page, 0, 50, 1f, -1L); // without a value
    entry(page, 1, 20, 2f, KeyValues.ofInt(7));
    entry(page, 2, 30, 2f, KeyValues.ofInt(7));
    return page;
  }

  private void refused(Consumer<ByteBuffer> change) {
    ByteBuffer page = page();
    change.accept(page);
    OffloadException e =
        assertThrows(
            OffloadException.class, () -> new SortedResultReader().reset(page, request(), sort));
    assertEquals(OffloadWire.Status.INTERNAL, e.status());
  }

  @Test
  void readsEntries() throws OffloadException {
    SortedResultReader reader = new SortedResultReader();
    reader.reset(page(), request(), sort);
    assertEquals(3, reader.header().entryCount());
    assertEquals(5, reader.header().matchCount());
    assertArrayEquals(
        new int[] {50, 20, 30}, new int[] {reader.doc(0), reader.doc(1), reader.doc(2)});
    assertEquals(2f, reader.score(1));
    assertEquals(7, KeyValues.toInt(reader.key(2, 0)));
    assertEquals(2f, KeyValues.toScore(reader.key(2, 1)));
  }

  @Test
  void refusesWhatBreaksARule() {
    refused(b -> entry(b, 1, 30, 2f, KeyValues.ofInt(7))); // a doc twice
    refused(b -> entry(b, 1, 20, 2f, KeyValues.ofInt(6))); // keys out of order
    refused(b -> entry(b, 2, 30, 3f, KeyValues.ofInt(7))); // scores out of order
    refused(b -> entry(b, 0, 9, 1f, -1L)); // below min_doc
    refused(b -> entry(b, 0, 100, 1f, -1L)); // at limit_doc
    refused(b -> entry(b, 0, 50, -1f, -1L));
    refused(b -> entry(b, 0, 50, Float.NaN, -1L));
    refused(b -> entry(b, 0, 50, 1f, 1L << 32)); // no key of 32 bits
    refused(b -> b.putFloat(FIRST + 4, 1.5f)); // not the score of the key
    refused(b -> ResultHeaderLayout.entryCount(b, 0, 2));
    refused(b -> ResultHeaderLayout.mode(b, 0, OffloadWire.Mode.TOP_K));
    refused(b -> ResultHeaderLayout.matchCount(b, 0, 2));
    refused(b -> ResultHeaderLayout.nextDoc(b, 0, 99));
  }

  @Test
  void refusesHitsBeyondTheLimits() {
    sort.after(new long[] {KeyValues.ofInt(7), KeyValues.ofScore(2f)}, 19);
    refused(b -> {}); // the first one comes before
    sort.after(new long[] {-1L, 0}, -1);
    sort.bottom(new long[] {KeyValues.ofInt(7), KeyValues.ofScore(2f)}, false);
    refused(b -> {}); // the others are no better than the bottom
  }

  @Test
  void damagedPages() {
    byte[] good = page().array();
    int accepted = 0;
    for (int i = 0; i < 20000; i++) {
      byte[] bytes = good.clone();
      DamagedBytes.alter(random, bytes, 0);
      ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      SortedResultReader reader = new SortedResultReader();
      try {
        reader.reset(page, request(), sort);
        accepted++;
        for (int e = 0; e < reader.header().entryCount(); e++) {
          assertTrue(reader.doc(e) >= 10 && reader.doc(e) < 100);
          assertTrue(reader.score(e) >= 0f);
        }
      } catch (OffloadException expected) {
        continue;
      }
    }
    assertTrue(accepted > 100 && accepted < 19900, accepted + " accepted");
  }
}
