/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.store.volume.VolumeContents.LBA_BYTES;
import static org.luceneoffload.store.volume.VolumeContents.bytes;
import static org.luceneoffload.store.volume.VolumeContents.direct;
import static org.luceneoffload.store.volume.VolumeContents.read;
import static org.luceneoffload.store.volume.VolumeContents.write;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.QuickRun;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The files of a volume: written, read, linked, deleted; space, damage and limits. */
class TestVolume {
  private final RamBlockDevice device = new RamBlockDevice(2048);

  @Test
  void keepsFilesAcrossOpens() throws IOException {
    VolumeId id;
    byte[] a = bytes(1, 3 * LBA_BYTES + 17);
    byte[] b = bytes(2, 200 * LBA_BYTES);
    try (Volume volume = Volume.openForWriting(device)) {
      id = volume.id();
      write(volume, "a", a);
      write(volume, "b", b);
      write(volume, "empty", new byte[0]);
    }
    try (Volume volume = Volume.openForWriting(device)) {
      assertEquals(id, volume.id());
      assertEquals(Set.of("a", "b", "empty"), volume.list());
      assertArrayEquals(a, read(volume, "a"));
      assertArrayEquals(b, read(volume, "b"));
      assertEquals(a.length, volume.length("a"));
      assertEquals(0, volume.length("empty"));
    }
  }

  @Test
  void aFileIsOneExtentIfItCanBe() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      write(volume, "a", bytes(1, 500 * LBA_BYTES));
      try (VolumeReader reader = volume.openFile("a")) {
        assertEquals(1, reader.extents().size());
        assertEquals(500, reader.extents().get(0).pageCount());
      }
    }
  }

  @Test
  void filesWrittenAtOnceStayApart() throws IOException {
    byte[] a = bytes(1, 300 * LBA_BYTES);
    byte[] b = bytes(2, 300 * LBA_BYTES);
    try (Volume volume = Volume.openForWriting(device)) {
      VolumeWriter first = volume.create("a", 0);
      VolumeWriter second = volume.create("b", 0);
      for (int at = 0; at < a.length; at += LBA_BYTES) {
        first.append(direct(a, at, LBA_BYTES));
        second.append(direct(b, at, LBA_BYTES));
      }
      first.finish(a.length);
      second.finish(b.length);
      assertArrayEquals(a, read(volume, "a"));
      assertArrayEquals(b, read(volume, "b"));
    }
  }

  @Test
  void namesAreLikeThoseOfADirectory() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      byte[] a = bytes(1, LBA_BYTES);
      write(volume, "a", a);
      assertThrows(FileAlreadyExistsException.class, () -> volume.create("a", 0));
      assertThrows(NoSuchFileException.class, () -> volume.openFile("b"));
      assertThrows(NoSuchFileException.class, () -> volume.delete("b"));
      assertThrows(NoSuchFileException.class, () -> volume.link("b", "c"));
      volume.rename("a", "b");
      assertFalse(volume.exists("a"));
      volume.link("b", "c");
      assertThrows(FileAlreadyExistsException.class, () -> volume.link("b", "c"));
      volume.delete("b");
      assertArrayEquals(a, read(volume, "c"));
      assertThrows(IllegalArgumentException.class, () -> volume.create("", 0));
      assertThrows(IllegalArgumentException.class, () -> volume.create("x".repeat(256), 0));
    }
  }

  @Test
  void spaceComesBack() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      long free = volume.freeLbas();
      int times = QuickRun.times(10, 50);
      for (int i = 0; i < times; i++) {
        write(volume, "a", bytes(i, 700 * LBA_BYTES));
        volume.link("a", "b");
        volume.delete("a");
        if (i % 2 == 0) {
          volume.sync();
        }
        volume.delete("b");
      }
      volume.sync();
      assertEquals(free, volume.freeLbas());
      assertTrue(device.lbasTrimmed() >= times * 700);
    }
  }

  @Test
  void anAbandonedWriterGivesItsSpaceBack() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      long free = volume.freeLbas();
      VolumeWriter writer = volume.create("a", 0);
      writer.append(direct(bytes(1, LBA_BYTES), 0, LBA_BYTES));
      writer.abort();
      assertEquals(free, volume.freeLbas());
      assertFalse(volume.exists("a"));
    }
  }

  @Test
  void readersOutliveDeletion() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      long free = volume.freeLbas();
      byte[] a = bytes(1, 10 * LBA_BYTES);
      write(volume, "a", a);
      volume.sync();
      VolumeReader reader = volume.openFile("a");
      volume.delete("a");
      volume.sync();
      write(volume, "b", bytes(2, 1000 * LBA_BYTES));
      assertArrayEquals(a, read(reader));
      volume.delete("b");
      reader.close();
      reader.close();
      volume.sync();
      assertEquals(free, volume.freeLbas());
      assertThrows(AlreadyClosedException.class, () -> read(reader));
    }
  }

  @Test
  void aFullDeviceSaysSo() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      byte[] much = bytes(1, 1800 * LBA_BYTES);
      write(volume, "a", much);
      OffloadException e =
          assertThrows(OffloadException.class, () -> write(volume, "b", bytes(2, 1 << 20)));
      assertEquals(OffloadWire.Status.NO_SPACE, e.status());
      assertArrayEquals(much, read(volume, "a"));
      assertFalse(volume.exists("b"));
      volume.delete("a");
      // The space of a synced file waits for a snapshot without it; the writer makes one.
      write(volume, "c", much);
      assertArrayEquals(much, read(volume, "c"));
    }
  }

  @Test
  void tooManyFilesAreRefused() throws IOException {
    Volume volume = Volume.openForWriting(new RamBlockDevice(512));
    for (int i = 0; i < 200; i++) {
      write(volume, "a-name-of-some-length-that-fills-the-table-" + i, bytes(i, LBA_BYTES));
    }
    IOException e = assertThrows(IOException.class, volume::sync);
    assertTrue(e.getMessage().contains("200 names"), e.getMessage());
    for (String name : volume.list()) {
      if (!name.endsWith("7")) {
        volume.delete(name);
      }
    }
    volume.close();
  }

  @Test
  void foreignDataAreLeftAlone() throws IOException {
    device.lba(0)[0] = 1;
    CorruptIndexException e =
        assertThrows(CorruptIndexException.class, () -> Volume.openForWriting(device));
    assertTrue(e.getMessage().contains("foreign data"), e.getMessage());
    assertEquals(0, device.lbasWritten());
  }

  @Test
  void dataBehindAnEmptyFirstLbaAreLeftAlone() throws IOException {
    device.lba(3)[100] = 1;
    assertThrows(CorruptIndexException.class, () -> Volume.openForWriting(device));
    assertEquals(0, device.lbasWritten());
  }

  @Test
  void everyDamageToTheSuperblockIsNoticed() throws IOException {
    Volume.openForWriting(device).close();
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      int bit = random.nextInt(LBA_BYTES * 8);
      device.lba(0)[bit >>> 3] ^= (byte) (1 << (bit & 7));
      assertThrows(CorruptIndexException.class, () -> Volume.openForWriting(device));
      device.lba(0)[bit >>> 3] ^= (byte) (1 << (bit & 7));
    }
    Volume.openForWriting(device).close();
  }

  @Test
  void twoDamagedSnapshotsAreAnError() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      write(volume, "a", bytes(1, 10));
      volume.sync();
      write(volume, "b", bytes(1, 10));
    }
    device.lba(1)[50] ^= 1; // area 0: the second snapshot
    try (Volume volume = Volume.openForWriting(device)) {
      assertEquals(Set.of("a"), volume.list());
    }
    device.lba(1 + 8)[50] ^= 1; // area 1: the first
    CorruptIndexException e =
        assertThrows(CorruptIndexException.class, () -> Volume.openForWriting(device));
    assertTrue(e.getMessage().contains("intact"), e.getMessage());
  }

  @Test
  void aFailedSyncCanBeRepeated() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      byte[] a = bytes(1, LBA_BYTES);
      write(volume, "a", a);
      volume.sync();
      volume.delete("a");
      write(volume, "b", bytes(2, LBA_BYTES));
      for (int flushes = 0; flushes < 2; flushes++) {
        device.failFlushesAfter(flushes);
        assertThrows(OffloadException.class, volume::sync);
        device.heal();
      }
      device.failWritesAfter(0);
      assertThrows(OffloadException.class, volume::sync);
      device.heal();
      volume.sync();
      try (Volume again = Volume.openForWriting(device)) {
        assertEquals(Set.of("b"), again.list());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 15})
  void aDeviceThatIsTooSmallIsSaidToBe(int lbas) {
    RamBlockDevice small = new RamBlockDevice(lbas);
    String why = lbas + " LBAs; a volume needs 16";
    for (Executable open :
        List.<Executable>of(() -> Volume.open(small), () -> Volume.openForWriting(small))) {
      IOException e = assertThrows(IOException.class, open);
      assertTrue(e.getMessage().contains(why), e.getMessage());
    }
  }

  @Test
  void remembersItsUsers() throws IOException {
    try (Volume volume = Volume.openForWriting(device)) {
      write(volume, "a", bytes(1, LBA_BYTES));
      volume.addUser(".");
      volume.addUser("../elsewhere");
      volume.addUser(".");
      assertThrows(IllegalArgumentException.class, () -> volume.addUser("x".repeat(300)));
      assertThrows(IllegalArgumentException.class, () -> volume.create("used-by .", 0));
    }
    try (Volume volume = Volume.open(device)) {
      assertEquals(Set.of(".", "../elsewhere"), volume.users());
      assertEquals(Set.of("a"), volume.list());
      volume.openForWriting();
      volume.delete("a");
    }
    try (Volume volume = Volume.open(device)) {
      assertEquals(Set.of(".", "../elsewhere"), volume.users());
      assertEquals(Set.of(), volume.list());
    }
  }

  @Test
  void aDeviceTooSmallIsRefused() {
    IOException e =
        assertThrows(IOException.class, () -> Volume.openForWriting(new RamBlockDevice(8)));
    assertTrue(e.getMessage().contains("has 8 LBAs"), e.getMessage());
  }
}
