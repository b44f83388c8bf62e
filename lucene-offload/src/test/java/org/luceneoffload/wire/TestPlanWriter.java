/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;

/** Plans written and read back; plans that must not be read. */
class TestPlanWriter {
  private static final long SEED = Long.getLong("tests.seed", 42);

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Plan plan() {
    float[] values = new float[OffloadWire.NORM_TABLE_ENTRIES];
    for (int i = 0; i < values.length; i++) {
      values[i] = 1f / (1 + i);
    }
    PlanNode nested =
        PlanNode.bool(
            OffloadWire.Occur.SHOULD,
            1,
            List.of(
                PlanNode.term(OffloadWire.Occur.SHOULD, 1, 0, 0.5f),
                PlanNode.constant(
                    OffloadWire.Occur.SHOULD,
                    3f,
                    PlanNode.term(OffloadWire.Occur.MUST, 0, 0, 0f))));
    PlanNode root =
        PlanNode.bool(
            OffloadWire.Occur.MUST,
            0,
            List.of(
                PlanNode.term(OffloadWire.Occur.MUST, 0, 0, 1.5f),
                PlanNode.all(OffloadWire.Occur.FILTER, 0f),
                nested,
                PlanNode.none(OffloadWire.Occur.MUST_NOT)));
    List<ListRef> lists =
        List.of(
            ListRef.paged(3, 7, 4, 1000, 0xCAFEBABE12345678L, 0x0102030405060708L, 0, 2),
            ListRef.inline(99, 5, 200));
    List<PlanExtent> extents = List.of(new PlanExtent(2, 2, 1L << 40), new PlanExtent(4, 10, 77));
    return new Plan(root, lists, extents, List.of(new NormTable(values)), 5000);
  }

  private static PlanRequest request() {
    PlanRequest request = PlanRequest.of(OffloadWire.Mode.TOP_K, 10, 4000, 4096);
    request.k = 10;
    request.countThreshold = 1000;
    request.liveDocs = 3;
    request.after(2.5f, -4);
    request.minScore(1.25f, true);
    return request;
  }

  @Test
  void readsBackWhatItWrites() throws Exception {
    ByteBuffer b = buffer();
    Plan plan = plan();
    int bytes = PlanTreeWriter.write(b, plan, request());
    assertEquals(plan.encodedBytes(), bytes);
    PlanReader reader = new PlanReader(b, bytes);
    assertEquals(plan.root(), reader.plan().root());
    assertEquals(plan.lists(), reader.plan().lists());
    assertEquals(plan.extents(), reader.plan().extents());
    assertEquals(plan.maxDoc(), reader.plan().maxDoc());
    for (int i = 0; i < OffloadWire.NORM_TABLE_ENTRIES; i++) {
      assertEquals(plan.tables().get(0).get(i), reader.plan().tables().get(0).get(i));
    }
    PlanRequest got = reader.request();
    assertEquals(10, got.minDoc);
    assertEquals(4000, got.limitDoc);
    assertEquals(1000, got.countThreshold);
    assertEquals(3, got.liveDocs);
    assertEquals(2.5f, got.afterScore);
    assertEquals(-4, got.afterDoc);
    assertEquals(1.25f, got.minScore);
    assertEquals(7, got.flags);
    assertNull(plan.exceededLimit());
  }

  @Test
  void writesEveryByteOfADirtyBuffer() throws Exception {
    ByteBuffer clean = buffer();
    ByteBuffer dirty = buffer();
    byte[] junk = new byte[dirty.capacity()];
    new Random(SEED).nextBytes(junk);
    dirty.put(0, junk);
    int bytes = PlanTreeWriter.write(clean, plan(), request());
    assertEquals(bytes, PlanTreeWriter.write(dirty, plan(), request()));
    assertEquals(clean.slice(0, bytes), dirty.slice(0, bytes));
  }

  @Test
  void refusesABufferThatIsTooSmall() {
    ByteBuffer small = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    assertThrows(
        IllegalArgumentException.class, () -> PlanTreeWriter.write(small, plan(), request()));
  }

  @Test
  void namesTheLimitThatIsExceeded() {
    PlanNode deep = PlanNode.all(OffloadWire.Occur.MUST, 1f);
    for (int i = 0; i < OffloadWire.MAX_PLAN_DEPTH; i++) {
      deep = PlanNode.bool(OffloadWire.Occur.MUST, 0, List.of(deep));
    }
    Plan plan = new Plan(deep, List.of(), List.of(), List.of(), 10);
    assertEquals("the plan has 33 levels, the most is 32", plan.exceededLimit());
  }

  @Test
  void everyTruncationIsRefused() throws Exception {
    ByteBuffer b = buffer();
    int bytes = PlanTreeWriter.write(b, plan(), request());
    for (int i = 0; i < bytes; i++) {
      int length = i;
      OffloadException e = assertThrows(OffloadException.class, () -> new PlanReader(b, length));
      assertEquals(OffloadWire.Status.PLAN_TRUNCATED, e.status(), "at " + i);
    }
  }

  /** Random damage never ends in anything but a plan or a status. */
  @Test
  void damageGivesAPlanOrAStatus() throws Exception {
    Random random = new Random(SEED);
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
      ByteBuffer b = buffer();
      int bytes = PlanTreeWriter.write(b, plan(), request());
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        int at = random.nextInt(bytes - OffloadWire.NORM_TABLE_BYTES);
        b.put(at, (byte) random.nextInt(256));
        places.add(at);
      }
      try {
        new PlanReader(b, bytes);
      } catch (OffloadException e) {
        refused++;
        assertTrue(e.getMessage().length() > 10, "places " + places + ", seed " + SEED);
      }
    }
    assertTrue(refused > 200, "refused " + refused);
  }
}
