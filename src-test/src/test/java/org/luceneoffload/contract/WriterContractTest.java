/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The promises of {@link Device#openForWriting}, for every backend whose devices can be opened more
 * than once: as two processes would, two devices over one store.
 */
public abstract class WriterContractTest {
  private static final int LBA = OffloadWire.LBA_BYTES;

  /** Where the store is. */
  @TempDir Path home;

  /** Opens the store of {@code home} once more, of 1,024 LBAs, as a provider does. */
  public abstract Device open(Path home, boolean readOnly) throws IOException;

  private Device open() throws IOException {
    return open(home, false);
  }

  private static ByteBuffer buffer(int lbas) {
    return ByteBuffer.allocateDirect(lbas * LBA).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer random(long seed) {
    byte[] bytes = new byte[LBA];
    new Random(seed).nextBytes(bytes);
    return buffer(1).put(bytes).flip();
  }

  private static ByteBuffer read(Device device, long lba) throws IOException {
    ByteBuffer back = buffer(1);
    device.read(lba, back);
    return back.flip();
  }

  private static void assertStatus(int status, Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(
        OffloadWire.Status.name(status), OffloadWire.Status.name(e.status()), e.getMessage());
  }

  private static long count(Device device, StridedList list) throws IOException {
    try (DeviceSession session = device.openSession()) {
      return list.countSelfIntersection(session);
    }
  }

  @Test
  void itIsOpenedForReading() throws IOException {
    try (Device device = open()) {
      assertFalse(device.info().readOnly());
      assertStatus(OffloadWire.Status.READ_ONLY, () -> device.write(0, random(1)));
      assertStatus(OffloadWire.Status.READ_ONLY, () -> device.trim(0, 1));
      device.flush();
      assertEquals(buffer(1), read(device, 0));
      device.openForWriting();
      device.openForWriting();
      device.write(0, random(1));
      device.trim(1, 1);
      device.flush();
      assertEquals(random(1), read(device, 0));
      assertFalse(device.info().readOnly());
    }
  }

  @Test
  void oneDeviceWritesAndOthersRead() throws IOException {
    try (Device reader = open()) {
      try (Device writer = open()) {
        writer.openForWriting();
        writer.write(7, random(2));
        writer.flush();
        assertEquals(random(2), read(reader, 7));
        assertStatus(OffloadWire.Status.LOCKED, reader::openForWriting);
        assertStatus(OffloadWire.Status.READ_ONLY, () -> reader.write(7, random(3)));
        writer.write(7, random(4));
        writer.flush();
        assertEquals(random(4), read(reader, 7));
      }
      reader.openForWriting();
      reader.write(7, random(5));
      try (Device next = open()) {
        assertEquals(random(5), read(next, 7));
        assertStatus(OffloadWire.Status.LOCKED, next::openForWriting);
      }
    }
    try (Device last = open()) {
      last.openForWriting();
    }
  }

  @Test
  void whatIsReadOnlyNeverBecomesWritable() throws IOException {
    try (Device device = open()) {
      device.openForWriting();
      device.write(3, random(6));
      device.flush();
    }
    try (Device reader = open(home, true);
        Device writer = open()) {
      assertTrue(reader.info().readOnly());
      assertStatus(OffloadWire.Status.READ_ONLY, reader::openForWriting);
      assertEquals(random(6), read(reader, 3));
      writer.openForWriting();
    }
  }

  @Test
  void plansAndReadsGoOnMeanwhile() throws Exception {
    StridedList list;
    try (Device device = open()) {
      device.openForWriting();
      list = StridedList.write(device, 10, 20_000, 3, 0x5EED);
      device.flush();
    }
    try (Device device = open()) {
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService pool = Executors.newFixedThreadPool(2);
      Future<?> queries =
          pool.submit(
              () -> {
                while (!stop.get()) {
                  assertEquals(20_000, count(device, list));
                }
                return null;
              });
      Future<?> reads =
          pool.submit(
              () -> {
                ByteBuffer first = read(device, 10);
                while (!stop.get()) {
                  assertEquals(first, read(device, 10));
                }
                return null;
              });
      assertEquals(20_000, count(device, list));
      device.openForWriting();
      device.write(900, random(7));
      assertEquals(20_000, count(device, list));
      stop.set(true);
      queries.get();
      reads.get();
      pool.shutdown();
    }
  }

  @Test
  void afterCloseItIsClosed() throws IOException {
    Device reader = open();
    reader.close();
    assertStatus(OffloadWire.Status.CLOSED, reader::openForWriting);
    Device writer = open();
    writer.openForWriting();
    writer.close();
    assertStatus(OffloadWire.Status.CLOSED, writer::openForWriting);
  }
}
