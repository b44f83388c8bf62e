/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.wire.OffloadWire;

/**
 * A volume that crashes again and again: of what was not flushed any LBA may be lost, come in
 * another order, or come in part of a transfer. Each time it is as the last sync that returned left
 * it, or one that was under way, and goes on from there. Writes, flushes and reads fail in between.
 *
 * <p>{@code -Dfaults.crashes=20000} sets how often, {@code -Dtests.seed=...} replays.
 */
class TestVolumeCrashes {
  private static final int LBA_BYTES = OffloadWire.LBA_BYTES;
  private static final int CRASHES =
      Integer.getInteger("faults.crashes", Boolean.getBoolean("tests.long") ? 20_000 : 250);
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int LBAS = 96;

  /** So many that a coin for each file hardly ever shows the same side for all. */
  private static final int FILES = 100;

  private final Random random = new Random(SEED);

  /** A state that may be found, from the journal position on at which its sync began. */
  private record State(Map<String, Integer> files, int begun) {}

  /** Seed of each file's contents, by name. */
  private Map<String, Integer> files = new TreeMap<>();

  private List<State> possible = new ArrayList<>();

  @Test
  void crashes() throws IOException {
    System.out.println("seed of TestVolumeCrashes: -Dtests.seed=" + SEED);
    RamBlockDevice device = new RamBlockDevice(LBAS);
    long emptyFree;
    try (Volume volume = Volume.openForWriting(device)) {
      emptyFree = volume.freeLbas();
    }
    for (int crash = 0; crash < CRASHES; crash++) {
      // Written anew, so that the journal is that of one life.
      RamBlockDevice next = copy(device);
      Volume volume = Volume.openForWriting(next);
      String where = "crash " + crash;
      if (crash > 0) {
        adopt(volume, where);
      }
      checkSpace(volume, emptyFree, where);
      device = live(next, volume);
      if (random.nextInt(200) == 0) {
        device = new RamBlockDevice(LBAS);
        files = new TreeMap<>();
        possible = List.of(new State(Map.of(), 0));
      }
    }
  }

  private static RamBlockDevice copy(RamBlockDevice device) throws IOException {
    RamBlockDevice copy = new RamBlockDevice(LBAS);
    ByteBuffer lba = ByteBuffer.allocateDirect(LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < LBAS; i++) {
      copy.write(i, lba.clear().put(device.lba(i)).flip());
    }
    copy.flush();
    return copy;
  }

  /** Finds out in which of the possible states the volume is; fails if in none. */
  private void adopt(Volume volume, String where) throws IOException {
    for (State state : possible) {
      if (volume.list().equals(new HashSet<>(state.files.keySet()))) {
        boolean same = true;
        for (Map.Entry<String, Integer> file : state.files.entrySet()) {
          same &= hasContents(volume, file.getKey(), file.getValue());
        }
        if (same) {
          files = new TreeMap<>(state.files);
          return;
        }
      }
    }
    throw new AssertionError(where + ": " + volume.list() + " is none of " + possible);
  }

  private static void checkSpace(Volume volume, long emptyFree, String where) throws IOException {
    Set<Extent> extents = new HashSet<>();
    for (String name : volume.list()) {
      try (VolumeReader reader = volume.openFile(name)) {
        extents.addAll(reader.extents());
      }
    }
    long used = extents.stream().mapToLong(Extent::pageCount).sum();
    assertEquals(emptyFree, volume.freeLbas() + used, where + ": LBAs are lost");
  }

  /** Works for a while and crashes. */
  private RamBlockDevice live(RamBlockDevice device, Volume volume) throws IOException {
    int start = device.journalSize();
    List<State> states = new ArrayList<>(List.of(new State(new TreeMap<>(files), 0)));
    Map<Integer, Integer> durableFrom =
        new HashMap<>(Map.of(0, start)); // state -> journal position
    List<VolumeReader> readers = new ArrayList<>();
    for (int step = random.nextInt(25); step > 0; step--) {
      if (random.nextInt(12) == 0) {
        injectFailure(device);
      }
      int action = random.nextInt(10);
      try {
        if (action < 4) {
          State before = new State(new TreeMap<>(files), device.journalSize());
          long flushes = device.flushes();
          try {
            write(volume);
          } finally {
            // A volume without room syncs, since deleted files may wait for that.
            if (device.flushes() > flushes) {
              states.add(before);
            }
          }
        } else if (action < 6 && !files.isEmpty()) {
          String name = anyFile();
          volume.delete(name);
          files.remove(name);
        } else if (action == 6 && !files.isEmpty()) {
          String name = anyFile();
          String link = "l" + random.nextInt(1000);
          if (!files.containsKey(link)) {
            volume.link(name, link);
            files.put(link, files.get(name));
          }
        } else if (action == 7 && !files.isEmpty()) {
          readers.add(volume.openFile(anyFile()));
        } else if (action == 8 && !readers.isEmpty()) {
          readers.removeLast().close();
        } else {
          states.add(new State(new TreeMap<>(files), device.journalSize()));
          volume.sync();
          durableFrom.put(states.size() - 1, device.journalSize());
        }
      } catch (IOException e) {
        // A failure that was injected, or the device is full.
      }
      device.heal();
    }
    int crashAt =
        random.nextBoolean() ? device.journalSize() : between(start, device.journalSize());
    possible = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      boolean superseded = false;
      for (int later = i + 1; later < states.size(); later++) {
        superseded |= durableFrom.getOrDefault(later, Integer.MAX_VALUE) <= crashAt;
      }
      if (!superseded && states.get(i).begun <= crashAt) {
        possible.add(states.get(i));
      }
    }
    return device.crashedAfter(crashAt, random);
  }

  private int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  private void injectFailure(RamBlockDevice device) {
    switch (random.nextInt(3)) {
      case 0 -> device.failWritesAfter(random.nextInt(4));
      case 1 -> device.failFlushesAfter(random.nextInt(2));
      default -> device.failReadsAfter(random.nextInt(4));
    }
  }

  private String anyFile() {
    return new ArrayList<>(files.keySet()).get(random.nextInt(files.size()));
  }

  private void write(Volume volume) throws IOException {
    String name = "f" + random.nextInt(1000);
    if (files.containsKey(name)) {
      return;
    }
    int seed = random.nextInt();
    byte[] contents = contents(seed);
    VolumeWriter writer = volume.create(name, random.nextBoolean() ? contents.length : 0);
    try {
      int lbas = (contents.length + LBA_BYTES - 1) / LBA_BYTES;
      ByteBuffer buffer =
          ByteBuffer.allocateDirect(lbas * LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      writer.append(buffer.put(0, contents));
      if (random.nextInt(8) > 0) {
        writer.finish(contents.length);
        files.put(name, seed);
      }
    } finally {
      writer.abort();
    }
  }

  private static byte[] contents(int seed) {
    Random bytes = new Random(seed);
    byte[] result = new byte[1 + bytes.nextInt(9 * LBA_BYTES)];
    bytes.nextBytes(result);
    return result;
  }

  private static boolean hasContents(Volume volume, String name, int seed) throws IOException {
    byte[] expected = contents(seed);
    try (VolumeReader reader = volume.openFile(name)) {
      if (reader.length() != expected.length) {
        return false;
      }
      int lbas = (expected.length + LBA_BYTES - 1) / LBA_BYTES;
      ByteBuffer buffer =
          ByteBuffer.allocateDirect(lbas * LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      reader.read(0, buffer);
      byte[] found = new byte[expected.length];
      buffer.get(0, found);
      return Arrays.equals(expected, found);
    }
  }

  @Test
  void theDoubleLosesWhatIsNotFlushed() throws IOException {
    RamBlockDevice device = new RamBlockDevice(LBAS + FILES);
    Volume volume = Volume.openForWriting(device);
    int lost = 0;
    for (int i = 0; i < FILES; i++) {
      VolumeWriter writer = volume.create("a" + i, 0);
      ByteBuffer lba = ByteBuffer.allocateDirect(LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      lba.put(0, (byte) 1);
      writer.append(lba);
      writer.finish(LBA_BYTES);
      RamBlockDevice crashed = device.crashedAfter(device.journalSize(), random);
      long lbaOfFile;
      try (VolumeReader reader = volume.openFile("a" + i)) {
        lbaOfFile = reader.extents().get(0).lba();
      }
      lost += crashed.lba(lbaOfFile)[0] == 0 ? 1 : 0;
    }
    assertTrue(lost > 0 && lost < FILES, lost + " of " + FILES + " LBAs lost");
  }
}
