/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.wire.OffloadWire;

/** Files that are deleted while somebody on another host may read them. */
class TestVolumeLeases {
  private final RamBlockDevice device = new RamBlockDevice(256);

  private static void write(Volume volume, String name, int pages) throws IOException {
    VolumeWriter writer = volume.create(name, 0, 7);
    ByteBuffer page =
        ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < pages; i++) {
      writer.append(page.clear());
    }
    writer.finish((long) pages * OffloadWire.LBA_BYTES);
  }

  @Test
  void deletedFilesWaitForTheirReaders() throws IOException {
    device.setLeastLease(1);
    long free;
    try (Volume volume = Volume.openForWriting(device)) {
      volume.keepFiles();
      write(volume, "a", 10);
      volume.sync(); // 1
      free = volume.freeLbas();
      volume.delete("a");
      volume.sync(); // 2, the first without it
      assertEquals(free, volume.freeLbas());
    }
    // The next writer knows of them, too.
    try (Volume volume = Volume.openForWriting(device)) {
      volume.keepFiles();
      assertTrue(volume.list().isEmpty());
      assertEquals(free, volume.freeLbas());
      write(volume, "b", 5);
      volume.sync();
      assertEquals(free - 5, volume.freeLbas());
      device.setLeastLease(2);
      volume.sync();
      assertEquals(free - 5 + 10, volume.freeLbas());
      volume.delete("b");
      volume.sync();
      device.setLeastLease(Long.MAX_VALUE);
      volume.sync();
      assertEquals(free + 10, volume.freeLbas());
    }
    try (Volume volume = Volume.openForWriting(device)) {
      assertEquals(free + 10, volume.freeLbas());
    }
  }

  @Test
  void aFullVolumeAsksAgain() throws IOException {
    device.setLeastLease(0);
    try (Volume volume = Volume.openForWriting(device)) {
      volume.keepFiles();
      int half = (int) volume.freeLbas() / 2 + 1;
      write(volume, "a", half);
      volume.sync();
      volume.delete("a");
      volume.sync();
      device.setLeastLease(Long.MAX_VALUE);
      write(volume, "b", half);
      volume.sync();
    }
  }

  @Test
  void aReaderHoldsTheOldestTableThatItUses() throws IOException {
    try (Volume writer = Volume.openForWriting(device)) {
      write(writer, "a", 1);
      writer.sync();
      Volume reader = Volume.open(device);
      assertEquals(Long.MAX_VALUE, device.heldLease());
      reader.keepFiles();
      assertEquals(1, device.heldLease());
      VolumeReader file = reader.openFile("a");
      writer.delete("a");
      writer.sync();
      reader.refresh();
      assertEquals(1, device.heldLease());
      assertTrue(reader.list().isEmpty());
      file.close();
      reader.refresh();
      assertEquals(2, device.heldLease());
      reader.close();
    }
  }
}
