/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadWire;

/** Position pages: what the encoder is given comes out of the decoder. */
class TestPositionPages {
  private static final long STAMP = 0x0123_4567_89AB_CDEFL;
  private static final int FIRST = OffloadWire.PositionFlag.FIRST_OF_LIST;
  private static final int LAST = OffloadWire.PositionFlag.LAST_OF_LIST;

  private record Block(int firstDoc, int lastDoc, int rank, int[] values, int flags) {}

  private final List<byte[]> pages = new ArrayList<>();
  private final PositionPageEncoder encoder =
      new PositionPageEncoder(STAMP, page -> pages.add(page.clone()));

  private void add(Block block) throws IOException {
    encoder.addBlock(
        block.firstDoc, block.lastDoc, block.rank, block.values, block.values.length, block.flags);
  }

  /** Reads all pages back and compares them with the blocks. */
  private void assertBlocks(List<Block> blocks) throws IOException {
    encoder.finish();
    PositionPageDecoder decoder = new PositionPageDecoder();
    int[] values = new int[OffloadWire.MAX_POSITION_VALUES];
    int next = 0;
    for (int p = 0; p < pages.size(); p++) {
      PositionPageEncoder.seal(pages.get(p), 7 + p);
      decoder.reset(view(pages.get(p)), STAMP, 7 + p);
      for (int slot = 0; slot < decoder.blockCount(); slot++) {
        Block block = blocks.get(next++);
        assertEquals(block.lastDoc, decoder.lastDoc(slot));
        assertEquals(block.rank, decoder.rank(slot));
        assertEquals(block.flags, decoder.flags(slot) & (FIRST | LAST));
        int count = decoder.decode(slot, values);
        assertArrayEquals(block.values, Arrays.copyOf(values, count));
      }
    }
    assertEquals(blocks.size(), next);
  }

  private static ByteBuffer view(byte[] page) {
    return ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Values of up to so many bits, a few of them wider. */
  private static int[] values(Random random, int count) {
    int bits = random.nextInt(32);
    int rare = random.nextInt(32);
    int oneOf = 1 + random.nextInt(200);
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt() >>> 1 >>> 31 - (random.nextInt(oneOf) == 0 ? rare : bits);
    }
    return values;
  }

  @Test
  void randomBlocks() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      pages.clear();
      PositionPageEncoder made = new PositionPageEncoder(STAMP, page -> pages.add(page.clone()));
      List<Block> blocks = new ArrayList<>();
      int most = random.nextBoolean() ? 4 : OffloadWire.MAX_POSITION_VALUES;
      boolean first = true;
      int doc = 0;
      for (int left = 1 + random.nextInt(400); left > 0; left--) {
        boolean last = left == 1 || random.nextInt(3) == 0;
        int lastDoc = doc + random.nextInt(1000);
        int rank = first || random.nextBoolean() ? 0 : random.nextInt();
        int flags = (first ? FIRST : 0) | (last ? LAST : 0);
        Block block =
            new Block(doc, lastDoc, rank, values(random, 1 + random.nextInt(most)), flags);
        blocks.add(block);
        int page = made.page();
        made.addBlock(
            block.firstDoc, lastDoc, rank, block.values, block.values.length, block.flags);
        assertEquals(page == made.page() || page + 1 == made.page(), true);
        first = last;
        doc = last ? 0 : lastDoc;
      }
      made.finish();
      assertBlocks(blocks);
    }
  }

  @Test
  void smallestAndLargestBlocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      blocks.add(new Block(i, i, 0, new int[1 + i % 2], FIRST | LAST)); // zeros: no bits
    }
    int[] widest = new int[OffloadWire.MAX_POSITION_VALUES];
    Arrays.fill(widest, Integer.MAX_VALUE);
    blocks.add(new Block(5, 9, 0, widest, FIRST));
    blocks.add(new Block(9, 9, 1024, widest, 0));
    blocks.add(new Block(9, OffloadWire.MAX_DOC - 1, -1, widest, LAST));
    for (Block block : blocks) {
      add(block);
    }
    assertBlocks(blocks);
  }

  @Test
  void aFewHighValuesDoNotWidenTheOthers() throws IOException {
    int[] values = new int[500];
    values[77] = 200;
    values[499] = 255;
    add(new Block(0, 1, 0, values, FIRST | LAST));
    assertBlocks(List.of(new Block(0, 1, 0, values, FIRST | LAST)));
    int used = Short.toUnsignedInt(view(pages.getFirst()).getShort(28));
    assertEquals(48 + 12 + 2 * OffloadWire.POSITION_EXCEPTION_BYTES, used);
  }

  @Test
  void descendingPositions() {
    Block bad = new Block(3, 4, 0, new int[] {5, -1}, FIRST | LAST);
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> add(bad));
    assertEquals("positions descend in docs 3 to 4", e.getMessage());
  }
}
