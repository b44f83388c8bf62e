/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PageHeaderLayout;

class TestPageEncoder {
  private static final long STAMP = 0x0123456789ABCDEFL;
  private static final int FIRST_PAGE = 1;

  private record PostingList(int[] docs, int[] freqs, int[] norms) {}

  private final List<byte[]> pages = new ArrayList<>();
  private final PageEncoder encoder =
      new PageEncoder(STAMP, FIRST_PAGE, page -> pages.add(page.clone()));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void roundTripsRandomLists(long seed) throws IOException {
    Random random = new Random(seed);
    List<PostingList> lists = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      lists.add(randomList(random));
    }
    List<int[]> starts = new ArrayList<>();
    for (PostingList list : lists) {
      starts.add(add(list));
    }
    encoder.finish();

    PageDecoder decoder = new PageDecoder();
    for (int i = 0; i < lists.size(); i++) {
      assertList(lists.get(i), starts.get(i), decoder);
    }
    assertTrue(pages.size() > 5, "lists must span pages");
  }

  @Test
  void fillsAPageWithSmallBlocks() throws IOException {
    for (int i = 0; i < 2 * OffloadWire.MAX_BLOCKS_PER_PAGE + 1; i++) {
      add(new PostingList(new int[] {0, 1}, new int[] {1, 1}, new int[] {7, 7}));
    }
    encoder.finish();
    PageDecoder decoder = new PageDecoder();
    decoder.reset(page(0), STAMP, FIRST_PAGE);
    assertEquals(OffloadWire.MAX_BLOCKS_PER_PAGE, decoder.blockCount());
    assertEquals(3, pages.size());
  }

  @Test
  void takesTheExtremes() throws IOException {
    PostingList list =
        new PostingList(
            new int[] {OffloadWire.MAX_DOC - 2, OffloadWire.MAX_DOC - 1},
            new int[] {Integer.MAX_VALUE, 1},
            new int[] {0, 255});
    int[] start = add(list);
    encoder.finish();
    assertList(list, start, new PageDecoder());
  }

  /** Freqs of 1 but for some high ones, up to more than a block may have as exceptions. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 128})
  void takesAFewHighFreqsAsExceptions(int high) throws IOException {
    for (int most : new int[] {2, 256, 257, 1 << 20}) {
      pages.clear();
      PageEncoder own = new PageEncoder(STAMP, FIRST_PAGE, page -> pages.add(page.clone()));
      int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
      int[] freqs = new int[OffloadWire.BLOCK_POSTINGS];
      int[] norms = new int[OffloadWire.BLOCK_POSTINGS];
      for (int i = 0; i < docs.length; i++) {
        docs[i] = 1000 * i;
        freqs[i] = i < high ? most : 1;
      }
      own.addBlock(
          docs, freqs, norms, docs.length, OffloadWire.NO_DOC, OffloadWire.BlockFlag.FIRST_OF_LIST);
      own.finish();
      PageDecoder decoder = new PageDecoder();
      decoder.reset(page(0), STAMP, FIRST_PAGE);
      boolean fit = high <= OffloadWire.MAX_FREQ_EXCEPTIONS && most <= 257;
      assertEquals(fit ? high : 0, decoder.exceptions(0), high + " freqs of " + most);
      int[] found = new int[OffloadWire.BLOCK_POSTINGS];
      decoder.decode(0, new int[docs.length], found, new int[docs.length]);
      assertArrayEquals(freqs, found);
    }
  }

  @Test
  void decoderRefusesPagesOfTheFirstVersion() throws IOException {
    add(randomList(new Random(12)));
    encoder.finish();
    ByteBuffer old = page(0);
    PageHeaderLayout.version(old, 0, 1);
    OffloadException refused =
        assertThrows(OffloadException.class, () -> new PageDecoder().reset(old, STAMP, FIRST_PAGE));
    assertEquals(OffloadWire.Status.UNSUPPORTED_VERSION, refused.status());
    assertEquals("UNSUPPORTED_VERSION: page 1 has wire version 1, not 2", refused.getMessage());
  }

  @Test
  void writesNothingForNothing() throws IOException {
    encoder.finish();
    assertEquals(0, pages.size());
  }

  @Test
  void refusesDocsOutOfOrder() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            encoder.addBlock(
                new int[] {5, 5}, new int[] {1, 1}, new int[] {1, 1}, 2, OffloadWire.NO_DOC, 3));
  }

  @Test
  void decoderNoticesEveryFlippedBit() throws IOException {
    add(randomList(new Random(9)));
    encoder.finish();
    byte[] page = pages.get(0);
    PageDecoder decoder = new PageDecoder();
    Random random = new Random(10);
    for (int i = 0; i < 500; i++) {
      int bit = random.nextInt(page.length * 8);
      page[bit >>> 3] ^= (byte) (1 << (bit & 7));
      assertThrows(
          OffloadException.class, () -> decoder.reset(page(0), STAMP, FIRST_PAGE), "bit " + bit);
      page[bit >>> 3] ^= (byte) (1 << (bit & 7));
    }
    decoder.reset(page(0), STAMP, FIRST_PAGE);
  }

  @Test
  void decoderTellsAForeignPage() throws IOException {
    add(randomList(new Random(11)));
    encoder.finish();
    PageDecoder decoder = new PageDecoder();
    OffloadException stamp =
        assertThrows(OffloadException.class, () -> decoder.reset(page(0), STAMP + 1, FIRST_PAGE));
    assertEquals(OffloadWire.Status.PAGE_STALE, stamp.status());
    OffloadException number =
        assertThrows(OffloadException.class, () -> decoder.reset(page(0), STAMP, FIRST_PAGE + 1));
    assertEquals(OffloadWire.Status.PAGE_STALE, number.status());
  }

  private ByteBuffer page(int index) {
    return ByteBuffer.wrap(pages.get(index)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static PostingList randomList(Random random) {
    int size =
        switch (random.nextInt(4)) {
          case 0 -> 2 + random.nextInt(5);
          case 1 -> 1 + random.nextInt(128);
          case 2 -> 128 * (1 + random.nextInt(3));
          default -> 1 + random.nextInt(3000);
        };
    int gap = 1 << random.nextInt(16);
    int maxFreq = 1 << random.nextInt(12);
    int norms = 1 + random.nextInt(255);
    PostingList list = new PostingList(new int[size], new int[size], new int[size]);
    int doc = -1;
    for (int i = 0; i < size; i++) {
      doc += 1 + random.nextInt(gap);
      list.docs()[i] = doc;
      list.freqs()[i] = 1 + random.nextInt(maxFreq);
      list.norms()[i] = random.nextInt(norms);
    }
    return list;
  }

  /** Adds a list; returns its first page and slot. */
  private int[] add(PostingList list) throws IOException {
    int[] start = null;
    int size = list.docs().length;
    int base = OffloadWire.NO_DOC;
    for (int from = 0; from < size; from += OffloadWire.BLOCK_POSTINGS) {
      int to = Math.min(size, from + OffloadWire.BLOCK_POSTINGS);
      int flags =
          (from == 0 ? OffloadWire.BlockFlag.FIRST_OF_LIST : 0)
              | (to == size ? OffloadWire.BlockFlag.LAST_OF_LIST : 0);
      encoder.addBlock(
          Arrays.copyOfRange(list.docs(), from, to),
          Arrays.copyOfRange(list.freqs(), from, to),
          Arrays.copyOfRange(list.norms(), from, to),
          to - from,
          base,
          flags);
      if (start == null) {
        start = new int[] {encoder.filePage(), encoder.slot()};
      }
      base = list.docs()[to - 1];
    }
    return start;
  }

  private void assertList(PostingList list, int[] start, PageDecoder decoder) throws IOException {
    int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
    int[] freqs = new int[OffloadWire.BLOCK_POSTINGS];
    int[] norms = new int[OffloadWire.BLOCK_POSTINGS];
    int filePage = start[0];
    int slot = start[1];
    decoder.reset(page(filePage - FIRST_PAGE), STAMP, filePage);
    int at = 0;
    while (true) {
      if (slot == decoder.blockCount()) {
        filePage++;
        slot = 0;
        decoder.reset(page(filePage - FIRST_PAGE), STAMP, filePage);
      }
      int count = decoder.decode(slot, docs, freqs, norms);
      for (int i = 0; i < count; i++, at++) {
        assertEquals(list.docs()[at], docs[i]);
        assertEquals(list.freqs()[at], freqs[i]);
        assertEquals(list.norms()[at], norms[i]);
      }
      if ((decoder.flags(slot++) & OffloadWire.BlockFlag.LAST_OF_LIST) != 0) {
        break;
      }
    }
    assertEquals(list.docs().length, at);
  }
}
