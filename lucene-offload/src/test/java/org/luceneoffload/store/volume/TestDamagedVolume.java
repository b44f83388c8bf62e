/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.QuickRun;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Device.Claim;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.store.image.ImageStub;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Metadata of a volume, and stubs, with bytes altered, the checksums set right half of the time: a
 * sound object or an {@link IOException}, and nothing else.
 */
class TestDamagedVolume {
  private static final int LBA = OffloadWire.LBA_BYTES;
  private static final int DEVICE_LBAS = 512;
  private static final int META_LBAS = 5; // superblock and two areas of two LBAs
  private static final int SNAPSHOT_HEADER = 40;

  private final Random random = new Random(DamagedBytes.seed(getClass()));

  private static ByteBuffer buffer(int lbas) {
    return ByteBuffer.allocateDirect(lbas * LBA).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] metadata() throws IOException {
    RamBlockDevice device = new RamBlockDevice(DEVICE_LBAS);
    try (Volume volume = Volume.openForWriting(device)) {
      for (int i = 0; i < 6; i++) {
        VolumeWriter writer = volume.create("file " + i, 0);
        for (int page = 0; page <= 3 * i; page++) {
          writer.append(buffer(1));
        }
        writer.finish(3L * i * LBA + 1);
        volume.sync();
      }
      volume.link("file 3", "another name");
      volume.delete("file 1");
    }
    ByteBuffer bytes = buffer(META_LBAS);
    for (int lba = 0; lba < META_LBAS; lba++) {
      device.read(lba, bytes.slice(lba * LBA, LBA).order(ByteOrder.LITTLE_ENDIAN));
    }
    byte[] array = new byte[bytes.capacity()];
    bytes.get(0, array);
    return array;
  }

  private static int crc(ByteBuffer bytes, int from, int to, int from2, int to2) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(from, to - from));
    crc.update(bytes.slice(from2, to2 - from2));
    return (int) crc.getValue();
  }

  /** Sets the checksums of superblock and snapshots right. */
  private static void seal(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(LBA - 4, crc(all, 0, LBA - 4, 0, 0));
    for (int at : new int[] {LBA, 3 * LBA}) {
      int rest = all.getInt(at + 32);
      if (rest >= 0 && rest <= 2 * LBA - SNAPSHOT_HEADER) {
        int body = at + SNAPSHOT_HEADER;
        all.putInt(at + 36, crc(all, at, at + 36, body, body + rest));
      }
    }
  }

  /** Opens a volume with this metadata and uses all of it; false if it is refused. */
  private static boolean use(byte[] metadata) {
    RamBlockDevice device = new RamBlockDevice(DEVICE_LBAS);
    try {
      ByteBuffer bytes = buffer(1);
      for (int lba = 0; lba < META_LBAS; lba++) {
        device.write(lba, bytes.put(metadata, lba * LBA, LBA).flip());
        bytes.clear();
      }
      try (Volume volume = Volume.openForWriting(device)) {
        ByteBuffer page = buffer(1);
        for (String name : volume.list()) {
          try (VolumeReader reader = volume.openFile(name)) {
            long pages = 0;
            for (Extent extent : reader.extents()) {
              assertTrue(extent.lba() >= META_LBAS);
              assertTrue(extent.lba() + extent.pageCount() <= DEVICE_LBAS);
              pages += extent.pageCount();
            }
            assertTrue(reader.length() >= 0 && reader.length() <= pages * LBA);
            if (pages > 0) {
              reader.read(0, page.clear());
            }
          }
        }
        for (String name : volume.list()) {
          volume.delete(name);
        }
        volume.sync();
      }
      return true;
    } catch (IOException expected) {
      return false;
    }
  }

  @Test
  void metadataAlteredIsReadOrRefused() throws IOException {
    byte[] good = metadata();
    byte[] sealed = good.clone();
    seal(sealed);
    assertTrue(Arrays.equals(good, sealed), "this test knows where checksums are");
    assertTrue(use(good));
    Map<Boolean, Integer> outcomes = new HashMap<>();
    for (int i = 0; i < QuickRun.times(1000, 4000); i++) {
      byte[] bytes = good.clone();
      int[] starts = {0, LBA, 3 * LBA, LBA + SNAPSHOT_HEADER, 3 * LBA + SNAPSHOT_HEADER};
      DamagedBytes.alter(random, bytes, starts[random.nextInt(starts.length)]);
      if (random.nextInt(4) != 0) {
        seal(bytes);
      }
      outcomes.merge(use(bytes), 1, Integer::sum);
    }
    assertEquals(2, outcomes.size(), outcomes.toString());
  }

  private static RamBlockDevice volumeOfOneFile() throws IOException {
    RamBlockDevice device = new RamBlockDevice(DEVICE_LBAS);
    try (Volume volume = Volume.openForWriting(device)) {
      VolumeWriter writer = volume.create("file", 0);
      writer.append(buffer(1));
      writer.finish(1);
      volume.sync();
    }
    return device;
  }

  /** Each bit, and all of them: the snapshots stand for the superblock, which is written anew. */
  @Test
  void aLostSuperblockIsRestored() throws IOException {
    RamBlockDevice device = volumeOfOneFile();
    byte[] superblock = device.lba(0).clone();
    byte[][] damaged = new byte[300][];
    for (int i = 0; i < damaged.length; i++) {
      damaged[i] = superblock.clone();
      int byteAt = i < 40 ? i : i < 44 ? LBA - 4 + i - 40 : random.nextInt(LBA);
      damaged[i][byteAt] ^= (byte) (1 << random.nextInt(8));
    }
    damaged[0] = new byte[LBA];
    for (byte[] lost : damaged) {
      System.arraycopy(lost, 0, device.lba(0), 0, LBA);
      assertTrue(Volume.isOn(device));
      assertEquals(Set.of("file"), Volume.open(device).list());
      assertTrue(Arrays.equals(lost, device.lba(0)), "who reads writes nothing");
      try (Volume volume = Volume.openForWriting(device)) {
        assertEquals(Set.of("file"), volume.list());
      }
      assertTrue(Arrays.equals(superblock, device.lba(0)));
    }
  }

  /** The areas are those of the device as it was when the volume was made. */
  @Test
  void aLostSuperblockOfADeviceThatGrew() throws IOException {
    RamBlockDevice device = volumeOfOneFile();
    RamBlockDevice grown = new RamBlockDevice(8 * DEVICE_LBAS);
    for (int lba = 1; lba < 2 * META_LBAS; lba++) {
      System.arraycopy(device.lba(lba), 0, grown.lba(lba), 0, LBA);
    }
    try (Volume volume = Volume.openForWriting(grown)) {
      assertEquals(Set.of("file"), volume.list());
    }
    assertTrue(Arrays.equals(device.lba(0), grown.lba(0)));
  }

  /** Nothing is intact any more; nobody is told to overwrite it. */
  @Test
  void whatLooksLikeAVolumeIsNotOfferedToBeOverwritten() throws IOException {
    RamBlockDevice device = volumeOfOneFile();
    Arrays.fill(device.lba(0), (byte) 0);
    device.lba(3)[SNAPSHOT_HEADER] ^= 1;
    for (Claim claim : List.of(Claim.NONE, Claim.EMPTY)) {
      OffloadException e =
          assertThrows(OffloadException.class, () -> Volume.open(claimed(device, claim)));
      assertTrue(e.getMessage().contains("do not overwrite it"), e.getMessage());
    }
    try (Volume volume = Volume.openForWriting(claimed(device, Claim.OVERWRITE))) {
      assertEquals(Set.of(), volume.list());
    }
  }

  private static Device claimed(Device device, Claim claim) {
    return new FilterDevice(device) {
      @Override
      public Claim claim() {
        return claim;
      }
    };
  }

  @Test
  void aStubAlteredIsNoneOrSound() throws IOException {
    VolumeId volume = new VolumeId(1, 2);
    byte[] good;
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("stub", IOContext.DEFAULT)) {
        new ImageStub(new byte[16], "Offload104_0", volume, 77, 12345).write(out);
      }
      try (IndexInput in = directory.openInput("stub", IOContext.DEFAULT)) {
        good = new byte[(int) in.length()];
        in.readBytes(good, 0, good.length);
      }
    }
    assertEquals(77, ImageStub.parse(good, good.length).uid());
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      DamagedBytes.alter(random, bytes, 0);
      int length = random.nextInt(8) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      boolean sealed = length == bytes.length && random.nextBoolean();
      if (sealed) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length - Long.BYTES);
        ByteBuffer.wrap(bytes).putLong(length - Long.BYTES, crc.getValue());
      }
      ImageStub stub = ImageStub.parse(bytes, length);
      if (stub != null) {
        accepted++;
        assertNotNull(stub.volumeName());
        assertTrue(sealed || Arrays.equals(good, bytes));
      }
    }
    assertTrue(accepted > 0);
    assertNull(ImageStub.parse(new byte[0], 0));
  }
}
