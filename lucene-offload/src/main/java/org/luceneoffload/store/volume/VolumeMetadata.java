/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.luceneoffload.device.Device;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * The metadata in the first LBAs of a volume's device, little-endian:
 *
 * <ul>
 *   <li>LBA 0, the superblock, written once: magic (8 bytes), version (4), bytes of an LBA (4),
 *       volume ID (16), LBAs of a snapshot area (4), zeros, CRC-32C of everything before it (4).
 *   <li>Two snapshot areas. Snapshot n goes into area n modulo 2, so that the latest complete one
 *       survives a crash while the next is written. A snapshot: magic (8), sequence number n (8),
 *       volume ID (16), bytes of the rest (4), CRC-32C of everything but itself (4), then the
 *       {@link FileTable}, whose second form has another magic.
 * </ul>
 *
 * Behind them are the files. A superblock with two empty areas is an empty volume.
 *
 * <p>A superblock says nothing that the snapshots do not: each has the ID, and the second area
 * begins where the first one ends. So if it is damaged or lost, an intact snapshot stands for it,
 * and it is written anew when the volume is next opened for writing.
 */
final class VolumeMetadata {
  private static final long SUPERBLOCK_MAGIC = 0x454D554C4F56444FL; // "ODVOLUME"
  private static final long SNAPSHOT_MAGIC = 0x31504E5356444F2EL; // ".ODVSNP1"
  private static final long SECOND_SNAPSHOT_MAGIC = 0x32504E5356444F2EL; // ".ODVSNP2"
  private static final int VERSION = 1;
  private static final int INLINE_PART = 4; // of an area: small files in the metadata
  private static final int LBA_BYTES = OffloadWire.LBA_BYTES;
  private static final int SUPERBLOCK_CRC_AT = LBA_BYTES - Integer.BYTES;
  private static final int SNAPSHOT_LENGTH_AT = 32;
  private static final int SNAPSHOT_CRC_AT = 36;
  private static final int SNAPSHOT_HEADER_BYTES = 40;
  private static final int MIN_AREA_LBAS = 2;
  private static final int MAX_AREA_LBAS = 512;
  private static final int DEVICE_TO_AREA = 256;
  private static final long MIN_DEVICE_LBAS = 16;
  private static final int READ_ATTEMPTS = 3;

  private final Device device;
  private final VolumeId id;
  private final int areaLbas;
  private boolean superblockLost;

  private VolumeMetadata(Device device, VolumeId id, int areaLbas) {
    this.device = device;
    this.id = id;
    this.areaLbas = areaLbas;
  }

  /**
   * Reads the superblock.
   *
   * @return the metadata, or null if the device holds no volume and nothing else either
   * @throws CorruptIndexException if it holds something else
   * @throws IOException if it cannot be read, or is too small for a volume
   */
  static VolumeMetadata open(Device device) throws IOException {
    checkSize(device);
    ByteBuffer block = readLbas(device, 0, 1);
    if (isZero(block) && isZero(readLbas(device, 1, 2 * areaLbas(device)))) {
      return null;
    }
    if (!isSuperblock(block)) {
      VolumeMetadata found = bySnapshots(device);
      if (found == null) {
        throw corrupt(device, whyLost(block));
      }
      CauseLog.warn(
          "superblock lost",
          device.name(),
          "device "
              + device.name()
              + ": "
              + whyLost(block)
              + "; its snapshots stand for it until the volume is next opened for writing");
      found.superblockLost = true;
      return found;
    }
    if (block.getInt(8) != VERSION) {
      throw corrupt(device, "version " + block.getInt(8) + " is not " + VERSION);
    }
    if (block.getInt(12) != LBA_BYTES) {
      throw corrupt(device, "it was made for LBAs of " + block.getInt(12) + " bytes");
    }
    int areaLbas = block.getInt(32);
    if (areaLbas < MIN_AREA_LBAS
        || areaLbas > MAX_AREA_LBAS
        || 1 + 2 * areaLbas >= device.info().lbaCount()) {
      throw corrupt(device, "snapshot areas of " + areaLbas + " LBAs are out of range");
    }
    return new VolumeMetadata(device, idIn(block), areaLbas);
  }

  private static boolean isSuperblock(ByteBuffer block) {
    return block.getLong(0) == SUPERBLOCK_MAGIC
        && block.getInt(SUPERBLOCK_CRC_AT) == crc(block, 0, SUPERBLOCK_CRC_AT);
  }

  private static String whyLost(ByteBuffer block) {
    return isZero(block)
        ? "its first LBA is empty but those behind it are not"
        : block.getLong(0) == SUPERBLOCK_MAGIC
            ? "its superblock has a wrong checksum"
            : "it holds foreign data; clear its first LBAs if they may be overwritten";
  }

  /** Returns the metadata that an intact snapshot tells of, or null if there is none. */
  private static VolumeMetadata bySnapshots(Device device) throws IOException {
    int usual = areaLbas(device);
    VolumeMetadata found = bySnapshot(device, 1, usual);
    if (found == null) {
      found = bySnapshot(device, 0, usual);
    }
    // A device that grew since has areas of another size.
    for (int lbas = MIN_AREA_LBAS; found == null && lbas <= MAX_AREA_LBAS; lbas++) {
      found = bySnapshot(device, 1, lbas);
    }
    return found;
  }

  private static VolumeMetadata bySnapshot(Device device, int area, int areaLbas)
      throws IOException {
    if (1 + 2 * areaLbas >= device.info().lbaCount()) {
      return null;
    }
    ByteBuffer first = readLbas(device, 1 + area * areaLbas, 1);
    if (!hasSnapshotMagic(first)) {
      return null;
    }
    VolumeMetadata found = new VolumeMetadata(device, idIn(first), areaLbas);
    return found.readSnapshot(area, first) != null ? found : null;
  }

  private static boolean hasSnapshotMagic(ByteBuffer first) {
    return first.getLong(0) == SNAPSHOT_MAGIC || first.getLong(0) == SECOND_SNAPSHOT_MAGIC;
  }

  private static VolumeId idIn(ByteBuffer block) {
    return new VolumeId(block.getLong(16), block.getLong(24));
  }

  /** Returns whether a device holds a volume, be it that its superblock is lost. */
  static boolean isOn(Device device) throws IOException {
    return device.info().lbaCount() >= MIN_DEVICE_LBAS
        && (readLbas(device, 0, 1).getLong(0) == SUPERBLOCK_MAGIC || bySnapshots(device) != null);
  }

  /** Returns whether a snapshot begins where one would, intact or not. */
  static boolean hasTraces(Device device) throws IOException {
    return device.info().lbaCount() >= MIN_DEVICE_LBAS
        && (hasSnapshotMagic(readLbas(device, 1, 1))
            || hasSnapshotMagic(readLbas(device, 1 + areaLbas(device), 1)));
  }

  /** Writes the superblock anew if it was lost; the device is open for writing. */
  void restoreSuperblock() throws IOException {
    if (superblockLost) {
      writeSuperblock();
      superblockLost = false;
    }
  }

  private static void checkSize(Device device) throws IOException {
    long lbas = device.info().lbaCount();
    if (lbas < MIN_DEVICE_LBAS) {
      throw new IOException(
          "device " + device.name() + " has " + lbas + " LBAs; a volume needs " + MIN_DEVICE_LBAS);
    }
  }

  /** Makes an empty volume on an empty device. */
  static VolumeMetadata format(Device device) throws IOException {
    checkSize(device);
    VolumeMetadata made = new VolumeMetadata(device, VolumeId.random(), areaLbas(device));
    made.writeSuperblock();
    return made;
  }

  private void writeSuperblock() throws IOException {
    ByteBuffer block = allocate(1);
    block.putLong(0, SUPERBLOCK_MAGIC);
    block.putInt(8, VERSION);
    block.putInt(12, LBA_BYTES);
    block.putLong(16, id.high());
    block.putLong(24, id.low());
    block.putInt(32, areaLbas);
    block.putInt(SUPERBLOCK_CRC_AT, crc(block, 0, SUPERBLOCK_CRC_AT));
    device.write(0, block);
    device.flush();
  }

  /** Returns the volume's ID. */
  VolumeId id() {
    return id;
  }

  /** Returns the first LBA that files may use. */
  long firstFileLba() {
    return 1 + 2L * areaLbas;
  }

  /** Returns the number of bytes of the largest snapshot. */
  private int capacity() {
    return areaLbas * LBA_BYTES;
  }

  /** Returns the number of bytes of small files that may be in the metadata. */
  int inlineCapacity() {
    return capacity() / INLINE_PART;
  }

  /**
   * Returns the number of the latest snapshot, perhaps one that is still being written; 0 if there
   * is none. Reads two LBAs.
   */
  long latestSequence() throws IOException {
    return Math.max(
        sequenceOf(readLbas(device, areaLba(0), 1)), sequenceOf(readLbas(device, areaLba(1), 1)));
  }

  private long sequenceOf(ByteBuffer first) {
    return isSnapshotOfThis(first) ? first.getLong(8) : 0;
  }

  private boolean isSnapshotOfThis(ByteBuffer first) {
    return hasSnapshotMagic(first) && idIn(first).equals(id);
  }

  /** Reads the latest complete snapshot. */
  FileTable readLatest() throws IOException {
    // Another process may write both areas while they are read here, but hardly time and again.
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      FileTable latest = tryReadLatest();
      if (latest != null) {
        return latest;
      }
    }
    throw corrupt(device, "no snapshot of its file table is intact");
  }

  /** Returns the latest snapshot; null if none is intact, though one was written. */
  private FileTable tryReadLatest() throws IOException {
    FileTable latest = null;
    boolean damaged = false;
    ByteBuffer[] firsts = {readLbas(device, areaLba(0), 1), readLbas(device, areaLba(1), 1)};
    int newer = sequenceOf(firsts[1]) > sequenceOf(firsts[0]) ? 1 : 0;
    for (int area : new int[] {newer, 1 - newer}) {
      if (isZero(firsts[area])) {
        continue;
      }
      FileTable snapshot = readSnapshot(area, firsts[area]);
      damaged |= snapshot == null;
      // What is said to be the newer one may be torn, or its number be damaged.
      if (snapshot != null && (latest == null || snapshot.sequence() > latest.sequence())) {
        latest = snapshot;
      }
      if (latest != null && latest.sequence() >= sequenceOf(firsts[1 - area])) {
        return latest;
      }
    }
    if (latest != null) {
      return latest;
    }
    // One torn snapshot and an empty area: the crash came while the very first was written.
    boolean lost = damaged && !isZero(readLbas(device, areaLba(0), 1));
    return lost ? null : new FileTable(0);
  }

  /** Writes a snapshot; durable only after the next flush. */
  void writeSnapshot(long sequence, ByteBuffer snapshot) throws IOException {
    long lba = areaLba((int) (sequence & 1));
    int step = Transfers.bytes(device.info());
    for (int at = 0; at < snapshot.capacity(); at += step) {
      int bytes = Math.min(step, snapshot.capacity() - at);
      device.write(lba + at / LBA_BYTES, Transfers.slice(snapshot, at, bytes));
    }
  }

  /**
   * Encodes a snapshot.
   *
   * @throws IOException if the files are too many for a snapshot area
   */
  ByteBuffer encode(FileTable table) throws IOException {
    byte[] encoded = table.encode();
    int bytes = SNAPSHOT_HEADER_BYTES + encoded.length;
    if (bytes > capacity()) {
      throw new IOException(
          "file table of "
              + bytes
              + " bytes ("
              + table.nameCount()
              + " names) exceeds the "
              + capacity()
              + " bytes that the volume on device "
              + device.name()
              + " has for it");
    }
    ByteBuffer out = allocate((bytes + LBA_BYTES - 1) / LBA_BYTES);
    out.putLong(table.hasSecondForm() ? SECOND_SNAPSHOT_MAGIC : SNAPSHOT_MAGIC);
    out.putLong(table.sequence()).putLong(id.high()).putLong(id.low());
    out.putInt(encoded.length).putInt(0).put(encoded).clear();
    out.putInt(SNAPSHOT_CRC_AT, snapshotCrc(out, bytes));
    return out;
  }

  private FileTable readSnapshot(int area, ByteBuffer first) throws IOException {
    int rest = first.getInt(SNAPSHOT_LENGTH_AT);
    if (!isSnapshotOfThis(first)
        || rest < Integer.BYTES
        || rest > capacity() - SNAPSHOT_HEADER_BYTES) {
      return null;
    }
    int bytes = SNAPSHOT_HEADER_BYTES + rest;
    ByteBuffer in = readLbas(device, areaLba(area), (bytes + LBA_BYTES - 1) / LBA_BYTES);
    if (!isSnapshotOfThis(in)) {
      return null; // another process has begun to write a new one
    }
    if (in.getInt(SNAPSHOT_CRC_AT) != snapshotCrc(in, bytes) || (in.getLong(8) & 1) != area) {
      return null;
    }
    long sequence = in.getLong(8);
    boolean second = in.getLong(0) == SECOND_SNAPSHOT_MAGIC;
    in.position(SNAPSHOT_HEADER_BYTES).limit(bytes);
    try {
      return FileTable.decode(sequence, in, second, device, firstFileLba());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptIndexException(
          "snapshot " + sequence + " of the file table does not decode",
          "device " + device.name(),
          e);
    }
  }

  private long areaLba(int area) {
    return 1 + (long) area * areaLbas;
  }

  private static int areaLbas(Device device) {
    return Math.clamp(device.info().lbaCount() / DEVICE_TO_AREA, MIN_AREA_LBAS, MAX_AREA_LBAS);
  }

  private static int snapshotCrc(ByteBuffer in, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(in.slice(0, SNAPSHOT_CRC_AT));
    crc.update(in.slice(SNAPSHOT_HEADER_BYTES, bytes - SNAPSHOT_HEADER_BYTES));
    return (int) crc.getValue();
  }

  private static int crc(ByteBuffer in, int from, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(in.slice(from, bytes));
    return (int) crc.getValue();
  }

  private static ByteBuffer allocate(int lbas) {
    return ByteBuffer.allocateDirect(lbas * LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer readLbas(Device device, long lba, int count) throws IOException {
    ByteBuffer result = allocate(count);
    int step = Transfers.bytes(device.info());
    for (int at = 0; at < result.capacity(); at += step) {
      int bytes = Math.min(step, result.capacity() - at);
      device.read(lba + at / LBA_BYTES, Transfers.slice(result, at, bytes));
    }
    return result;
  }

  private static boolean isZero(ByteBuffer in) {
    for (int at = 0; at < in.capacity(); at += Long.BYTES) {
      if (in.getLong(at) != 0) {
        return false;
      }
    }
    return true;
  }

  static CorruptIndexException corrupt(Device device, String why) {
    return new CorruptIndexException("no usable volume: " + why, "device " + device.name());
  }
}
