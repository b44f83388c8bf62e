/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.WireVector;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;

class TestColumnPageEncoder {
  private static final long STAMP = 0x0123456789ABCDEFL;

  private final List<byte[]> pages = new ArrayList<>();
  private final ColumnPageEncoder encoder =
      new ColumnPageEncoder(STAMP, 7, page -> pages.add(page.clone()));

  private static ByteBuffer buffer(byte[] page) {
    return ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void encode(SortedMap<Integer, long[]> docs) throws IOException {
    for (Map.Entry<Integer, long[]> doc : docs.entrySet()) {
      assertTrue(encoder.add(doc.getKey(), doc.getValue(), doc.getValue().length));
    }
    encoder.finish();
  }

  /** What the pages say, all together; their numbers and stamps are checked. */
  private SortedMap<Integer, long[]> decode() throws IOException {
    SortedMap<Integer, long[]> docs = new TreeMap<>();
    for (int i = 0; i < pages.size(); i++) {
      ByteBuffer page = buffer(pages.get(i));
      assertEquals(7 + i, ColumnPageHeaderLayout.filePage(page, 0));
      assertEquals(STAMP, ColumnPageHeaderLayout.stamp(page, 0));
      SortedMap<Integer, long[]> part = ColumnPageDecoder.decode(page);
      assertTrue(docs.isEmpty() || docs.lastKey() < part.firstKey(), "page " + i);
      docs.putAll(part);
    }
    return docs;
  }

  private static void assertSame(
      SortedMap<Integer, long[]> expected, SortedMap<Integer, long[]> got) {
    assertEquals(expected.keySet(), got.keySet());
    expected.forEach((doc, values) -> assertArrayEquals(values, got.get(doc), "doc " + doc));
  }

  /** Values of the kinds that fields have. */
  private static LongSupplier values(Random random, int kind) {
    return switch (kind) {
      case 0 -> () -> random.nextInt(1000) - 500;
      case 1 -> random::nextLong;
      case 2 -> () -> 1_600_000_000_000L + 86_400_000L * random.nextInt(5000);
      case 3 -> () -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      case 4 -> () -> 42;
      default -> () -> (long) random.nextInt(20) * 1_000_000_007L - 5;
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void roundTripsRandomColumns(long seed) throws IOException {
    Random random = new Random(seed);
    LongSupplier values = values(random, (int) (seed % 6));
    for (int density : new int[] {1000, 990, 300, 10, 1}) {
      for (int most : new int[] {1, 5}) {
        SortedMap<Integer, long[]> docs = new TreeMap<>();
        for (int doc = random.nextInt(100); doc < 6_000; doc++) {
          if (random.nextInt(1000) < density) {
            long[] own = new long[1 + random.nextInt(most)];
            Arrays.setAll(own, i -> values.getAsLong());
            Arrays.sort(own);
            docs.put(doc, own);
          }
        }
        if (docs.isEmpty()) {
          docs.put(5, new long[] {values.getAsLong()});
        }
        TestColumnPageEncoder one = new TestColumnPageEncoder();
        one.encode(docs);
        assertSame(docs, one.decode());
        assertEquals(docs.size(), one.encoder.docCount());
        assertEquals(
            docs.values().stream().mapToLong(v -> v.length).sum(), one.encoder.valueCount());
        assertEquals(one.pages.size(), one.encoder.pageCount());
        one.assertPagesAreOfTheirOwn();
      }
    }
  }

  /** Each page is what its docs alone would give, and holds as many docs as fit. */
  private void assertPagesAreOfTheirOwn() throws IOException {
    for (int i = 0; i < pages.size(); i++) {
      List<byte[]> alone = new ArrayList<>();
      ColumnPageEncoder fresh =
          new ColumnPageEncoder(STAMP, 7 + i, page -> alone.add(page.clone()));
      for (var doc : ColumnPageDecoder.decode(buffer(pages.get(i))).entrySet()) {
        fresh.add(doc.getKey(), doc.getValue(), doc.getValue().length);
      }
      if (i + 1 < pages.size()) {
        assertEquals(0, alone.size());
        var next = ColumnPageDecoder.decode(buffer(pages.get(i + 1)));
        fresh.add(next.firstKey(), next.get(next.firstKey()), next.get(next.firstKey()).length);
        assertEquals(1, alone.size(), "page " + i + " has room for another doc");
      } else {
        fresh.finish();
      }
      assertArrayEquals(alone.getFirst(), pages.get(i), "page " + i);
    }
  }

  /** Every page but the last is as full as the docs allow. */
  @Test
  void fillsPages() throws IOException {
    Random random = new Random(1);
    for (int doc = 0; doc < 100_000; doc++) {
      encoder.add(doc, random.nextInt(1 << 16));
    }
    encoder.finish();
    for (byte[] page : pages.subList(0, pages.size() - 1)) {
      assertTrue(ColumnPageHeaderLayout.usedBytes(buffer(page), 0) >= 4095);
    }
    // 16 bits a doc, 72 bytes of each page are its header.
    assertEquals(50, pages.size());
  }

  @Test
  void aConstantTakesHardlyAnything() throws IOException {
    for (int doc = 0; doc < 1_000_000; doc++) {
      encoder.add(doc, -3);
    }
    encoder.finish();
    assertEquals(8, pages.size());
    assertEquals(-3, encoder.min());
    assertEquals(-3, encoder.max());
  }

  @Test
  void aDocWithTooManyValuesIsRefused() throws IOException {
    long[] own = new long[900];
    Random random = new Random(2);
    Arrays.setAll(own, i -> random.nextLong());
    Arrays.sort(own);
    encoder.add(1, 5);
    assertTrue(encoder.add(2, own, 400));
    assertFalse(encoder.add(3, own, 900));
  }

  /** The forms that a writer takes are those that WIRE.md says, byte for byte. */
  @Test
  void writesTheGoldenVectors() throws IOException {
    int tested = 0;
    for (WireVector vector : WireVector.all("good")) {
      if (!vector.struct().equals("column_page") || !vector.isOfWriter()) {
        continue;
      }
      ByteBuffer expected = vector.bytes();
      List<byte[]> written = new ArrayList<>();
      ColumnPageEncoder writer =
          new ColumnPageEncoder(
              ColumnPageHeaderLayout.stamp(expected, 0),
              ColumnPageHeaderLayout.filePage(expected, 0),
              page -> written.add(page.clone()));
      for (Map.Entry<String, String> row : vector.section("values").pairs().entrySet()) {
        long[] own = Arrays.stream(row.getValue().split(" ")).mapToLong(Long::parseLong).toArray();
        writer.add(Integer.parseInt(row.getKey()), own, own.length);
      }
      writer.finish();
      assertEquals(1, written.size(), vector.toString());
      byte[] bytes = new byte[OffloadWire.PAGE_BYTES];
      expected.get(0, bytes);
      assertArrayEquals(bytes, written.get(0), vector.toString());
      tested++;
    }
    assertTrue(tested >= 10, tested + " vectors");
  }
}
