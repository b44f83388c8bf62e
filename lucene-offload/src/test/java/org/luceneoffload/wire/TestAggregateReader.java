/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadWire.StatsType;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateReader;
import org.luceneoffload.wire.aggregate.AggregateResult;
import org.luceneoffload.wire.aggregate.AggregateWriter;
import org.luceneoffload.wire.aggregate.StatsCarry;
import org.luceneoffload.wire.layout.AggregateResultLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** Aggregates of the golden programs as the plugin reads them, and damaged results. */
class TestAggregateReader {
  /** The plan of a golden program and its result page. */
  private record Golden(PlanReader plan, ByteBuffer page) {
    static Golden of(String name) throws IOException {
      for (WireVector vector : WireVector.all("good")) {
        if (vector.toString().contains(name)) {
          ByteBuffer plan = vector.section("plan").bytes(vector.size("plan_bytes"));
          WireVector.Section result = vector.section("result");
          int bytes = ResultHeaderLayout.totalBytes(result.bytes(-1), 0);
          return new Golden(new PlanReader(plan, plan.capacity()), result.bytes(bytes));
        }
      }
      throw new AssertionError(name);
    }

    AggregateReader read() throws OffloadException {
      return new AggregateReader(page, plan.request(), plan.aggregates());
    }
  }

  @Test
  void readsEveryKind() throws IOException {
    Golden golden = Golden.of("program_aggregate_all");
    AggregateReader reader = golden.read();
    assertEquals(1000, reader.matchCount());
    AggregateResult stats = reader.results().get(0);
    assertEquals(stats.docCount(), stats.valueCount());
    double mean = (double) stats.sum() / stats.valueCount();
    assertEquals(mean, Double.longBitsToDouble(stats.mean()), 1e-9);
    AggregateResult terms = reader.results().get(1);
    long sum = 0;
    for (int count : terms.counts()) {
      sum += count;
    }
    assertEquals(terms.valueCount(), sum);
    AggregateResult histogram = reader.results().get(3);
    assertEquals(histogram.keys().length, histogram.counts().length);
    assertEquals(Math.floorDiv(stats.min(), 50L), histogram.keys()[0]);
    assertFalse(histogram.more());
    assertEquals(5, reader.results().get(4).counts().length);
  }

  @Test
  void tellsWhereToGoOn() throws IOException {
    Golden golden = Golden.of("program_aggregate_more");
    AggregateReader reader = golden.read();
    AggregateResult values = reader.results().get(0);
    assertTrue(values.more());
    Aggregate rest = golden.plan().aggregates().get(0).from(values.next());
    assertEquals(values.next(), rest.from());
    assertTrue(values.next() > values.keys()[values.keys().length - 1]);
  }

  @Test
  void carriesTheStateOfStats() {
    StatsCarry before = new StatsCarry(5, 6, 7, 8);
    AggregateResult result =
        new AggregateResult(2, 3, 10, 0, 0, 11, 12, new long[0], new int[0], false, 0);
    assertEquals(new StatsCarry(8, 10, 11, 12), result.carry(before));
  }

  @Test
  void writesEveryByte() {
    List<Aggregate> aggregates =
        List.of(
            Aggregate.moments(1, StatsType.F64, new StatsCarry(1, 2, 3, 4)),
            Aggregate.ranges(2, 3, 4),
            Aggregate.histogram(0, 10, Long.MIN_VALUE));
    byte[][] written = new byte[2][];
    for (int i = 0; i < 2; i++) {
      ByteBuffer b =
          ByteBuffer.allocate(AggregateWriter.bytes(aggregates)).order(ByteOrder.LITTLE_ENDIAN);
      Arrays.fill(b.array(), (byte) -i);
      assertEquals(b.capacity(), AggregateWriter.write(b, 0, aggregates));
      written[i] = b.array();
    }
    assertArrayEquals(written[0], written[1]);
  }

  /** Whatever a device sends, it is read or refused, and no count is above the matches. */
  @Test
  void damagedResultsAreReadOrRefused() throws IOException {
    Random random = new Random(7);
    int refused = 0;
    for (String name : List.of("program_aggregate_all", "program_aggregate_more")) {
      Golden golden = Golden.of(name);
      for (int i = 0; i < 20_000; i++) {
        ByteBuffer page = ByteBuffer.allocate(golden.page().capacity());
        page.order(ByteOrder.LITTLE_ENDIAN).put(golden.page().duplicate()).clear();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
          int at = random.nextInt(random.nextBoolean() ? page.capacity() : 64 + 6 * 72);
          page.put(at, (byte) random.nextInt());
        }
        if (random.nextInt(10) == 0) {
          page.limit(random.nextInt(page.capacity()));
        }
        Golden damaged = new Golden(golden.plan(), page);
        try {
          for (AggregateResult result : damaged.read().results()) {
            assertTrue(result.docCount() <= 1000);
          }
        } catch (OffloadException e) {
          assertEquals(OffloadWire.Status.INTERNAL, e.status());
          refused++;
        }
      }
    }
    assertTrue(refused > 10_000, "refused: " + refused);
  }

  /** What adds counts up by key looks at the first key and the last one alone. */
  @Test
  void keysThatDoNotAscendAreRefused() throws IOException {
    Golden golden = Golden.of("program_aggregate_more");
    long[] keys = golden.read().results().get(0).keys();
    assertTrue(keys.length >= 3);
    int first =
        ResultHeaderLayout.BYTES + golden.plan().aggregates().size() * AggregateResultLayout.BYTES;
    for (int i = 1; i < keys.length - 1; i++) {
      for (long key : new long[] {keys[i - 1], keys[i + 1], Long.MIN_VALUE, Long.MAX_VALUE}) {
        ByteBuffer page = ByteBuffer.allocate(golden.page().capacity());
        page.order(ByteOrder.LITTLE_ENDIAN).put(golden.page().duplicate()).clear();
        assertEquals(keys[i], page.getLong(first + i * Long.BYTES));
        page.putLong(first + i * Long.BYTES, key);
        OffloadException e =
            assertThrows(OffloadException.class, new Golden(golden.plan(), page)::read);
        assertEquals(OffloadWire.Status.INTERNAL, e.status());
        assertTrue(e.getMessage().contains("key"), e::getMessage);
      }
    }
  }

  @Test
  void refusesAnotherPlansResult() throws IOException {
    Golden golden = Golden.of("program_aggregate_all");
    List<Aggregate> fewer = golden.plan().aggregates().subList(0, 5);
    assertThrows(
        OffloadException.class,
        () -> new AggregateReader(golden.page(), golden.plan().request(), fewer));
  }
}
