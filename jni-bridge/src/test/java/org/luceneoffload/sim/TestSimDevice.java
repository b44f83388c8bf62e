/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The simulator as a device: its provider, its store file, its limits. */
class TestSimDevice {
  @TempDir Path home;

  @AfterEach
  void noHandleLeaks() {
    assertEquals(0, NativeHandle.live());
  }

  private Device open(String rest) throws IOException {
    SimDeviceProvider provider = new SimDeviceProvider();
    return provider.isReadOnly(rest)
        ? provider.open(rest, home)
        : provider.openForWriting(rest, home);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void assertStatus(int status, Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(status, e.status(), e.getMessage());
  }

  @Test
  void theProviderIsFound() {
    DeviceProvider provider =
        ServiceLoader.load(DeviceProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(p -> p.scheme().equals("sim"))
            .findFirst()
            .orElseThrow();
    assertNull(provider.unavailableReason());
    assertEquals("offload.vol", provider.storeFileName());
    assertNotNull(provider.description());
  }

  @Test
  void theOptionsArrive() throws IOException {
    try (Device device = open("capacity=1m,dram=2m,sessions=5")) {
      assertEquals(256, device.info().lbaCount());
      assertEquals(5, device.info().maxSessions());
      assertFalse(device.info().readOnly());
      assertEquals(4096, device.lbaBytes());
      assertEquals("sim:capacity=1m,dram=2m,sessions=5", device.name());
      assertFalse(device.info().model().isEmpty());
      assertFalse(device.info().kernels().isEmpty());
    }
    assertTrue(Files.exists(home.resolve("offload.vol")));
  }

  @Test
  void byDefaultAQuarterOfTheMemoryHoldsPages() throws IOException {
    long memory =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    try (Device device = open("")) {
      double share = (double) device.info().dramBytes() / memory;
      assertTrue(share > 0.23 && share <= 0.26, "share " + share);
    }
  }

  @Test
  void devicesShareABudget() throws IOException {
    long first;
    try (Device device = open("")) {
      first = device.info().dramBytes();
      try (Device second = open("store=second.vol");
          Device third = open("store=third.vol");
          Device own = open("dram=3m,store=own.vol")) {
        assertEquals(2.0, (double) first / second.info().dramBytes(), 0.1);
        assertEquals(4.0, (double) first / third.info().dramBytes(), 0.1);
        assertTrue(own.info().dramBytes() <= 3 << 20);
      }
      assertThrows(IOException.class, () -> open("readonly=true,store=absent.vol"));
      try (Device next = open("store=second.vol")) {
        assertEquals(2.0, (double) first / next.info().dramBytes(), 0.1, "shares were given back");
      }
    }
    try (Device again = open("")) {
      assertEquals(first, again.info().dramBytes());
    }
  }

  @Test
  void theStoreOutlivesTheDevice() throws IOException {
    Path store = home.resolve("sub").resolve("ünïcode store.vol");
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    // More than one command takes: the transfer is cut into several.
    byte[] bytes = new byte[5 << 20];
    random.nextBytes(bytes);
    String rest = "capacity=64m,store=" + store;
    try (Device device = open(rest)) {
      device.write(3, buffer(bytes.length).put(bytes).flip());
      device.flush();
    }
    assertTrue(Files.exists(store));
    try (Device device = open(rest + ",readonly=true")) {
      assertTrue(device.info().readOnly());
      ByteBuffer back = buffer(bytes.length + 4096);
      back.position(4096);
      device.read(3, back);
      assertEquals(back.limit(), back.position());
      assertEquals(ByteBuffer.wrap(bytes), back.position(4096));
      assertStatus(OffloadWire.Status.READ_ONLY, () -> device.write(0, buffer(4096)));
      assertStatus(OffloadWire.Status.READ_ONLY, () -> device.trim(0, 1));
    }
  }

  @Test
  void aReadOnlyDeviceNeedsItsStore() {
    OffloadException e =
        assertThrows(OffloadException.class, () -> open("readonly=true,store=absent.vol"));
    assertTrue(e.getMessage().contains("absent.vol"), e.getMessage());
    assertFalse(Files.exists(home.resolve("absent.vol")));
  }

  @Test
  void openingMakesNoFile() throws IOException {
    Path store = home.resolve("none").resolve("deep").resolve("later.vol");
    try (Device device = new SimDeviceProvider().open("capacity=1m,store=" + store, home)) {
      ByteBuffer back = buffer(4096).put(0, (byte) 1);
      device.read(17, back);
      assertEquals(buffer(4096), back.flip());
      assertFalse(Files.exists(store.getParent().getParent()));
      device.openForWriting();
      assertTrue(Files.exists(store));
    }
  }

  @Test
  void optionsThatOnlyLookLikeReadOnlyAreNot() throws IOException {
    SimDeviceProvider provider = new SimDeviceProvider();
    assertTrue(provider.isReadOnly("dram=1m,readonly=true"));
    assertFalse(provider.isReadOnly("readonly=false"));
    assertFalse(provider.isReadOnly("store=/x/readonly=true/v"));
    Path store = home.resolve("readonly=true").resolve("v");
    try (Device device = open("capacity=1m,store=" + store)) {
      device.write(0, buffer(4096));
    }
    assertTrue(Files.exists(store));
  }

  @Test
  void oneWriterAtATime() throws IOException {
    try (Device first = open("")) {
      OffloadException e = assertThrows(OffloadException.class, () -> open(""));
      assertEquals(OffloadWire.Status.LOCKED, e.status());
      assertTrue(e.getMessage().contains("writes to store " + home), e.getMessage());
      first.flush();
    }
    open("").close();
  }

  @Test
  void sessionsRunOut() throws IOException {
    try (Device device = open("capacity=1m,sessions=2")) {
      DeviceSession first = device.openSession();
      try (DeviceSession second = device.openSession()) {
        assertNotNull(second);
        assertStatus(OffloadWire.Status.TOO_MANY_SESSIONS, device::openSession);
      }
      device.openSession(); // left open: the device closes it
      first.close();
      first.close();
    }
  }

  @Test
  void errorsSayWhatAndWhy() throws IOException {
    try (Device device = open("")) {
      OffloadException e = assertThrows(OffloadException.class, () -> device.dropResource(12345));
      assertEquals(OffloadWire.Status.NO_RESOURCE, e.status());
      assertTrue(e.getMessage().contains("12345"), e.getMessage());

      try (DeviceSession session = device.openSession()) {
        session.planBuffer().putInt(0, 0xBAD);
        e =
            assertThrows(
                OffloadException.class, () -> session.execute(64, DeviceSession.StopSignal.NEVER));
        assertEquals(OffloadWire.Status.PLAN_MALFORMED, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("running a plan failed: "), e.getMessage());
        assertTrue(e.getMessage().contains("0x00000BAD"), e.getMessage());
        assertTrue(e.getMessage().endsWith("SUBMIT in session 1"), e.getMessage());
      }
    }
  }

  @Test
  void buffersAreChecked() throws IOException {
    try (Device device = open("")) {
      for (ByteBuffer bad :
          new ByteBuffer[] {ByteBuffer.allocate(4096), buffer(100), buffer(0), buffer(4097)}) {
        assertThrows(IllegalArgumentException.class, () -> device.read(0, bad));
        assertThrows(IllegalArgumentException.class, () -> device.write(0, bad));
      }
      assertThrows(
          IllegalArgumentException.class, () -> device.read(0, buffer(4096).asReadOnlyBuffer()));
      assertThrows(IllegalArgumentException.class, () -> device.putLiveDocs(buffer(12)));
      assertThrows(
          IllegalArgumentException.class, () -> device.putLiveDocs(ByteBuffer.allocate(8)));
      device.write(255, buffer(4096).asReadOnlyBuffer());
      try (DeviceSession session = device.openSession()) {
        int capacity = session.planBuffer().capacity();
        for (int bad : new int[] {-1, capacity + 1, Integer.MAX_VALUE}) {
          assertThrows(
              IllegalArgumentException.class,
              () -> session.execute(bad, DeviceSession.StopSignal.NEVER));
        }
        assertStatus(
            OffloadWire.Status.PLAN_TRUNCATED,
            () -> session.execute(0, DeviceSession.StopSignal.NEVER));
      }
    }
  }
}
