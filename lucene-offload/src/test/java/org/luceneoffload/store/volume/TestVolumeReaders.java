/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.store.volume.VolumeContents.LBA_BYTES;
import static org.luceneoffload.store.volume.VolumeContents.bytes;
import static org.luceneoffload.store.volume.VolumeContents.read;
import static org.luceneoffload.store.volume.VolumeContents.write;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Who reads a volume while somebody else writes it, and becomes the writer. */
class TestVolumeReaders {
  private final RamBlockDevice device = new RamBlockDevice(2048);

  @Test
  void aReaderFollowsTheWriter() throws IOException {
    try (Volume writer = Volume.openForWriting(device);
        Volume reader = Volume.open(device)) {
      assertFalse(reader.isWritable());
      byte[] a = bytes(1, LBA_BYTES);
      write(writer, "a", a);
      assertFalse(reader.exists("a"));
      writer.sync();
      assertArrayEquals(a, read(reader, "a"));
      OffloadException e = assertThrows(OffloadException.class, () -> reader.create("b", 0));
      assertEquals(OffloadWire.Status.READ_ONLY, e.status());
      assertThrows(OffloadException.class, () -> reader.delete("a"));
      assertThrows(OffloadException.class, () -> reader.link("a", "b"));
      assertThrows(OffloadException.class, () -> reader.addUser("somebody"));
      assertThrows(OffloadException.class, reader::sync);
    }
  }

  /** A node that is started anew: it fails for a while, and then answers. */
  private static final class AwayDevice extends FilterDevice {
    private int failures;

    AwayDevice(Device in) {
      super(in);
    }

    @Override
    public void read(long lba, ByteBuffer to) throws IOException {
      if (failures > 0) {
        failures--;
        throw new OffloadException(OffloadWire.Status.IO_ERROR, "connection refused");
      }
      super.read(lba, to);
    }
  }

  @Test
  void whoReadsAnIndexWaitsForItsNode() throws IOException {
    try (Volume writer = Volume.openForWriting(device)) {
      write(writer, "i/a", bytes(1, LBA_BYTES));
      writer.sync();
      AwayDevice away = new AwayDevice(device);
      try (Volume images = Volume.open(away);
          Volume reader = Volume.open(away)) {
        away.failures = 1;
        assertThrows(OffloadException.class, images::refresh); // the host answers meanwhile
        away.failures = 3;
        reader.keepFiles("i");
        assertEquals(0, away.failures);
        write(writer, "i/b", bytes(2, LBA_BYTES));
        writer.sync();
        away.failures = 3;
        reader.refresh();
        assertEquals(0, away.failures);
        assertEquals(Set.of("i/a", "i/b"), reader.list());
        write(writer, "i/c", bytes(3, LBA_BYTES));
        writer.sync();
        away.failures = 3;
        assertTrue(reader.exists("i/c"));
        assertEquals(0, away.failures);
      }
    }
  }

  @Test
  void onlyARefusedConnectionIsWaitedForAtOpening() throws IOException {
    int[] asked = {0};
    assertEquals(
        "open",
        PatientReads.open(
            () -> {
              if (asked[0]++ < 2) {
                throw new OffloadException(
                    OffloadWire.Status.IO_ERROR, "no node", new ConnectException("refused"));
              }
              return "open";
            }));
    assertEquals(3, asked[0]);
    assertThrows(
        OffloadException.class,
        () ->
            PatientReads.open(
                () -> {
                  asked[0]++;
                  throw new OffloadException(OffloadWire.Status.IO_ERROR, "no such key");
                }));
    assertEquals(4, asked[0]);
  }

  @Test
  void aReaderWritesNothing() throws IOException {
    try (Volume reader = Volume.open(device)) {
      assertEquals(Set.of(), reader.list());
      assertNull(reader.id());
      assertFalse(reader.exists("a"));
      try (Volume writer = Volume.openForWriting(device)) {
        long written = device.lbasWritten();
        write(writer, "a", bytes(1, LBA_BYTES));
        writer.sync();
        assertTrue(device.lbasWritten() > written);
      }
      assertTrue(reader.exists("a"));
    }
    RamBlockDevice untouched = new RamBlockDevice(512);
    Volume.open(untouched).close();
    assertEquals(0, untouched.journalSize());
  }

  @Test
  void aReaderBecomesTheWriterWithWhatIsThereByThen() throws IOException {
    byte[] a = bytes(1, 3 * LBA_BYTES);
    byte[] b = bytes(2, 2 * LBA_BYTES);
    try (Volume later = Volume.open(device)) {
      try (Volume earlier = Volume.openForWriting(device)) {
        write(earlier, "a", a);
        write(earlier, "b", b);
        earlier.sync();
        assertArrayEquals(a, read(later, "a"));
        earlier.delete("b");
        write(earlier, "c", b);
      }
      later.openForWriting();
      later.openForWriting();
      assertTrue(later.isWritable());
      assertEquals(Set.of("a", "c"), later.list());
      write(later, "d", a);
      later.delete("a");
    }
    try (Volume after = Volume.open(device)) {
      assertEquals(Set.of("c", "d"), after.list());
      assertArrayEquals(b, read(after, "c"));
      assertArrayEquals(a, read(after, "d"));
    }
  }

  @Test
  void whatWasOpenWhileReadingIsNotWrittenOver() throws IOException {
    RamBlockDevice small = new RamBlockDevice(64);
    byte[] a = bytes(1, 20 * LBA_BYTES);
    try (Volume writer = Volume.openForWriting(small)) {
      write(writer, "a", a);
      write(writer, "gone", bytes(2, LBA_BYTES));
    }
    try (Volume volume = Volume.open(small)) {
      VolumeReader open = volume.openFile("a");
      VolumeReader gone = volume.openFile("gone");
      try (Volume other = Volume.openForWriting(small)) {
        other.delete("gone");
      }
      volume.openForWriting();
      long free = volume.freeLbas();
      gone.close(); // its LBAs are free already
      assertEquals(free, volume.freeLbas());
      volume.delete("a");
      volume.sync();
      for (int i = 0; volume.freeLbas() > 0; i++) {
        write(volume, "filler" + i, bytes(3, LBA_BYTES));
      }
      assertArrayEquals(a, read(open));
      open.close();
      volume.sync();
      assertEquals(20, volume.freeLbas());
    }
  }

  @Test
  void whoCannotBecomeTheWriterStaysAReader() throws IOException {
    try (Volume writer = Volume.openForWriting(device)) {
      write(writer, "a", bytes(1, LBA_BYTES));
    }
    device.setReadOnly(true);
    try (Volume volume = Volume.open(device)) {
      OffloadException e = assertThrows(OffloadException.class, volume::openForWriting);
      assertEquals(OffloadWire.Status.READ_ONLY, e.status());
      assertFalse(volume.isWritable());
      assertArrayEquals(bytes(1, LBA_BYTES), read(volume, "a"));
      device.setReadOnly(false);
      device.failReadsAfter(0);
      assertThrows(OffloadException.class, volume::openForWriting);
      device.heal();
      volume.openForWriting();
      volume.delete("a");
    }
  }
}
