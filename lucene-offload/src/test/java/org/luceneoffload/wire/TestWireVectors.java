/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.luceneoffload.wire.aggregate.AggregateWriter;
import org.luceneoffload.wire.layout.PageHeaderLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PositionPageHeaderLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.page.ColumnPageDecoder;
import org.luceneoffload.wire.page.PageDecoder;
import org.luceneoffload.wire.page.PositionPageDecoder;
import org.luceneoffload.wire.page.PositionPageEncoder;
import org.luceneoffload.wire.plan.PlanTail;

/** The golden vectors of the wire, on the Java side: fields, pages, plans, results. */
class TestWireVectors {
  private static final int SESSION_RESULT_BYTES = 1 << 20;

  @TestFactory
  List<DynamicTest> good() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (WireVector vector : WireVector.all("good")) {
      Executable check =
          switch (vector.struct()) {
            case "page" -> () -> goodPage(vector);
            case "column_page" -> () -> goodColumnPage(vector);
            case "position_page" -> () -> goodPositionPage(vector);
            case "plan" -> () -> goodPlan(vector);
            case "result" -> () -> fields(vector);
            case "program" -> () -> plan(vector.section("plan").bytes(vector.size("plan_bytes")));
            default -> () -> goodStruct(vector);
          };
      tests.add(DynamicTest.dynamicTest(vector.toString(), check));
    }
    assertTrue(tests.size() > 20, "vectors found: " + tests.size());
    return tests;
  }

  @TestFactory
  List<DynamicTest> bad() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (WireVector vector : WireVector.all("bad")) {
      Executable run =
          switch (vector.struct()) {
            case "page" -> () -> page(vector.bytes());
            case "column_page" -> () -> ColumnPageDecoder.decode(vector.bytes());
            case "position_page" -> () -> positionPage(vector.bytes());
            case "plan" -> () -> plan(vector.bytes());
            // Commands and programs are for engines: the plugin sends them and runs none.
            default -> null;
          };
      if (run != null) {
        tests.add(DynamicTest.dynamicTest(vector.toString(), () -> fails(vector, run)));
      }
    }
    assertTrue(tests.size() > 20, "vectors found: " + tests.size());
    return tests;
  }

  private static void fails(WireVector vector, Executable run) {
    OffloadException e = assertThrows(OffloadException.class, run, vector.toString());
    assertEquals(vector.status(), OffloadWire.Status.name(e.status()), e.getMessage());
  }

  // ---- fields ----

  private static void goodStruct(WireVector vector) {
    fields(vector);
    ByteBuffer encoded = zeros(vector.bytes().capacity());
    vector
        .section("fields")
        .pairs()
        .forEach((name, value) -> place(vector, name).put(encoded, value));
    assertEquals(vector.bytes(), encoded);
  }

  private static void fields(WireVector vector) {
    ByteBuffer bytes = vector.bytes();
    for (Map.Entry<String, String> entry : vector.section("fields").pairs().entrySet()) {
      Place place = place(vector, entry.getKey());
      assertEquals(place.parse(entry.getValue()), place.get(bytes), entry.getKey());
    }
  }

  /** Where a field is and what it is. */
  private record Place(int at, String type, int count) {
    private static int width(String type) {
      return Integer.parseInt(type.substring(1)) / Byte.SIZE;
    }

    /** Values are compared as hex of their bytes, lowest first. */
    String parse(String value) {
      ByteBuffer bytes = zeros(Math.max(1, count) * width(type));
      new Place(0, type, count).put(bytes, value);
      return new Place(0, type, count).get(bytes);
    }

    String get(ByteBuffer bytes) {
      byte[] got = new byte[Math.max(1, count) * width(type)];
      bytes.get(at, got);
      return HexFormat.of().formatHex(got);
    }

    void put(ByteBuffer bytes, String value) {
      if (value.startsWith("hex:")) {
        bytes.put(at, HexFormat.of().parseHex(value.substring(4)));
        return;
      }
      boolean negative = value.startsWith("-");
      long number =
          value.startsWith("0x")
              ? Long.parseUnsignedLong(value.substring(2), 16)
              : negative ? Long.parseLong(value) : Long.parseUnsignedLong(value);
      for (int i = 0; i < width(type); i++) {
        bytes.put(at + i, (byte) (number >>> (i * Byte.SIZE)));
      }
    }
  }

  /** Resolves {@code field}, {@code struct@offset.field} or {@code type@offset}. */
  private static Place place(WireVector vector, String name) {
    int sign = name.indexOf('@');
    if (sign < 0) {
      String struct = vector.struct().equals("result") ? "result_header" : vector.struct();
      return structField(struct, 0, name);
    }
    int dot = name.indexOf('.', sign);
    if (dot < 0) {
      return new Place(Integer.parseInt(name.substring(sign + 1)), name.substring(0, sign), 0);
    }
    int base = Integer.parseInt(name.substring(sign + 1, dot));
    return structField(name.substring(0, sign), base, name.substring(dot + 1));
  }

  private static Place structField(String struct, int base, String field) {
    for (WireFields.Field f : WireFields.ALL) {
      if (f.struct().equals(struct) && f.name().equals(field)) {
        return new Place(base + f.offset(), f.type(), f.count());
      }
    }
    throw new AssertionError("no field " + struct + "." + field);
  }

  private static ByteBuffer zeros(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  // ---- pages ----

  private static PageDecoder page(ByteBuffer bytes) throws OffloadException {
    PageDecoder decoder = new PageDecoder();
    decoder.reset(bytes, PageHeaderLayout.stamp(bytes, 0), PageHeaderLayout.filePage(bytes, 0));
    return decoder;
  }

  private static void goodPage(WireVector vector) throws OffloadException {
    fields(vector);
    PageDecoder decoder = page(vector.bytes());
    Map<String, String> blocks = vector.section("postings").pairs();
    assertEquals(blocks.size(), decoder.blockCount());
    int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
    int[] freqs = new int[docs.length];
    int[] norms = new int[docs.length];
    blocks.forEach(
        (block, expected) -> {
          int count = decoder.decode(Integer.parseInt(block), docs, freqs, norms);
          StringBuilder got = new StringBuilder();
          for (int i = 0; i < count; i++) {
            got.append(i == 0 ? "" : " ").append(docs[i]).append(':');
            got.append(freqs[i]).append(':').append(norms[i]);
          }
          assertEquals(expected, got.toString(), "block " + block);
        });
  }

  private static void goodColumnPage(WireVector vector) throws OffloadException {
    fields(vector);
    Map<String, String> got = new LinkedHashMap<>();
    ColumnPageDecoder.decode(vector.bytes())
        .forEach((doc, values) -> got.put(doc.toString(), join(values)));
    assertEquals(vector.section("values").pairs(), got);
  }

  private static PositionPageDecoder positionPage(ByteBuffer bytes) throws OffloadException {
    PositionPageDecoder decoder = new PositionPageDecoder();
    decoder.reset(
        bytes,
        PositionPageHeaderLayout.stamp(bytes, 0),
        PositionPageHeaderLayout.filePage(bytes, 0));
    return decoder;
  }

  private static void goodPositionPage(WireVector vector) throws IOException {
    fields(vector);
    ByteBuffer page = vector.bytes();
    PositionPageDecoder decoder = positionPage(page);
    Map<String, String> got = new LinkedHashMap<>();
    byte[] made = new byte[page.capacity()];
    PositionPageEncoder encoder =
        new PositionPageEncoder(
            PositionPageHeaderLayout.stamp(page, 0),
            encoded -> System.arraycopy(encoded, 0, made, 0, made.length));
    int[] values = new int[OffloadWire.MAX_POSITION_VALUES];
    int firstDoc = PositionPageHeaderLayout.leadFirstDoc(page, 0);
    int listFlags = OffloadWire.PositionFlag.FIRST_OF_LIST | OffloadWire.PositionFlag.LAST_OF_LIST;
    for (int block = 0; block < decoder.blockCount(); block++) {
      int count = decoder.decode(block, values);
      int lastDoc = decoder.lastDoc(block);
      int rank = decoder.rank(block);
      encoder.addBlock(firstDoc, lastDoc, rank, values, count, decoder.flags(block) & listFlags);
      got.put(
          Integer.toString(block),
          lastDoc
              + ":"
              + rank
              + " "
              + join(Arrays.stream(values, 0, count).asLongStream().toArray()));
    }
    assertEquals(vector.section("blocks").pairs(), got);
    encoder.finish();
    PositionPageEncoder.seal(made, PositionPageHeaderLayout.filePage(page, 0));
    assertEquals(page, ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static String join(long[] values) {
    return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  // ---- plans ----

  private static PlanReader plan(ByteBuffer bytes) throws OffloadException {
    PlanReader reader = new PlanReader(bytes, bytes.capacity());
    long hitBytes = 8 * Integer.toUnsignedLong(reader.request().k);
    if (reader.request().mode == OffloadWire.Mode.TOP_K
        && ResultHeaderLayout.BYTES + hitBytes > SESSION_RESULT_BYTES) {
      throw new OffloadException(OffloadWire.Status.PLAN_TOO_LARGE, "k");
    }
    return reader;
  }

  private static void goodPlan(WireVector vector) throws OffloadException {
    fields(vector);
    PlanReader reader = plan(vector.bytes());
    ByteBuffer again = zeros(vector.bytes().capacity());
    PlanTail tail = reader.sort() != null ? reader.sort() : PlanTail.NONE;
    int bytes = PlanTreeWriter.write(again, reader.plan(), reader.request(), tail);
    if (!reader.aggregates().isEmpty()) {
      bytes = AggregateWriter.write(again, bytes, reader.aggregates());
      PlanHeaderLayout.totalBytes(again, 0, bytes);
    }
    assertEquals(again.capacity(), bytes);
    assertEquals(vector.bytes(), again.clear());
  }
}
