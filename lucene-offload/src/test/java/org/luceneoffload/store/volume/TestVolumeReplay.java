/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.store.volume.VolumeContents.LBA_BYTES;
import static org.luceneoffload.store.volume.VolumeContents.bytes;
import static org.luceneoffload.store.volume.VolumeContents.read;
import static org.luceneoffload.store.volume.VolumeContents.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.device.RamBlockDevice;

/** A volume whose device stops after each of its writes and flushes, one after another. */
class TestVolumeReplay {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void survivesACrashAtEveryPoint(long seed) throws IOException {
    Random random = new Random(seed);
    RamBlockDevice small = new RamBlockDevice(160);
    // States by the journal position behind which they are durable, and from which on they may be.
    List<Integer> begun = new ArrayList<>();
    List<Integer> durable = new ArrayList<>();
    List<Map<String, byte[]>> states = new ArrayList<>();
    Volume volume = Volume.openForWriting(small);
    int formatted = small.journalSize();
    begun.add(0);
    durable.add(formatted);
    states.add(new HashMap<>());
    Map<String, byte[]> files = new HashMap<>();
    for (int step = 0; step < 60; step++) {
      String name = "f" + random.nextInt(6);
      if (files.containsKey(name)) {
        if (random.nextBoolean()) {
          volume.delete(name);
          files.remove(name);
        } else if (!files.containsKey(name + "l")) {
          volume.link(name, name + "l");
          files.put(name + "l", files.get(name));
          volume.delete(name);
          files.remove(name);
        } else {
          volume.delete(name + "l");
          files.remove(name + "l");
        }
      } else {
        byte[] contents = bytes(random.nextInt(), 1 + random.nextInt(6 * LBA_BYTES));
        write(volume, name, contents);
        files.put(name, contents);
      }
      if (random.nextInt(3) == 0) {
        begun.add(small.journalSize());
        states.add(new HashMap<>(files));
        volume.sync();
        durable.add(small.journalSize());
      }
    }
    for (int events = formatted; events <= small.journalSize(); events++) {
      RamBlockDevice crashed = small.crashedAfter(events, random);
      try (Volume after = Volume.openForWriting(crashed)) {
        assertTrue(
            matches(after, events, begun, durable, states),
            "crash after event " + events + " left " + after.list());
        write(after, "new", bytes(5, 3 * LBA_BYTES)); // goes on working
      }
    }
  }

  /** Returns whether the volume is in the latest durable state, or in one that was under way. */
  private static boolean matches(
      Volume volume,
      int events,
      List<Integer> begun,
      List<Integer> durable,
      List<Map<String, byte[]>> states)
      throws IOException {
    for (int i = 0; i < states.size(); i++) {
      boolean superseded = i + 1 < states.size() && durable.get(i + 1) <= events;
      if (begun.get(i) <= events && !superseded && sameFiles(volume, states.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean sameFiles(Volume volume, Map<String, byte[]> files) throws IOException {
    if (!volume.list().equals(new TreeSet<>(files.keySet()))) {
      return false;
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), read(volume, file.getKey()), file.getKey());
    }
    return true;
  }
}
