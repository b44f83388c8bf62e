/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeWriter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Writers of a storage node that is full, of which one is gone and has left space behind. */
class TestFullNode {
  private static final int LEFT_LBAS = 300;

  @TempDir Path folder;

  private Device host(CsdTarget node) throws IOException {
    return new CsdDeviceProvider().open(node.node() + ",claim=empty,timeout=60000", folder);
  }

  private static Volume writer(Device host, String index) throws IOException {
    Volume volume = Volume.open(host);
    volume.openForWriting(index);
    return volume;
  }

  private static ByteBuffer page() {
    return ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes a file until there is no space; returns its LBAs. */
  private static int fill(Volume volume, String name) throws IOException {
    VolumeWriter writer = volume.create(name, 0);
    int lbas = 0;
    while (true) {
      try {
        writer.append(page());
        lbas++;
      } catch (OffloadException e) {
        assertEquals(OffloadWire.Status.NO_SPACE, e.status(), e.getMessage());
        writer.finish((long) lbas * OffloadWire.LBA_BYTES);
        volume.sync();
        return lbas;
      }
    }
  }

  @Test
  void whatAWriterThatIsGoneHadIsUsed() throws Exception {
    try (CsdTarget node = new CsdTarget(folder, "--capacity", "4M", "--dram", "32M");
        Device second = host(node);
        Device third = host(node)) {
      Device first = host(node);
      Volume articles = writer(first, "articles");
      Volume logs = writer(second, "logs");
      VolumeWriter small = articles.create("articles/1", 0);
      small.append(page());
      VolumeWriter lost = articles.create("articles/2", 0);
      for (int i = 0; i < LEFT_LBAS; i++) {
        lost.append(page());
      }
      int without = fill(logs, "logs/1");
      assertTrue(without < 1024 - LEFT_LBAS, without + " LBAs");
      assertEquals(0, fill(logs, "logs/2"), "its writer is there");
      small.finish(OffloadWire.LBA_BYTES);
      articles.sync(); // and has lost nothing
      first.close(); // without its volume, as a process that ends
      int more = fill(logs, "logs/3");
      assertTrue(more >= LEFT_LBAS, more + " LBAs");
      assertThrows(IOException.class, () -> lost.append(page()));
      Volume again = writer(third, "articles");
      assertTrue(again.exists("logs/3") && again.exists("articles/1"));
      assertFalse(again.exists("articles/2"));
    }
  }
}
