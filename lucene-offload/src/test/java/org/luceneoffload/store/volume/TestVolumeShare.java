/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.luceneoffload.QuickRun;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.RamHosts;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Several hosts that write to one volume, each to files of an index of its own. */
class TestVolumeShare {
  private static final long LBAS = 512;
  private static final int SEEDS = Boolean.getBoolean("tests.long") ? 400 : QuickRun.times(2, 6);

  private final RamBlockDevice device = new RamBlockDevice(LBAS);
  private final RamHosts hosts = new RamHosts(device);

  private Volume writer(RamHosts.Host host, String index) throws IOException {
    Volume volume = Volume.open(host);
    volume.keepFiles(index);
    volume.openForWriting(index);
    return volume;
  }

  private static ByteBuffer page(long stamp) {
    ByteBuffer page =
        ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return page.putLong(0, stamp);
  }

  private static VolumeWriter begin(Volume volume, String name, int pages, long stamp)
      throws IOException {
    VolumeWriter writer = volume.create(name, 0, stamp);
    boolean success = false;
    try {
      for (int i = 0; i < pages; i++) {
        writer.append(page(stamp));
      }
      success = true;
    } finally {
      if (!success) {
        writer.abort();
      }
    }
    return writer;
  }

  private static void write(Volume volume, String name, int pages, long stamp) throws IOException {
    begin(volume, name, pages, stamp).finish((long) pages * OffloadWire.LBA_BYTES);
  }

  private static void assertHolds(Volume volume, String name, long stamp) throws IOException {
    VolumeReader reader = volume.openFile(name);
    try {
      assertHolds(reader, name, stamp);
    } finally {
      reader.close();
    }
  }

  private static void assertHolds(VolumeReader reader, String name, long stamp) throws IOException {
    assertEquals(stamp, reader.stamp(), name);
    for (int i = 0; i < reader.length() / OffloadWire.LBA_BYTES; i++) {
      ByteBuffer page = page(0);
      reader.read(i, page);
      assertEquals(stamp, page.getLong(0), name + " page " + i);
    }
  }

  private static void assertLocked(Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(OffloadWire.Status.LOCKED, e.status(), e.getMessage());
  }

  @Test
  void eachSeesWhatTheOthersHaveSynced() throws IOException {
    Volume a = writer(hosts.host(), "a");
    Volume b = writer(hosts.host(), "b");
    write(a, "a/1", 3, 11);
    write(b, "b/1", 4, 21);
    a.sync();
    b.sync();
    write(a, "a/2", 5, 12);
    a.delete("a/1");
    b.rename("b/1", "b/renamed");
    b.tryCreateInline("b/small", new byte[] {1, 2, 3});
    b.sync();
    a.sync();
    b.refresh();
    assertEquals(Set.of("a/2", "b/renamed", "b/small"), a.list());
    assertEquals(a.list(), b.list());
    Volume reader = Volume.open(hosts.host());
    assertEquals(a.list(), reader.list());
    for (Volume volume : List.of(a, b, reader)) {
      assertHolds(volume, "a/2", 12);
      assertHolds(volume, "b/renamed", 21);
    }
    assertEquals(a.id(), b.id());
  }

  @Test
  void anIndexHasOneWriter() throws IOException {
    Volume a = writer(hosts.host(), "a");
    assertLocked(() -> writer(hosts.host(), "a"));
    assertLocked(() -> Volume.openForWriting(hosts.host()));
    RamHosts.Host third = hosts.host();
    Volume c = writer(third, "c");
    assertLocked(() -> c.openForWriting("a"));
    c.openForWriting("d");
    write(c, "d/1", 1, 1);
    write(c, "c/1", 1, 2);
    c.sync(); // what it could not have has done it no harm
    a.sync();
    c.close();
    third.close();
    Volume d = writer(hosts.host(), "d");
    assertHolds(d, "d/1", 1);
  }

  @Test
  void whoWritesToAllTakesWhatWritersOfIndexesLeft() throws IOException {
    long free;
    RamHosts.Host first = hosts.host();
    try (Volume all = Volume.openForWriting(first)) {
      free = all.freeLbas();
    }
    first.close();
    RamHosts.Host dead = hosts.host();
    Volume a = writer(dead, "a");
    begin(a, "a/1", 7, 1);
    dead.kill();
    Volume reader = Volume.open(hosts.host());
    assertEquals(Set.of(), reader.list());
    try (Volume all = Volume.openForWriting(hosts.host())) {
      assertEquals(free, all.freeLbas());
    }
  }

  @Test
  void aKilledWriterLosesNothingAndHoldsNobodyUp() throws IOException {
    RamHosts.Host dead = hosts.host();
    Volume a = writer(dead, "a");
    long free = a.freeLbas();
    Volume b = writer(hosts.host(), "b");
    write(a, "a/1", 9, 1);
    a.sync();
    write(a, "a/2", 9, 2);
    begin(a, "a/3", 9, 3);
    dead.kill();
    write(b, "b/1", 5, 4);
    b.sync();
    Volume again = writer(hosts.host(), "a");
    assertEquals(Set.of("a/1", "b/1"), again.list());
    assertHolds(again, "a/1", 1);
    again.delete("a/1");
    again.sync();
    again.sync();
    b.delete("b/1");
    b.sync();
    write(b, "b/2", 1, 5);
    b.sync();
    b.close();
    again.close();
    Volume c = writer(hosts.host(), "c"); // b/2 is all that is left
    assertEquals(free - 1, c.freeLbas());
  }

  /** A file that its writer has deleted stays for readers here and on other hosts. */
  @Test
  void goneFilesStayForTheirReaders() throws IOException {
    Volume a = writer(hosts.host(), "a");
    Volume b = writer(hosts.host(), "b");
    write(a, "a/1", 40, 1);
    write(a, "a/2", 40, 2);
    a.sync();
    RamHosts.Host third = hosts.host();
    Volume reader = Volume.open(third);
    reader.keepFiles();
    VolumeReader there = reader.openFile("a/1");
    VolumeReader here = a.openFile("a/2");
    a.delete("a/1");
    a.delete("a/2");
    a.sync();
    reader.refresh();
    churn(b, 6);
    assertHolds(there, "a/1", 1);
    assertHolds(here, "a/2", 2);
    here.close();
    there.close();
    third.kill(); // as long as it is there it holds what is in the table that it knows
    churn(b, 40); // more than the device has room for
  }

  private static void churn(Volume volume, int rounds) throws IOException {
    for (int i = 1; i <= rounds; i++) {
      write(volume, "b/x", 30, 1000 + i);
      volume.sync();
      assertHolds(volume, "b/x", 1000 + i);
      volume.delete("b/x");
      volume.sync();
    }
  }

  @Test
  void aFullVolumeSaysSo() throws IOException {
    Volume a = writer(hosts.host(), "a");
    Volume b = writer(hosts.host(), "b");
    OffloadException e = assertThrows(OffloadException.class, () -> begin(a, "a/1", (int) LBAS, 1));
    assertEquals(OffloadWire.Status.NO_SPACE, e.status());
    write(b, "b/1", 20, 2); // b has its share
    b.sync();
    write(a, "a/2", 100, 3);
    a.sync();
    assertHolds(a, "a/2", 3);
  }

  /** Nobody has to write to the index of a dead writer to have its space again. */
  @Test
  void whoFindsItFullTakesWhatADeadWriterHad() throws IOException {
    RamHosts.Host dying = hosts.host();
    Volume a = writer(dying, "a");
    write(a, "a/1", 10, 1);
    a.sync();
    VolumeWriter unfinished = begin(a, "a/2", 200, 2);
    Volume b = writer(hosts.host(), "b");
    long left = b.freeLbas();
    assertTrue(left < LBAS - 200, "the rest of a's is its own");
    assertThrows(OffloadException.class, () -> begin(b, "b/0", (int) left + 1, 3));
    unfinished.abort(); // it is there, and has what it had
    VolumeWriter again = begin(a, "a/2", 200, 4);
    dying.kill();
    Volume third = writer(hosts.host(), "c");
    write(b, "b/1", (int) left + 150, 5);
    b.sync();
    assertNull(VolumeMetadata.open(device).readLatest().spaces().get("a"));
    Volume next = writer(hosts.host(), "a"); // its right is nobody's
    assertHolds(next, "a/1", 1);
    assertHolds(next, "b/1", 5);
    assertEquals(Set.of("a/1", "b/1"), next.list());
    assertThrows(IOException.class, () -> again.append(page(4)));
    b.delete("b/1");
    b.sync();
    b.sync();
    b.close();
    write(third, "c/1", 400, 6); // none was lost
  }

  @Test
  void aDeviceWithoutScopesHasOneWriter() throws IOException {
    Volume volume = Volume.open(device);
    volume.openForWriting("a");
    write(volume, "a/1", 1, 1);
    volume.openForWriting("b");
    volume.close();
    assertTrue(Volume.open(device).exists("a/1"));
  }

  /** Whose write may still come does not hold up the others, and goes on after it. */
  @Test
  void whoseWritesHaveNotEndedLeavesTheTableToOthers() throws IOException {
    RamHosts.Host host = hosts.host();
    Volume a = writer(host, "a");
    Volume b = writer(hosts.host(), "b");
    write(a, "a/1", 2, 1);
    host.setUnsettled(true);
    OffloadException e = assertThrows(OffloadException.class, a::sync);
    assertEquals(OffloadWire.Status.TIMED_OUT, e.status());
    write(b, "b/1", 2, 2);
    b.sync();
    host.setUnsettled(false);
    a.sync();
    Volume reader = Volume.open(hosts.host());
    assertHolds(reader, "a/1", 1);
    assertHolds(reader, "b/1", 2);
  }

  /** A table that is written while files come and go has what was there at one moment. */
  @Test
  void filesComeAndGoWhileTablesAreWritten() throws Exception {
    Volume a = writer(hosts.host(), "a");
    Volume b = writer(hosts.host(), "b");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> working = new ArrayList<>();
      for (Volume volume : List.of(a, b)) {
        working.add(
            threads.submit(
                () -> {
                  String index = volume == a ? "a/" : "b/";
                  for (int i = 1; i <= 600; i++) {
                    write(volume, index + i, 1, i);
                    volume.rename(index + i, index + i + "r");
                    if (i > 20) {
                      volume.delete(index + (i - 20) + "r");
                    }
                  }
                  return null;
                }));
      }
      while (!working.get(0).isDone() || !working.get(1).isDone()) {
        a.sync();
        b.sync();
        Volume.open(hosts.host()); // finds the same LBAs in two files, if they are
      }
      for (Future<?> one : working) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    a.sync();
    b.sync();
    Volume reader = Volume.open(hosts.host());
    assertEquals(40, reader.list().size());
    for (int i = 581; i <= 600; i++) {
      assertHolds(reader, "a/" + i + "r", i);
      assertHolds(reader, "b/" + i + "r", i);
    }
  }

  /** A host of {@link #randomWork} and what it has done. */
  private static final class Working {
    private final RamHosts.Host host;
    private final String index;
    private final Volume volume;
    private final Map<String, Long> files = new TreeMap<>(); // stamps by name: as it should be now
    private final List<VolumeWriter> unfinished = new ArrayList<>();
    private final Map<VolumeReader, Long> readers = new HashMap<>();

    Working(RamHosts.Host host, String index, Volume volume) {
      this.host = host;
      this.index = index;
      this.volume = volume;
    }
  }

  @Test
  void randomWork() throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new RandomWork(seed).run();
    }
  }

  /** Hosts that write, delete, sync, fail and die at random. */
  private final class RandomWork {
    private final long seed;
    private final Random random;
    private final RamBlockDevice ram = new RamBlockDevice(LBAS);
    private final RamHosts shared = new RamHosts(ram);
    private final Map<String, Working> working = new TreeMap<>();
    private final Map<String, Set<Map<String, Long>>> durable =
        new HashMap<>(); // what may be there
    private long nextStamp = 1;

    RandomWork(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      for (String index : List.of("a", "b", "c")) {
        durable.put(index, new HashSet<>(Set.of(Map.of())));
      }
    }

    void run() throws IOException {
      for (int step = 0; step < 400; step++) {
        String index = List.of("a", "b", "c").get(random.nextInt(3));
        Working one = working.get(index);
        if (one == null) {
          open(index);
        } else {
          step(one, "seed " + seed + " step " + step);
        }
      }
      ram.heal();
      for (Working one : new ArrayList<>(working.values())) {
        close(one, "seed " + seed);
      }
      Volume last = Volume.openForWriting(shared.host());
      for (String name : last.list()) {
        last.delete(name);
      }
      last.sync();
      last.sync();
      assertEquals(LBAS - 5, last.freeLbas(), "seed " + seed + ": LBAs are lost");
    }

    private void open(String index) throws IOException {
      RamHosts.Host host = shared.host();
      Volume volume = writer(host, index);
      Working one = new Working(host, index, volume);
      Map<String, Long> found = filesOf(volume, index);
      assertTrue(durable.get(index).contains(found), seed + ": " + found + durable.get(index));
      one.files.putAll(found);
      durable.put(index, new HashSet<>(Set.of(found)));
      working.put(index, one);
    }

    private Map<String, Long> filesOf(Volume volume, String index) throws IOException {
      Map<String, Long> found = new TreeMap<>();
      for (String name : volume.list()) {
        if (name.startsWith(index + "/")) {
          VolumeReader reader = volume.openFile(name);
          found.put(name, reader.stamp());
          assertHolds(reader, "seed " + seed + " " + name, reader.stamp());
          reader.close();
        }
      }
      return found;
    }

    private void step(Working one, String where) throws IOException {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> create(one, where);
        case 3, 4 -> delete(one);
        case 5, 6 -> sync(one, where);
        case 7 -> rename(one);
        case 8 -> read(one, where);
        case 9 -> look(where);
        case 10 -> {
          if (random.nextInt(4) == 0) {
            kill(one);
          }
        }
        default -> {
          if (random.nextInt(3) == 0) {
            close(one, where);
          }
        }
      }
    }

    private void create(Working one, String where) throws IOException {
      long stamp = nextStamp++;
      String name = one.index + "/" + stamp;
      int pages = 1 + random.nextInt(12);
      try {
        VolumeWriter writer = begin(one.volume, name, pages, stamp);
        if (random.nextInt(5) == 0) {
          one.unfinished.add(writer);
        } else {
          writer.finish((long) pages * OffloadWire.LBA_BYTES);
          one.files.put(name, stamp);
        }
      } catch (OffloadException e) {
        assertEquals(OffloadWire.Status.NO_SPACE, e.status(), where + e);
      }
      // A sync for more space may have come in between, with all that was there before.
      durable.get(one.index).add(withoutNew(one, name));
    }

    private Map<String, Long> withoutNew(Working one, String name) {
      Map<String, Long> files = new TreeMap<>(one.files);
      files.remove(name);
      return files;
    }

    private String anyName(Working one) {
      List<String> names = new ArrayList<>(one.files.keySet());
      return names.isEmpty() ? null : names.get(random.nextInt(names.size()));
    }

    private void delete(Working one) throws IOException {
      String name = anyName(one);
      if (name != null) {
        one.volume.delete(name);
        one.files.remove(name);
      }
      if (!one.unfinished.isEmpty() && random.nextBoolean()) {
        one.unfinished.removeLast().abort();
      }
    }

    private void rename(Working one) throws IOException {
      String name = anyName(one);
      if (name != null) {
        String other = name + "r";
        if (!one.files.containsKey(other)) {
          one.volume.rename(name, other);
          one.files.put(other, one.files.remove(name));
        }
      }
    }

    private void sync(Working one, String where) throws IOException {
      Map<String, Long> now = new TreeMap<>(one.files);
      boolean failing = random.nextInt(4) == 0;
      if (failing) {
        if (random.nextBoolean()) {
          ram.failWritesAfter(random.nextInt(2));
        } else {
          ram.failFlushesAfter(random.nextInt(3));
        }
      }
      boolean done = false;
      try {
        one.volume.sync();
        done = true;
      } catch (OffloadException e) {
        assertTrue(failing, where + ": " + e);
      } finally {
        ram.heal();
      }
      if (done) {
        durable.put(one.index, new HashSet<>(Set.of(now)));
      } else {
        durable.get(one.index).add(now);
      }
    }

    private void read(Working one, String where) throws IOException {
      String name = anyName(one);
      if (name != null) {
        one.readers.put(one.volume.openFile(name), one.files.get(name));
      }
      for (Map.Entry<VolumeReader, Long> entry : one.readers.entrySet()) {
        assertHolds(entry.getKey(), where, entry.getValue());
      }
      if (random.nextInt(3) == 0) {
        one.readers.keySet().forEach(VolumeReader::close);
        one.readers.clear();
      }
    }

    /** A reader that comes sees of each index what its writer made durable. */
    private void look(String where) throws IOException {
      Volume reader = Volume.open(shared.host());
      for (String index : durable.keySet()) {
        Map<String, Long> found = filesOf(reader, index);
        assertTrue(durable.get(index).contains(found), where + ": " + found + durable.get(index));
      }
      for (Working one : working.values()) {
        one.volume.refresh();
        assertEquals(one.files, filesOf(one.volume, one.index), where);
      }
    }

    private void kill(Working one) {
      one.host.kill();
      working.remove(one.index);
    }

    private void close(Working one, String where) throws IOException {
      for (VolumeReader reader : one.readers.keySet()) {
        assertHolds(reader, where, one.readers.get(reader));
        reader.close();
      }
      one.unfinished.forEach(VolumeWriter::abort);
      one.volume.close();
      one.host.close();
      Map<String, List<Extent>> kept = VolumeMetadata.open(ram).readLatest().spaces();
      assertNull(kept.get(one.index), where + ": LBAs were not given back");
      durable.put(one.index, new HashSet<>(Set.of(new TreeMap<>(one.files))));
      working.remove(one.index);
    }
  }
}
