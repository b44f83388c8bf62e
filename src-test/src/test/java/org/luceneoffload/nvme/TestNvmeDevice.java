/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.nvme.port.Errno;
import org.luceneoffload.nvme.port.LinuxPort;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** The NVMe backend beyond the contract: probing, claims, limits, faults. */
class TestNvmeDevice {
  private static final int LBA = OffloadWire.LBA_BYTES;
  private static final int LBAS = 4096;

  @TempDir Path home;
  private Device store;
  private FakeController controller;

  @BeforeEach
  void make() throws IOException {
    store = new SimDeviceProvider().openForWriting("capacity=" + LBAS * 4 + "k,dram=1m", home);
    controller = new FakeController(store);
  }

  @AfterEach
  void end() {
    controller.close();
  }

  /** Opens for writing if the options allow for it. */
  private Device open(String options) throws IOException {
    NvmeOptions parsed = NvmeOptions.parse("/dev/ng0n1" + options);
    Device device = NvmeDevice.open("nvme:/dev/ng0n1", controller, parsed.access());
    try {
      if (!parsed.readOnly()) {
        device.openForWriting();
      }
      return device;
    } catch (IOException e) {
      device.close();
      throw e;
    }
  }

  private OffloadException refused(String options, int status, String message) {
    OffloadException e = assertThrows(OffloadException.class, () -> openVolume(options).close());
    assertEquals(OffloadWire.Status.name(status), OffloadWire.Status.name(e.status()));
    assertTrue(e.getMessage().contains(message), e.getMessage());
    return e;
  }

  /** Opens device and volume, as a directory does. */
  private Device openVolume(String options) throws IOException {
    Device device = open(options);
    try {
      Volume volume = Volume.open(device);
      if (!device.info().readOnly()) {
        volume.openForWriting();
      }
      volume.close();
      return device;
    } catch (IOException e) {
      device.close();
      throw e;
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  // Probing.

  @Test
  void aControllerThatListsNoneOfTheOpcodesGetsNone() {
    for (int listed = 0; listed < 6; listed++) {
      controller = new FakeController(store);
      controller.effectsOpcodes = listed;
      refused(",claim=empty", OffloadWire.Status.INVALID_OPCODE, "does not list opcode");
      assertEquals(0, controller.vendorCommands.get());
      assertEquals(0, controller.writes.get());
      store = reopen();
    }
  }

  /** The controller closed its device, as it should when it is refused. */
  private Device reopen() {
    try {
      return new SimDeviceProvider().openForWriting("capacity=" + LBAS * 4 + "k,dram=1m", home);
    } catch (IOException e) {
      throw new AssertionError("the port of a refused device was not closed", e);
    }
  }

  @Test
  void forceAsksAllTheSame() throws IOException {
    controller.effectsOpcodes = 0;
    try (Device device = open(",claim=empty,force=true")) {
      assertEquals(LBAS, device.info().lbaCount());
    }
  }

  @Test
  void successWithoutAnAnswerIsNotBelieved() {
    controller.infoMagic = 0;
    refused(",claim=empty", OffloadWire.Status.INVALID_OPCODE, "not answer as the wire demands");
    assertEquals(0, controller.writes.get());
  }

  @Test
  void anotherVersionIsNamed() {
    controller.infoVersion = OffloadWire.VERSION + 1;
    refused(
        ",claim=empty",
        OffloadWire.Status.UNSUPPORTED_VERSION,
        "version " + (OffloadWire.VERSION + 1));
  }

  @Test
  void anotherLbaFormatIsNamed() {
    controller.lbaShift = 9;
    refused(",claim=empty", OffloadWire.Status.INVALID_ARGUMENT, "LBAs of 512 bytes");
  }

  @Test
  void vendorOpcodesCanBeElsewhere() throws IOException {
    controller.close();
    store = reopen();
    controller = new FakeController(store, new Opcodes(0xD0), new AtomicInteger());
    try (Device device = open(",claim=empty,opcodes=d0")) {
      StridedList list = StridedList.write(device, 0, 1000, 2, 1);
      try (DeviceSession session = device.openSession()) {
        assertEquals(1000, list.countSelfIntersection(session));
      }
    }
  }

  // Claims.

  @Test
  void anEmptyNamespaceIsRefusedUnlessGivenOver() throws IOException {
    refused("", OffloadWire.Status.LOCKED, "holds nothing; claim=empty");
    assertEquals(0, controller.writes.get());
  }

  @Test
  void whatHoldsSomethingIsRefusedUnlessOverwritten() throws IOException {
    for (long lba : new long[] {0, 17, LBAS - 1}) {
      store.write(lba, buffer(LBA).put(LBA - 1, (byte) 1));
      refused("", OffloadWire.Status.LOCKED, "something else; claim=overwrite");
      store = reopen();
      controller = new FakeController(store);
      refused(",claim=empty", OffloadWire.Status.LOCKED, "not empty; claim=overwrite");
      assertEquals(0, controller.writes.get());
      store = reopen();
      ByteBuffer there = buffer(LBA);
      store.read(lba, there);
      assertEquals(1, there.get(LBA - 1));
      controller = new FakeController(store);
      try (Device device = open(",claim=overwrite")) {
        Volume.openForWriting(device).close();
        assertTrue(Volume.isOn(device));
      }
      store = reopen();
      controller = new FakeController(store);
      openVolume("").close(); // ours now
      store = reopen();
      store.write(0, buffer(LBA));
      controller = new FakeController(store);
    }
  }

  @Test
  void readOnlyClaimsNothing() throws IOException {
    refused(",readonly=true", OffloadWire.Status.LOCKED, "holds nothing");
    store = reopen();
    Volume.openForWriting(store).close();
    controller = new FakeController(store);
    try (Device device = open(",readonly=true")) {
      assertTrue(device.info().readOnly());
      OffloadException e = assertThrows(OffloadException.class, () -> device.write(0, buffer(LBA)));
      assertEquals(OffloadWire.Status.READ_ONLY, e.status());
      assertThrows(OffloadException.class, () -> device.trim(0, 1));
      assertEquals(0, controller.writes.get());
    }
  }

  @Test
  void oneWriterAtATime() throws IOException {
    AtomicInteger locks = new AtomicInteger(1);
    controller = new FakeController(store, Opcodes.WIRE, locks);
    refused(",claim=empty", OffloadWire.Status.LOCKED, "held");
  }

  // Limits.

  @Test
  void transfersStayBelowTheLimit() throws IOException {
    controller.maxTransferPages = 4;
    try (Device device = open(",claim=empty")) {
      assertEquals(4 * LBA, device.info().maxTransferBytes());
      assertTrue(device.info().maxPlanBytes() <= 4 * LBA);
      ByteBuffer data = buffer(19 * LBA);
      for (int i = 0; i < data.capacity(); i += Long.BYTES) {
        data.putLong(i, i * 0x9E3779B97F4A7C15L);
      }
      device.write(100, data);
      ByteBuffer back = buffer(19 * LBA);
      device.read(100, back);
      assertEquals(data.flip(), back.flip());
      // A result page of 40,000 docs comes in parts, and so do its live docs.
      StridedList list = StridedList.write(device, 200, 40_000, 8, 5);
      ByteBuffer bits = buffer((list.maxDoc() + 63) / 64 * Long.BYTES);
      for (int i = 0; i < bits.capacity(); i++) {
        bits.put(i, (byte) -1);
      }
      int live = device.putLiveDocs(bits);
      try (DeviceSession session = device.openSession()) {
        int bytes = StridedList.encode(session.planBuffer(), list.plan(), OffloadWire.Mode.DOCS, 0);
        PlanHeaderLayout.liveDocs(session.planBuffer(), 0, live);
        ByteBuffer page = session.execute(bytes, DeviceSession.StopSignal.NEVER);
        assertTrue(page.limit() > 4 * LBA, "page of " + page.limit());
        int docs = ResultHeaderLayout.entryCount(page, 0);
        for (int i = 0; i < docs; i++) {
          assertEquals(list.doc(i), page.getInt(ResultHeaderLayout.BYTES + 4 * i));
        }
      }
      device.dropResource(live);
      assertTrue(controller.largestTransfer <= 4 * LBA, "" + controller.largestTransfer);
    }
  }

  // Faults.

  @Test
  void everyKindOfFailureIsNamed() throws IOException {
    Device device = open(",claim=empty");
    int[][] cases = {
      {0x4001, OffloadWire.Status.INVALID_OPCODE},
      {0x4002, OffloadWire.Status.INVALID_FIELD},
      {0x0006, OffloadWire.Status.INTERNAL},
      {0x0080, OffloadWire.Status.OUT_OF_RANGE},
      {0x0081, OffloadWire.Status.NO_SPACE},
      {0x0020, OffloadWire.Status.READ_ONLY},
      {0x0281, OffloadWire.Status.IO_ERROR},
      {0x0370, OffloadWire.Status.IO_ERROR},
      {0x4700 | OffloadWire.Status.PAGE_CORRUPT, OffloadWire.Status.PAGE_CORRUPT},
      {0x47FE, OffloadWire.Status.IO_ERROR},
      {0x4700, OffloadWire.Status.IO_ERROR},
    };
    for (int[] one : cases) {
      controller.fault = command -> one[0];
      OffloadException e = assertThrows(OffloadException.class, device::flush);
      String number = String.format(Locale.ROOT, "%d/%02Xh", one[0] >>> 8 & 7, one[0] & 0xFF);
      assertEquals(OffloadWire.Status.name(one[1]), OffloadWire.Status.name(e.status()), number);
      assertTrue(e.getMessage().contains(number), e.getMessage());
      assertTrue(e.getMessage().contains("/dev/ng0n1"), e.getMessage());
    }
    controller.fault = command -> 0;
    device.close();
  }

  @Test
  void errorNumbersSayWhatToDo() {
    assertTrue(LinuxPort.failure("x", Errno.EACCES).getMessage().contains("CAP_SYS_ADMIN"));
    assertTrue(LinuxPort.failure("x", Errno.EINTR).getMessage().contains("unknown"));
    assertTrue(LinuxPort.failure("x", Errno.ENOTTY).getMessage().contains("no namespace"));
    assertTrue(LinuxPort.failure("x", 9999).getMessage().contains("9999"));
    OffloadException e =
        assertThrows(OffloadException.class, () -> LinuxPort.open("/dev/ng77n77", true));
    assertTrue(e.getMessage().contains("ENOENT"), e.getMessage());
    LinuxPort port = null;
    try {
      port = LinuxPort.open("/dev/null", false);
      LinuxPort opened = port;
      e = assertThrows(OffloadException.class, opened::namespaceId);
      assertTrue(e.getMessage().contains("ENOTTY"), e.getMessage());
    } catch (OffloadException unexpected) {
      throw new AssertionError(unexpected);
    } finally {
      if (port != null) {
        port.close();
      }
    }
  }

  @Test
  void whatAResetForgotIsSaidAndNewSessionsWork() throws IOException {
    Device device = open(",claim=empty");
    StridedList list = StridedList.write(device, 0, 1000, 2, 1);
    try (DeviceSession session = device.openSession()) {
      assertEquals(1000, list.countSelfIntersection(session));
      controller.fault =
          command -> {
            throw LinuxPort.failure("command", Errno.EINTR);
          };
      OffloadException e =
          assertThrows(OffloadException.class, () -> list.countSelfIntersection(session));
      assertTrue(e.getMessage().contains("unknown"), e.getMessage());
      assertFalse(session.isUsable());
      controller.reset();
      controller.fault = command -> 0x370;
      assertThrows(OffloadException.class, () -> list.countSelfIntersection(session));
      controller.fault = command -> 0;
      e = assertThrows(OffloadException.class, () -> list.countSelfIntersection(session));
      assertEquals(OffloadWire.Status.NO_SESSION, e.status());
    }
    try (DeviceSession session = device.openSession()) {
      assertEquals(1000, list.countSelfIntersection(session));
    }
    assertEquals(0, controller.openSessions());
    device.close();
  }

  @Test
  void writesThatWereGivenUpMayStillLand() throws IOException {
    Device device = open(",claim=empty");
    assertFalse(device.hasUnfinishedWrites());
    controller.fault =
        command -> {
          throw LinuxPort.failure("command", Errno.EINTR);
        };
    OffloadException e = assertThrows(OffloadException.class, () -> device.read(0, buffer(LBA)));
    assertEquals(OffloadWire.Status.TIMED_OUT, e.status());
    assertFalse(device.hasUnfinishedWrites());
    assertThrows(OffloadException.class, () -> device.write(0, buffer(LBA)));
    assertTrue(device.hasUnfinishedWrites());
    controller.fault = command -> 0;
    assertTrue(device.hasUnfinishedWrites());
    device.close();
  }

  @Test
  void impossibleAnswersAreRefused() throws IOException {
    Device device = open(",claim=empty");
    StridedList list = StridedList.write(device, 0, 1000, 2, 1);
    try (DeviceSession session = device.openSession()) {
      for (int bytes : new int[] {0, 71, -1, Integer.MAX_VALUE}) {
        controller.fault = answer(OffloadWire.Opcode.SUBMIT, bytes);
        assertThrows(OffloadException.class, () -> list.countSelfIntersection(session));
      }
      controller.fault = command -> 0;
      assertEquals(1000, list.countSelfIntersection(session));
    }
    device.close();
  }

  /** Lets a command be executed by nobody, and changes the result afterwards. */
  private FakeController.Fault answer(int opcode, int dword0) {
    return command -> {
      if (command.opcode() == opcode) {
        command.result(dword0);
        return FakeController.ANSWERED;
      }
      return 0;
    };
  }

  @Test
  void sessionsAreClosedOnTheDevice() throws IOException {
    Device device = open(",claim=empty");
    DeviceSession first = device.openSession();
    device.openSession();
    assertEquals(2, controller.openSessions());
    first.close();
    first.close();
    assertEquals(1, controller.openSessions());
    device.close();
    assertEquals(0, controller.openSessions());
    assertThrows(OffloadException.class, device::openSession);
  }

  @Test
  void aStoppedPlanIsNotSent() throws IOException {
    try (Device device = open(",claim=empty");
        DeviceSession session = device.openSession()) {
      int before = controller.vendorCommands.get();
      OffloadException e =
          assertThrows(OffloadException.class, () -> session.execute(64, () -> true));
      assertEquals(OffloadWire.Status.ABORTED, e.status());
      assertEquals(before, controller.vendorCommands.get());
      assertFalse(device.info().readOnly());
    }
  }
}
