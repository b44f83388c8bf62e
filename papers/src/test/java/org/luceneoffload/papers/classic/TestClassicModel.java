/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.papers.classic.ClassicModel.Counts;
import org.luceneoffload.papers.classic.ClassicModel.Played;
import org.luceneoffload.papers.classic.ClassicModel.Workload;
import org.luceneoffload.wire.OffloadWire.ModelResource;
import org.luceneoffload.wire.OffloadWire.ModelSide;
import org.luceneoffload.wire.layout.ModelProfileLayout;
import org.luceneoffload.wire.layout.ModelReportLayout;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/** Classic programs recorded and played from Java; the times themselves are the engine's tests'. */
class TestClassicModel {
  private static final Workload SMALL = new Workload(2, 10_000, 10, 100_000, 0, 7, false);

  @AfterEach
  void noHandleLeaks() {
    assertEquals(0, NativeHandle.live());
  }

  private static ByteBuffer report(byte[] bytes) {
    assertEquals(ModelReportLayout.BYTES, bytes.length);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long parts(ByteBuffer report) {
    long sum = 0;
    for (int i = 0; i < 8; i++) {
      sum += ModelReportLayout.partPs(report, 0, i);
    }
    return sum;
  }

  private static void assertRefused(String reason, Executable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void bothSidesOfAnIntersection() {
    byte[] profile = ProfileBytes.valid().array();
    try (ClassicModel model = ClassicModel.record(SMALL, Operation.INTERSECTION, false, true, 0)) {
      Counts counts = model.deviceCounts();
      assertEquals(100, counts.results());
      assertEquals(1600, counts.bytesSent());
      assertEquals(44, counts.pagesLoaded()); // 1,000 and 10,000 entries, 256 a page
      assertEquals(counts.listAccesses(), model.hostCounts().listAccesses());
      ByteBuffer device = report(model.play(profile, ModelSide.DEVICE));
      ByteBuffer host = report(model.play(profile, ModelSide.HOST));
      assertEquals(ModelSide.DEVICE, ModelReportLayout.side(device, 0));
      assertEquals(ModelSide.HOST, ModelReportLayout.side(host, 0));
      for (ByteBuffer side : new ByteBuffer[] {device, host}) {
        assertEquals(ModelReportLayout.elapsedPs(side, 0), parts(side));
        assertEquals(44, ModelReportLayout.pageLoads(side, 0));
        assertEquals(100, ModelReportLayout.resultsRanked(side, 0));
      }
      assertEquals(1600, ModelReportLayout.bytesSent(device, 0));
      assertEquals(0, ModelReportLayout.bytesSent(host, 0));
    }
  }

  @Test
  void theHostRanksWhatTheDeviceRanks() {
    try (ClassicModel model = ClassicModel.record(SMALL, Operation.UNION, true, false, 0)) {
      byte[] profile = ProfileBytes.valid().array();
      assertEquals(10_900, model.deviceCounts().results());
      assertEquals(160, model.deviceCounts().bytesSent());
      assertEquals(0, model.hostCounts().heapAccesses());
      assertEquals(
          0, ModelReportLayout.resultsRanked(report(model.play(profile, ModelSide.DEVICE)), 0));
      assertEquals(
          10_900, ModelReportLayout.resultsRanked(report(model.play(profile, ModelSide.HOST)), 0));
    }
  }

  @Test
  void littleMemoryOnTheDeviceLoadsMore() {
    try (ClassicModel model =
        ClassicModel.record(SMALL, Operation.INTERSECTION, false, false, 3 * 8192)) {
      assertTrue(model.deviceCounts().pagesLoaded() > 100);
      assertEquals(44, model.hostCounts().pagesLoaded());
      assertEquals(100, model.deviceCounts().results());
    }
  }

  @Test
  void aSwappedDifferenceHasTheLongListFirst() {
    Workload swapped = new Workload(2, 10_000, 10, 100_000, 0, 7, true);
    try (ClassicModel a = ClassicModel.record(SMALL, Operation.DIFFERENCE, false, false, 0);
        ClassicModel b = ClassicModel.record(swapped, Operation.DIFFERENCE, false, false, 0)) {
      assertEquals(900, a.deviceCounts().results());
      assertEquals(9_900, b.deviceCounts().results());
    }
  }

  @Test
  void listsOfAnyLength() {
    Workload workload = Workload.ofLengths(List.of(300, 5_000, 1_000), 10_000, 0, 3);
    try (ClassicModel model = record(workload, 0)) {
      assertEquals(3, model.deviceCounts().results());
      assertEquals(2 + 20 + 4, model.deviceCounts().pagesLoaded());
    }
    assertRefused("lists is 9", () -> record(Workload.ofLengths(nine(), 0, 0, 1), 0));
    List<Integer> two = List.of(10, 20);
    assertRefused("one of each list", () -> record(new Workload(3, 20, 1, 0, 0, 1, false, two), 0));
  }

  private static List<Integer> nine() {
    return Collections.nCopies(9, 10);
  }

  @Test
  void severalAtOnceContendAndLeaveATrace() {
    byte[] profile = ProfileBytes.valid().array();
    try (ClassicModel model = ClassicModel.record(SMALL, Operation.INTERSECTION, false, true, 0)) {
      long alone = ModelReportLayout.elapsedPs(report(model.play(profile, ModelSide.DEVICE)), 0);
      Played played = model.play(profile, ModelSide.DEVICE, new long[] {0, 5_000, 5_000}, 100_000);
      ByteBuffer total = report(played.total());
      assertEquals(3, played.reports().length);
      assertEquals(5_000, ModelReportLayout.arrivalPs(report(played.reports()[2]), 0));
      assertTrue(ModelReportLayout.elapsedPs(total, 0) > alone);
      assertTrue(ModelReportLayout.elapsedPs(total, 0) < 3 * alone + 10_000);
      assertEquals(0, ModelReportLayout.traceLost(total, 0));
      int records = ModelReportLayout.traceRecords(total, 0);
      assertEquals(records * ModelTraceRecordLayout.BYTES, played.trace().length);
      assertTrue(records > 3 * 44 * 5, "records " + records);
      Played again = model.play(profile, ModelSide.DEVICE, new long[] {0, 5_000, 5_000}, 100_000);
      assertArrayEquals(played.total(), again.total());
      assertArrayEquals(played.trace(), again.trace());
      Played cut = model.play(profile, ModelSide.DEVICE, new long[] {0, 5_000, 5_000}, 10);
      assertEquals(10 * ModelTraceRecordLayout.BYTES, cut.trace().length);
      assertEquals(records - 10, ModelReportLayout.traceLost(report(cut.total()), 0));
    }
  }

  @Test
  void plainReads() {
    byte[] profile = ProfileBytes.valid().array();
    ByteBuffer one = report(ClassicModel.playReads(profile, ModelSide.DEVICE, 1000, 8192, 1, 0, 0));
    ByteBuffer many =
        report(ClassicModel.playReads(profile, ModelSide.DEVICE, 1000, 8192, 32, 0, 0));
    assertEquals(8_192_000, ModelReportLayout.bytesRead(one, 0));
    assertEquals(8_192_000, ModelReportLayout.bytesRead(many, 0));
    assertTrue(ModelReportLayout.elapsedPs(one, 0) > 3 * ModelReportLayout.elapsedPs(many, 0));
    assertTrue(
        ModelReportLayout.busiestPs(many, 0, ModelResource.CHANNEL)
            <= ModelReportLayout.elapsedPs(many, 0));
    ByteBuffer random =
        report(ClassicModel.playReads(profile, ModelSide.HOST, 1000, 4096, 8, 10_000, 3));
    assertEquals(1000, ModelReportLayout.linkCommands(random, 0));
  }

  @Test
  void whatIsWrongIsNamed() {
    byte[] good = ProfileBytes.valid().array();
    ClassicModel.checkProfile(good);
    ByteBuffer bad = ProfileBytes.valid();
    ModelProfileLayout.coreHz(bad, 0, 12);
    String field = "core_hz is 12, not 1000000 to 100000000000";
    assertRefused(field, () -> ClassicModel.checkProfile(bad.array()));
    assertRefused("one model_profile", () -> ClassicModel.checkProfile(new byte[7]));
    assertRefused("lists is 9", () -> record(new Workload(9, 100, 1, 0, 0, 1, false), 0));
    assertRefused("skew is 0", () -> record(new Workload(2, 100, 0, 0, 0, 1, false), 0));
    assertRefused("memory_bytes is 100,", () -> record(SMALL, 100));
    assertRefused("memoryBytes is -1", () -> record(SMALL, -1));
    assertRefused(
        "depth is 0", () -> ClassicModel.playReads(good, ModelSide.HOST, 1, 4096, 0, 0, 0));
    try (ClassicModel model = record(SMALL, 0)) {
      assertRefused(field, () -> model.play(bad.array(), ModelSide.DEVICE));
      assertRefused("no side 3", () -> model.play(good, 3));
      assertRefused("0 logs", () -> model.play(good, ModelSide.HOST, new long[0], 0));
      assertRefused("arrives at", () -> model.play(good, ModelSide.HOST, new long[] {-1}, 0));
      assertRefused("traceRecords", () -> model.play(good, ModelSide.HOST, new long[1], -1));
    }
  }

  @Test
  void aClosedRecordingSaysSo() {
    ClassicModel model = record(SMALL, 0);
    model.close();
    model.close();
    byte[] profile = ProfileBytes.valid().array();
    assertThrows(IllegalStateException.class, () -> model.play(profile, ModelSide.HOST));
    assertEquals(100, model.deviceCounts().results());
  }

  private static ClassicModel record(Workload workload, long memoryBytes) {
    return ClassicModel.record(workload, Operation.INTERSECTION, false, false, memoryBytes);
  }
}
