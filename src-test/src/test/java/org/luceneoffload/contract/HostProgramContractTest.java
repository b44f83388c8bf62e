/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.device.task.DeviceTask;
import org.luceneoffload.device.task.HostProgram;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** A researcher's own program over a device: STORE, READ, COMPUTE and GATHER, and filters. */
public abstract class HostProgramContractTest {
  private static final int POSTINGS = 100_000;
  private static final int WINDOW = 10_000;

  @TempDir Path home;
  private Device device;
  private StridedList list;

  /**
   * A device with room for a few lists.
   *
   * @param rawPercent of the windows of dynamic tasks, refused at random
   * @param queue windows of all tasks that may wait
   */
  public abstract Device newDevice(Path home, int rawPercent, int queue) throws IOException;

  @BeforeEach
  void open() throws IOException {
    open(50, 2);
  }

  private void open(int rawPercent, int queue) throws IOException {
    device = newDevice(home, rawPercent, queue);
    list = StridedList.write(device, 16, POSTINGS, 3, 77);
  }

  @AfterEach
  void close() throws IOException {
    device.close();
  }

  private int encode(DeviceSession session, int mode) {
    return StridedList.encode(session.planBuffer(), list.selfIntersection(), mode, 0);
  }

  /** COMPUTE: here the same device, by a plan of its own. */
  private long countOnHost(DeviceSession session, int minDoc, int limitDoc) throws IOException {
    int bytes = encode(session, OffloadWire.Mode.COUNT);
    PlanHeaderLayout.minDoc(session.planBuffer(), 0, minDoc);
    PlanHeaderLayout.limitDoc(session.planBuffer(), 0, limitDoc);
    return ResultHeaderLayout.matchCount(session.execute(bytes, StopSignal.NEVER), 0);
  }

  private SplitPlans.Counts count(DeviceTask.Mode mode) throws IOException {
    return count(mode, 3);
  }

  private SplitPlans.Counts count(DeviceTask.Mode mode, int waiting) throws IOException {
    try (DeviceSession there = device.openSession();
        DeviceSession here = device.openSession()) {
      int bytes = encode(there, OffloadWire.Mode.COUNT);
      long[] sum = {0};
      BitSet onHost = new BitSet();
      try (DeviceTask task = DeviceTask.init(there, bytes, mode, waiting, StopSignal.NEVER)) {
        HostProgram program =
            new HostProgram(
                task,
                (minDoc, limitDoc) -> {
                  assertTrue(onHost.get(minDoc, limitDoc).isEmpty(), "a window comes once");
                  onHost.set(minDoc, limitDoc);
                  sum[0] += countOnHost(here, minDoc, limitDoc);
                });
        program.read(0, list.maxDoc(), WINDOW);
        ByteBuffer page = program.gather();
        assertEquals(POSTINGS, sum[0] + ResultHeaderLayout.matchCount(page, 0));
        SplitPlans.Counts counts = program.counts();
        assertEquals((list.maxDoc() + WINDOW - 1) / WINDOW, counts.windows());
        assertEquals(counts.windows(), counts.onDevice() + counts.raw() + counts.handedBack());
        return counts;
      }
    }
  }

  @Test
  void hostAndDeviceCountTogether() throws IOException {
    SplitPlans.Counts counts = count(DeviceTask.Mode.DYNAMIC);
    assertTrue(counts.raw() > 0, counts.toString());
    counts = count(DeviceTask.Mode.STATIC);
    assertEquals(counts.windows(), counts.onDevice(), "a static task waits");
  }

  /** Both queues, the task's and the device's, have room for all windows. */
  @Test
  void aQueueTakesAsManyWindowsAsItIsLong() throws IOException {
    close();
    open(0, 64);
    SplitPlans.Counts counts = count(DeviceTask.Mode.DYNAMIC, 64);
    assertEquals(0, counts.raw(), counts.toString());
  }

  @Test
  void theHostGoesOnWithWhatTheDeviceFilters() throws IOException {
    try (DeviceSession session = device.openSession()) {
      int bytes = encode(session, OffloadWire.Mode.DOCS);
      List<Integer> docs = new ArrayList<>();
      try (DeviceTask task =
          DeviceTask.init(session, bytes, DeviceTask.Mode.HAND_CODED, 0, StopSignal.NEVER)) {
        for (int from = 0; from < list.maxDoc(); ) {
          int limit = Math.min(list.maxDoc(), from + WINDOW);
          ByteBuffer page = task.filter(from, limit);
          int count = ResultHeaderLayout.entryCount(page, 0);
          for (int i = 0; i < count; i++) {
            docs.add(page.getInt(ResultHeaderLayout.BYTES + i * Integer.BYTES));
          }
          from = ResultHeaderLayout.nextDoc(page, 0);
        }
        assertEquals(0, ResultHeaderLayout.entryCount(task.end(false), 0));
      }
      int[] expected = new int[POSTINGS];
      for (int i = 0; i < POSTINGS; i++) {
        expected[i] = list.doc(i);
      }
      assertArrayEquals(expected, docs.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  @Test
  void whatIsStoredIsWholePages() throws IOException {
    ByteBuffer data = ByteBuffer.allocate(OffloadWire.LBA_BYTES + 100);
    for (int i = 0; i < data.capacity(); i++) {
      data.put((byte) (i * 7 + 1));
    }
    assertEquals(2, HostProgram.store(device, 3, data.flip().position(10)));
    assertEquals(10, data.position(), "data stay as they are");
    ByteBuffer back = ByteBuffer.allocateDirect(2 * OffloadWire.LBA_BYTES);
    device.read(3, back);
    for (int i = 0; i < back.capacity(); i++) {
      int expected = i < data.remaining() ? data.get(10 + i) : 0;
      assertEquals((byte) expected, back.get(i), "byte " + i);
    }
  }

  private static void assertStatus(int status, OffloadException e) {
    assertEquals(
        OffloadWire.Status.name(status), OffloadWire.Status.name(e.status()), e.getMessage());
  }

  @Test
  void whatIsWrongIsRefused() throws IOException {
    try (DeviceSession session = device.openSession()) {
      int bytes = encode(session, OffloadWire.Mode.COUNT);
      assertStatus(
          OffloadWire.Status.INVALID_FIELD,
          assertThrows(
              OffloadException.class,
              () ->
                  DeviceTask.init(
                      session, bytes, DeviceTask.Mode.HAND_CODED, 0, StopSignal.NEVER)));
      DeviceTask task =
          DeviceTask.init(session, bytes, DeviceTask.Mode.STATIC, 0, StopSignal.NEVER);
      assertStatus(
          OffloadWire.Status.BUSY,
          assertThrows(OffloadException.class, () -> session.execute(bytes, StopSignal.NEVER)));
      assertTrue(task.read(100, 200));
      assertStatus(
          OffloadWire.Status.INVALID_FIELD,
          assertThrows(OffloadException.class, () -> task.read(0, 100)));
      assertStatus(
          OffloadWire.Status.INVALID_FIELD,
          assertThrows(OffloadException.class, () -> task.filter(200, 300)));
      task.close();
      task.close();
      assertStatus(
          OffloadWire.Status.INVALID_FIELD,
          assertThrows(OffloadException.class, () -> task.read(300, 400)));
      assertFalse(session.execute(bytes, StopSignal.NEVER).limit() == 0, "the session goes on");
    }
  }
}
