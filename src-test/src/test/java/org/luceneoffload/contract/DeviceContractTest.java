/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanTreeWriter;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;

/** The promises of {@link Device} and {@link DeviceSession}, for every backend. */
public abstract class DeviceContractTest extends ColumnContractTest {
  private static final int LBA = OffloadWire.LBA_BYTES;
  private static final long STAMP = 0x5EED;

  /** Where a device may keep its store. */
  @TempDir Path home;

  private Device device;

  /** A new device with an empty store of {@code lbaCount} LBAs. */
  public abstract Device newDevice(Path home, long lbaCount) throws IOException;

  @Override
  public final Device device() {
    return device;
  }

  @BeforeEach
  void open() throws IOException {
    device = newDevice(home, 1024);
  }

  @AfterEach
  void close() throws IOException {
    device.close();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer randomLbas(int count, long seed) {
    byte[] bytes = new byte[count * LBA];
    new Random(seed).nextBytes(bytes);
    return buffer(bytes.length).put(bytes).flip();
  }

  /** Returns whether the device says which LBA holds a page that it refuses. */
  public boolean namesLbas() {
    return false;
  }

  private void assertBadPage(int status, long lba, Executable call) {
    assertEquals(namesLbas() ? lba : OffloadException.NO_LBA, assertStatus(status, call).lba());
  }

  private static OffloadException assertStatus(int status, Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(
        OffloadWire.Status.name(status), OffloadWire.Status.name(e.status()), e.getMessage());
    assertTrue(e.getMessage().startsWith(OffloadWire.Status.name(status)), e.getMessage());
    return e;
  }

  // The block part.

  @Test
  void capabilitiesAreWhatTheWireAllows() {
    assertEquals(LBA, device.lbaBytes());
    assertEquals(OffloadWire.PAGE_BYTES, device.info().pageBytes());
    assertEquals(1024, device.info().lbaCount());
    assertTrue(device.info().maxTransferBytes() >= LBA);
    assertEquals(0, device.info().maxTransferBytes() % LBA);
    assertTrue(device.info().maxSessions() >= 1);
    assertTrue(device.info().maxResultBytes() >= 4096);
    for (int mode = OffloadWire.Mode.COUNT; mode <= OffloadWire.Mode.TOP_K; mode++) {
      assertNotEquals(0, device.info().modeBits() & 1 << mode, "mode " + mode);
    }
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    ByteBuffer data = randomLbas(7, 1);
    device.write(1017, data);
    assertEquals(data.limit(), data.position());
    device.flush();
    ByteBuffer back = buffer(3 * LBA);
    device.read(1019, back);
    assertEquals(back.limit(), back.position());
    assertEquals(data.slice(2 * LBA, 3 * LBA), back.flip());
  }

  @Test
  void transfersCoverPositionToLimit() throws IOException {
    ByteBuffer data = randomLbas(3, 2);
    device.write(5, data.position(LBA).limit(2 * LBA));
    ByteBuffer back = buffer(3 * LBA);
    device.read(5, back.position(2 * LBA));
    assertEquals(data.slice(LBA, LBA), back.slice(2 * LBA, LBA));
    assertEquals(buffer(2 * LBA), back.slice(0, 2 * LBA));
  }

  @Test
  void unwrittenLbasAreZeros() throws IOException {
    device.write(8, randomLbas(1, 3));
    ByteBuffer back = randomLbas(3, 4);
    device.read(7, back);
    assertEquals(buffer(LBA), back.slice(0, LBA));
    assertEquals(buffer(LBA), back.slice(2 * LBA, LBA));
  }

  @Test
  void theLastWriteCounts() throws IOException {
    device.write(0, randomLbas(4, 5));
    device.write(1, randomLbas(2, 6));
    device.trim(0, 1);
    device.write(0, randomLbas(1, 7));
    ByteBuffer back = buffer(4 * LBA);
    device.read(0, back);
    assertEquals(randomLbas(1, 7), back.slice(0, LBA));
    assertEquals(randomLbas(2, 6), back.slice(LBA, 2 * LBA));
    assertEquals(randomLbas(4, 5).slice(3 * LBA, LBA), back.slice(3 * LBA, LBA));
  }

  @Test
  void nothingOutsideTheDevice() throws IOException {
    for (long lba : new long[] {-1, 1023, 1024, 1L << 40, Long.MAX_VALUE}) {
      assertStatus(OffloadWire.Status.OUT_OF_RANGE, () -> device.read(lba, buffer(2 * LBA)));
      assertStatus(OffloadWire.Status.OUT_OF_RANGE, () -> device.write(lba, buffer(2 * LBA)));
      assertStatus(OffloadWire.Status.OUT_OF_RANGE, () -> device.trim(lba, 2));
    }
    device.write(1022, buffer(2 * LBA));
    device.trim(1022, 2);
  }

  @Test
  void buffersThatCannotBe() {
    for (ByteBuffer bad : List.of(ByteBuffer.allocate(LBA), buffer(0), buffer(LBA + 1))) {
      assertThrows(IllegalArgumentException.class, () -> device.read(0, bad));
      assertThrows(IllegalArgumentException.class, () -> device.write(0, bad));
    }
  }

  // The program part.

  private static ByteBuffer run(DeviceSession session, Plan plan, int mode) throws IOException {
    return StridedList.run(session, plan, mode, 0, DeviceSession.StopSignal.NEVER);
  }

  private static long count(DeviceSession session, Plan plan) throws IOException {
    return ResultHeaderLayout.matchCount(run(session, plan, OffloadWire.Mode.COUNT), 0);
  }

  @Test
  void thePlanBufferStays() throws IOException {
    try (DeviceSession session = device.openSession()) {
      ByteBuffer plan = session.planBuffer();
      assertTrue(plan.isDirect());
      assertSame(ByteOrder.LITTLE_ENDIAN, plan.order());
      StridedList list = StridedList.write(device, 0, 10, 2, STAMP);
      assertEquals(10, count(session, list.plan()));
      assertSame(plan, session.planBuffer());
    }
  }

  /** All docs of a list, taken page by page. */
  private static int[] docs(DeviceSession session, Plan plan, int mode) throws IOException {
    List<Integer> docs = new ArrayList<>();
    int next = 0;
    do {
      ByteBuffer page = StridedList.run(session, plan, mode, next, DeviceSession.StopSignal.NEVER);
      assertEquals(OffloadWire.RESULT_MAGIC, ResultHeaderLayout.magic(page, 0));
      assertEquals(0, page.position());
      assertEquals(page.limit(), ResultHeaderLayout.totalBytes(page, 0));
      assertTrue(page.limit() <= 1 << 16);
      int entries = ResultHeaderLayout.entryCount(page, 0);
      assertEquals(entries, ResultHeaderLayout.matchCount(page, 0));
      for (int i = 0; i < entries; i++) {
        docs.add(page.getInt(ResultHeaderLayout.BYTES + i * Integer.BYTES));
      }
      boolean more = (ResultHeaderLayout.flags(page, 0) & OffloadWire.ResultFlag.MORE) != 0;
      int from = next;
      next = ResultHeaderLayout.nextDoc(page, 0);
      assertTrue(next > from, "no progress at doc " + from);
      assertEquals(more, next < plan.maxDoc());
    } while (next < plan.maxDoc());
    return docs.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] expected(StridedList list, IntPredicate live) {
    return IntStream.range(0, list.ref().postingCount()).map(list::doc).filter(live).toArray();
  }

  @Test
  void listsOfAllLengthsInAllModes() throws IOException {
    try (DeviceSession session = device.openSession()) {
      long lba = 0;
      for (int postings : new int[] {2, 127, 128, 129, 1000, 18_432, 50_000}) {
        StridedList list = StridedList.write(device, lba, postings, 3, STAMP + postings);
        lba += list.extent().pageCount();
        for (Plan plan : List.of(list.plan(), list.selfIntersection())) {
          assertEquals(postings, count(session, plan));
          int[] all = expected(list, doc -> true);
          assertArrayEquals(all, docs(session, plan, OffloadWire.Mode.DOCS));
          assertArrayEquals(all, docs(session, plan, OffloadWire.Mode.SCORED_DOCS));
          // All scores are equal: the first docs are the best.
          ByteBuffer top = run(session, plan, OffloadWire.Mode.TOP_K);
          int hits = Math.min(10, postings);
          assertEquals(hits, ResultHeaderLayout.entryCount(top, 0));
          for (int i = 0; i < hits; i++) {
            assertEquals(list.doc(i), top.getInt(ResultHeaderLayout.BYTES + 8 * i));
          }
        }
      }
    }
  }

  @Test
  void liveDocsFilter() throws IOException {
    StridedList list = StridedList.write(device, 0, 70_000, 2, STAMP);
    int words = (list.maxDoc() + 63) / 64;
    ByteBuffer bits = buffer(words * Long.BYTES);
    IntPredicate live = doc -> doc % 7 != 0;
    for (int word = 0; word < words; word++) {
      long value = 0;
      for (int bit = 0; bit < 64; bit++) {
        value |= live.test(word * 64 + bit) ? 1L << bit : 0;
      }
      bits.putLong(word * Long.BYTES, value);
    }
    int resource = device.putLiveDocs(bits);
    assertNotEquals(0, resource);
    try (DeviceSession session = device.openSession()) {
      assertEquals(expected(list, live).length, liveCount(session, list, resource));
      assertEquals(70_000, liveCount(session, list, 0));
      device.dropResource(resource);
      assertStatus(OffloadWire.Status.NO_RESOURCE, () -> liveCount(session, list, resource));
      assertEquals(70_000, liveCount(session, list, 0));
    }
  }

  private static long liveCount(DeviceSession session, StridedList list, int resource)
      throws IOException {
    ByteBuffer plan = session.planBuffer();
    int bytes = StridedList.encode(plan, list.plan(), OffloadWire.Mode.COUNT, 0);
    PlanHeaderLayout.liveDocs(plan, 0, resource);
    ByteBuffer result = session.execute(bytes, DeviceSession.StopSignal.NEVER);
    return ResultHeaderLayout.matchCount(result, 0);
  }

  @Test
  void badPlansAndPagesAreRefusedAndTheSessionGoesOn() throws IOException {
    StridedList list = StridedList.write(device, 0, 1000, 2, STAMP);
    StridedList stale = StridedList.write(device, 100, 1000, 2, STAMP + 1);
    StridedList.write(device, 100, 1000, 2, STAMP + 2);
    StridedList corrupt = StridedList.write(device, 200, 1000, 2, STAMP + 3);
    ByteBuffer page = buffer(LBA);
    device.read(200, page);
    page.put(1000, (byte) (page.get(1000) ^ 1));
    device.write(200, page.flip());
    try (DeviceSession session = device.openSession()) {
      assertBadPage(
          OffloadWire.Status.PAGE_STALE, 100, () -> count(session, stale.selfIntersection()));
      assertEquals(1000, count(session, list.selfIntersection()));
      assertBadPage(
          OffloadWire.Status.PAGE_CORRUPT, 200, () -> count(session, corrupt.selfIntersection()));
      assertEquals(1000, count(session, list.selfIntersection()));
      int bytes = StridedList.encode(session.planBuffer(), list.plan(), OffloadWire.Mode.COUNT, 0);
      for (int cut : new int[] {0, 10, 63, 64, bytes - 1}) {
        assertStatus(
            OffloadWire.Status.PLAN_TRUNCATED,
            () -> session.execute(cut, DeviceSession.StopSignal.NEVER));
      }
      session.planBuffer().putInt(0, 0x12345678);
      assertStatus(
          OffloadWire.Status.PLAN_MALFORMED,
          () -> session.execute(bytes, DeviceSession.StopSignal.NEVER));
      assertEquals(1000, count(session, list.selfIntersection()));
    }
  }

  /** Plans that run in one exchange: each has its own page, or its own failure. */
  @Test
  void stagedPlansFailAlone() throws IOException {
    StridedList list = StridedList.write(device, 0, 1000, 2, STAMP);
    if (device.mostStaged() == 1) {
      try (DeviceSession session = device.openSession()) {
        assertFalse(session.stage(stage(session, list), PlanRequest.MIN_RESULT_BYTES));
      }
      return;
    }
    StridedList corrupt = StridedList.write(device, 200, 1000, 2, STAMP + 3);
    ByteBuffer page = buffer(LBA);
    device.read(200, page);
    page.put(1000, (byte) (page.get(1000) ^ 1));
    device.write(200, page.flip());
    try (DeviceSession session = device.openSession()) {
      assertFalse(session.stage(stage(session, list), Integer.MAX_VALUE));
      for (int plans = 1; plans <= device.mostStaged(); plans += 3) {
        for (int i = 0; i < plans; i++) {
          int bytes = stage(session, i % 3 == 1 ? corrupt : list);
          if (i % 3 == 2) {
            session.planBuffer().putInt(0, 0x12345678);
          }
          assertTrue(session.stage(bytes, PlanRequest.MIN_RESULT_BYTES));
        }
        List<DeviceSession.Staged> results = session.executeStaged(DeviceSession.StopSignal.NEVER);
        assertEquals(plans, results.size());
        for (int i = 0; i < plans; i++) {
          DeviceSession.Staged result = results.get(i);
          if (i % 3 == 0) {
            assertNull(result.failure());
            assertEquals(1000, ResultHeaderLayout.matchCount(result.page(), 0));
          } else {
            int status =
                i % 3 == 1 ? OffloadWire.Status.PAGE_CORRUPT : OffloadWire.Status.PLAN_MALFORMED;
            assertNull(result.page());
            assertEquals(status, result.failure().status());
          }
        }
        assertEquals(1000, count(session, list.selfIntersection()));
      }
      assertTrue(session.stage(stage(session, list), PlanRequest.MIN_RESULT_BYTES));
      assertStatus(OffloadWire.Status.ABORTED, () -> session.executeStaged(() -> true));
    }
  }

  /** Puts a plan for a count into the session's buffer; returns its bytes. */
  private static int stage(DeviceSession session, StridedList list) {
    Plan plan = list.selfIntersection();
    PlanRequest request =
        PlanRequest.of(OffloadWire.Mode.COUNT, 0, plan.maxDoc(), PlanRequest.MIN_RESULT_BYTES);
    return PlanTreeWriter.write(session.planBuffer(), plan, request);
  }

  @Test
  void sessionsOfManyThreads() throws Exception {
    List<StridedList> lists = new ArrayList<>();
    long lba = 0;
    for (int i = 0; i < 4; i++) {
      lists.add(StridedList.write(device, lba, 3000 + 1000 * i, 1 + i, STAMP + i));
      lba += lists.get(i).extent().pageCount();
    }
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<Void>> ends = new ArrayList<>();
    for (StridedList list : lists) {
      ends.add(
          pool.submit(
              () -> {
                try (DeviceSession session = device.openSession()) {
                  for (int round = 0; round < 25; round++) {
                    assertEquals(
                        list.ref().postingCount(), count(session, list.selfIntersection()));
                    assertArrayEquals(
                        expected(list, doc -> true),
                        docs(session, list.plan(), OffloadWire.Mode.DOCS));
                  }
                }
                return null;
              }));
    }
    for (Future<Void> end : ends) {
      end.get();
    }
    pool.shutdown();
  }

  // The end.

  @Test
  void afterCloseEverythingSaysSo() throws IOException {
    StridedList list = StridedList.write(device, 0, 100, 2, STAMP);
    DeviceSession session = device.openSession();
    int resource = device.putLiveDocs(buffer(64));
    device.close();
    device.close();
    int closed = OffloadWire.Status.CLOSED;
    assertStatus(closed, () -> device.read(0, buffer(LBA)));
    assertStatus(closed, () -> device.write(0, buffer(LBA)));
    assertStatus(closed, device::flush);
    assertStatus(closed, () -> device.trim(0, 1));
    assertStatus(closed, device::openSession);
    assertStatus(closed, () -> device.putLiveDocs(buffer(64)));
    assertStatus(closed, () -> count(session, list.plan()));
    device.dropResource(resource);
    session.close();
  }

  @Test
  void aClosedSessionRunsNothing() throws IOException {
    StridedList list = StridedList.write(device, 0, 100, 2, STAMP);
    DeviceSession session = device.openSession();
    session.close();
    session.close();
    assertStatus(OffloadWire.Status.CLOSED, () -> count(session, list.plan()));
    try (DeviceSession next = device.openSession()) {
      assertEquals(100, count(next, list.plan()));
    }
  }
}
