/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.SharedStorage;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * What a process has of a volume that it writes to beside others: the indexes that it alone
 * changes, the LBAs that it alone gives to files, and what it has changed of the file table since
 * it was last durable. Each sync puts these changes into the latest table, with the lease of the
 * table held, so that no two processes write one at once.
 *
 * <p>The LBAs that are its own stand in the table as the space of the first of its indexes: free
 * ones, and those of files that it writes. If it dies, the next writer of that index has them, or a
 * process that finds the volume full before.
 *
 * <p>Guarded by the monitor of the volume, but for the calls that wait for the device.
 */
final class VolumeShare {
  /** The scope of the file table; those of indexes have the highest bit set. */
  private static final long TABLE = 1;

  private static final int PATIENCE_SECONDS = 30;
  private static final long LONGEST_WAIT_MILLIS = 50;

  /** LBAs of the device for each that a process takes at once, within bounds. */
  private static final int DEVICE_TO_CHUNK = 256;

  private static final long MIN_CHUNK = 64;
  private static final long MAX_CHUNK = 16_384;
  private static final int SURPLUS_CHUNKS = 4;
  private static final int MAX_RUNS = 64; // that are taken or given back at once
  private static final int MAX_ORPHANS = 64; // that are taken at once

  private final Device device;
  private final SharedStorage shared;
  private final VolumeSpace space;
  private final long chunk;
  private final Set<String> indexes = new LinkedHashSet<>(); // the first has the space
  private final Set<String> fresh = new HashSet<>(); // of these, whose space was not taken over yet
  private final Set<String> orphans = new LinkedHashSet<>(); // see takeOrphans
  private final Map<String, VolumeFile> added = new HashMap<>();
  private final Set<Named> removed = new LinkedHashSet<>();
  private final Set<Extent> unsure = new LinkedHashSet<>(); // its own if the table says so
  private long freeOfAll; // as of the latest table

  /** A name that a file has, or had. */
  record Named(String name, VolumeFile file) {}

  /**
   * What a sync is about to make durable.
   *
   * @param table the file table
   * @param added names in it that were not in the one before
   * @param removed names that were in the one before
   * @param never files that lost their names before they were in any
   * @param gained LBAs that are free for this process once it is durable
   * @param left the same, but a process that died has written to them
   * @param unsure those that are, or are not, this process's own if nobody knows whether it is
   */
  record Attempt(
      FileTable table,
      Map<String, VolumeFile> added,
      Set<Named> removed,
      List<VolumeFile> never,
      List<Extent> gained,
      List<Extent> left,
      List<Extent> unsure) {}

  VolumeShare(Device device, VolumeSpace space) {
    this.device = device;
    this.shared = SharedStorage.of(device);
    this.space = space;
    this.chunk = Math.clamp(device.info().lbaCount() / DEVICE_TO_CHUNK, MIN_CHUNK, MAX_CHUNK);
  }

  /** Returns the number of an index's scope: the same on all hosts. */
  static long scopeOf(String index) {
    long hash = 0xCBF29CE484222325L; // FNV-1a
    for (byte b : index.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
    }
    return hash | Long.MIN_VALUE;
  }

  /** Takes the right to write to an index; it is not held before {@link #join}. */
  void takeIndex(String index) throws IOException {
    try {
      shared.takeScope(scopeOf(index), false);
    } catch (OffloadException e) {
      if (e.status() == Status.LOCKED) {
        throw new OffloadException(
            Status.LOCKED, "index " + index + " has a writer: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  /** Gives an index back, the opposite of {@link #takeIndex}. */
  void giveIndex(String index) {
    giveQuietly(scopeOf(index));
  }

  /**
   * Takes, for the moment, the right to write to indexes without a writer, whose space the next
   * table is to take over. Their files are not changed; but a process that had the right has lost
   * it from then on, and what is still to come of its writes is refused.
   *
   * @param withSpace indexes that have space
   * @return whether there were any; {@link #giveOrphans} follows in any case
   */
  boolean takeOrphans(Collection<String> withSpace) throws IOException {
    for (String index : withSpace) {
      long scope = scopeOf(index);
      boolean own = indexes.stream().anyMatch(one -> scopeOf(one) == scope);
      if (!own && orphans.size() < MAX_ORPHANS && tryTake(scope)) {
        orphans.add(index);
      }
    }
    return !orphans.isEmpty();
  }

  private boolean tryTake(long scope) throws IOException {
    try {
      shared.takeScope(scope, true);
      return true;
    } catch (OffloadException e) {
      if (e.status() == Status.BUSY || e.status() == Status.NO_MEMORY) {
        return false; // its writer is there, or the device has no room for one more lease
      }
      throw e;
    }
  }

  /** Gives the orphans back, the opposite of {@link #takeOrphans}. */
  void giveOrphans() {
    orphans.forEach(index -> giveQuietly(scopeOf(index)));
    orphans.clear();
  }

  void join(String index) {
    indexes.add(index);
    fresh.add(index);
  }

  void leave(String index) {
    indexes.remove(index);
    fresh.remove(index);
  }

  boolean holds(String index) {
    return indexes.contains(index);
  }

  boolean holdsAll(Collection<String> others) {
    return indexes.containsAll(others);
  }

  /** Returns whether a name is that of a file of an index that no other process changes. */
  boolean owns(String name) {
    return indexes.stream()
        .anyMatch(
            index ->
                name.length() > index.length()
                    && name.startsWith(index)
                    && name.charAt(index.length()) == '/');
  }

  /**
   * Waits until no other process changes the file table, and keeps it so.
   *
   * @return a number that is another one next time if another process has had it since
   */
  long takeTable() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (long wait = 1; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS)) {
      try {
        return shared.takeScope(TABLE, true);
      } catch (OffloadException e) {
        if (e.status() != Status.BUSY || System.nanoTime() - end > 0) {
          throw e;
        }
      }
      try {
        Thread.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("waiting for the file table of device " + device.name());
      }
    }
  }

  /** Gives the table back, the opposite of {@link #takeTable}. */
  void giveTable() {
    giveQuietly(TABLE);
  }

  private void giveQuietly(long scope) {
    try {
      shared.dropScope(scope);
    } catch (IOException e) {
      // The device is told again before the next write; and leases end by themselves.
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "lease not given up",
          device.name(),
          "device " + device.name() + ": a lease was not given up: " + e.getMessage());
    }
  }

  /** Notes a name. */
  void added(String name, VolumeFile file) {
    added.put(name, file);
  }

  /** Notes that a name was taken from a file. */
  void removed(String name, VolumeFile file) {
    boolean isNew = added.remove(name, file);
    if (!isNew || file.lastSequence > 0) { // a table that has it may be there
      removed.add(new Named(name, file));
    }
  }

  /** Returns the number of LBAs that no process has for files, as of the latest table. */
  long freeOfAll() {
    return freeOfAll;
  }

  /**
   * Returns a file table of others with the changes of this process.
   *
   * @param latest the table
   * @param names what was known before
   */
  Map<String, VolumeFile> merged(FileTable latest, Map<String, VolumeFile> names) {
    Map<List<Extent>, VolumeFile> inPages = new HashMap<>();
    Map<String, VolumeFile> inTable = new HashMap<>();
    for (Named one : removed) {
      inPages.put(one.file.extents, one.file);
      inTable.put(one.name, one.file);
    }
    names.values().forEach(file -> inPages.put(file.extents, file));
    inTable.putAll(names);
    Map<String, VolumeFile> result = new HashMap<>();
    latest
        .names()
        .forEach(
            (name, read) -> {
              boolean paged = !read.extents.isEmpty();
              VolumeFile known = paged ? inPages.get(read.extents) : inTable.get(name);
              VolumeFile file = known != null && isSame(read, known) ? known : read;
              file.lastSequence = Math.max(file.lastSequence, latest.sequence());
              if (!removed.contains(new Named(name, file))) {
                result.put(name, file);
              }
            });
    result.putAll(added);
    return result;
  }

  private static boolean isSame(VolumeFile a, VolumeFile b) {
    return a.length == b.length
        && a.stamp == b.stamp
        && a.extents.equals(b.extents)
        && Arrays.equals(a.inline, b.inline);
  }

  /**
   * Prepares a file table that follows another.
   *
   * @param latest the table, which nobody else changes now
   * @param free LBAs that it leaves free; on return those that the new one does
   * @param gone files without a name that stay
   * @param names of the new one, as of {@link #merged}
   * @param users the same
   * @param wanted LBAs that this process needs at once; 0: none
   * @param last whether it will write no more
   * @throws IOException if somebody else has what is this process's own
   */
  Attempt prepare(
      FileTable latest,
      FreeSpace free,
      List<GoneFile> gone,
      Map<String, VolumeFile> names,
      Set<String> users,
      long wanted,
      boolean last)
      throws IOException {
    Map<String, List<Extent>> spaces = new TreeMap<>(latest.spaces());
    FreeSpace own = new FreeSpace();
    Set<Extent> left = new LinkedHashSet<>();
    for (String index : union(indexes, orphans)) {
      for (Extent extent : spaces.getOrDefault(index, List.of())) {
        own.add(extent.lba(), extent.pageCount());
        if (fresh.contains(index) || orphans.contains(index)) {
          left.add(extent);
        }
      }
      spaces.remove(index);
    }
    Set<Extent> gained = new LinkedHashSet<>();
    for (Extent extent : unsure) {
      if (!left.contains(extent) && holds(own, extent)) {
        gained.add(extent);
      }
    }
    Set<List<Extent>> there = changedOf(latest);
    takeNamed(own, there);
    long target = latest.sequence() + 1;
    List<GoneFile> allGone = new ArrayList<>(gone);
    List<VolumeFile> never = new ArrayList<>();
    endRemoved(latest, there, own, allGone, never);
    List<Extent> changed = new ArrayList<>();
    long have = space.free() + lbas(left) + lbas(gained);
    List<Extent> given = new ArrayList<>();
    if (last) {
      given.addAll(giveBack(own, Long.MAX_VALUE));
      List<Extent> unused = new ArrayList<>(gained);
      never.forEach(file -> unused.addAll(file.readers == 0 ? file.extents : List.of()));
      unused.forEach(extent -> own.takeExactly(extent.lba(), extent.pageCount()));
      given.addAll(unused);
      gained.clear();
      never.clear();
    } else if (wanted > 0 || have < chunk / 2) {
      List<Extent> taken = takeFree(own, free, Math.max(wanted, chunk - have));
      changed.addAll(taken);
      gained.addAll(taken);
    } else if (space.free() > 2 * SURPLUS_CHUNKS * chunk) {
      given.addAll(giveBack(own, space.free() - SURPLUS_CHUNKS * chunk));
    }
    changed.addAll(given);
    given.forEach(extent -> free.add(extent.lba(), extent.pageCount()));
    freeOfAll = free.free();
    if (own.free() > 0) {
      spaces.put(indexes.iterator().next(), own.extents());
    }
    changed.addAll(left);
    return new Attempt(
        new FileTable(target, new HashMap<>(names), Set.copyOf(users), allGone, spaces),
        Map.copyOf(added),
        Set.copyOf(removed),
        never,
        List.copyOf(gained),
        List.copyOf(left),
        changed);
  }

  /**
   * Returns what a table has of those files whose names were changed here: no two share a first
   * LBA.
   */
  private Set<List<Extent>> changedOf(FileTable table) {
    Set<Long> asked = new HashSet<>();
    Stream.concat(added.values().stream(), removed.stream().map(Named::file))
        .filter(file -> !file.extents.isEmpty())
        .forEach(file -> asked.add(file.extents.get(0).lba()));
    Set<List<Extent>> there = new HashSet<>();
    for (VolumeFile file : table.names().values()) {
      if (!file.extents.isEmpty() && asked.contains(file.extents.get(0).lba())) {
        there.add(file.extents);
      }
    }
    return there;
  }

  private static boolean holds(FreeSpace own, Extent extent) {
    if (!own.takeExactly(extent.lba(), extent.pageCount())) {
      return false;
    }
    own.add(extent.lba(), extent.pageCount());
    return true;
  }

  private static long lbas(Collection<Extent> extents) {
    return extents.stream().mapToLong(Extent::pageCount).sum();
  }

  /** Takes LBAs of files that get their first name from what is this process's own. */
  private void takeNamed(FreeSpace own, Set<List<Extent>> there) throws IOException {
    Set<VolumeFile> named = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Map.Entry<String, VolumeFile> entry : added.entrySet()) {
      VolumeFile file = entry.getValue();
      if (there.contains(file.extents) || !named.add(file)) {
        continue;
      }
      for (Extent extent : file.extents) {
        if (!own.takeExactly(extent.lba(), extent.pageCount())) {
          throw new OffloadException(
              Status.LOCKED,
              "device "
                  + device.name()
                  + ": LBAs of "
                  + entry.getKey()
                  + " from "
                  + extent.lba()
                  + " are another writer's; open the writer anew");
        }
      }
    }
  }

  /** Finds out what becomes of files that have lost their names. */
  private void endRemoved(
      FileTable latest,
      Set<List<Extent>> there,
      FreeSpace own,
      List<GoneFile> gone,
      List<VolumeFile> never) {
    Set<VolumeFile> ended = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Named one : removed) {
      VolumeFile file = one.file;
      if (file.links > 0 || file.extents.isEmpty() || !ended.add(file)) {
        continue;
      }
      if (there.contains(file.extents)) {
        gone.add(new GoneFile(latest.sequence() + 1, file.extents));
      } else if (file.extents.stream().allMatch(extent -> holds(own, extent))) {
        never.add(file); // else it is among those that are gone already
      }
    }
  }

  /** Gives up LBAs that are free for this process. */
  private List<Extent> giveBack(FreeSpace own, long count) throws IOException {
    List<Extent> given = new ArrayList<>();
    long rest = count;
    while (rest > 0 && (count == Long.MAX_VALUE || given.size() < MAX_RUNS)) {
      FreeSpace.Run run = space.take(-1, Math.min(rest, Integer.MAX_VALUE));
      if (run == null) {
        break;
      }
      Extent extent = new Extent(0, (int) run.count(), run.lba());
      given.add(extent);
      rest -= run.count();
      own.takeExactly(run.lba(), run.count());
    }
    return given;
  }

  private static List<Extent> takeFree(FreeSpace own, FreeSpace free, long count) {
    List<Extent> taken = new ArrayList<>();
    long rest = count;
    while (rest > 0 && taken.size() < MAX_RUNS) {
      FreeSpace.Run run = free.take(rest);
      if (run == null) {
        break;
      }
      own.add(run.lba(), run.count());
      taken.add(new Extent(0, (int) run.count(), run.lba()));
      rest -= run.count();
    }
    return taken;
  }

  /** Notes that the table of an attempt is durable; returns the LBAs that are to be given back. */
  List<Extent> durable(Attempt attempt) {
    attempt.added.forEach(added::remove);
    removed.removeAll(attempt.removed);
    fresh.clear();
    unsure.clear();
    List<Extent> freed = new ArrayList<>(attempt.left);
    for (VolumeFile file : attempt.never) {
      file.lastSequence = 0;
      if (file.readers == 0) {
        freed.addAll(file.extents); // else once they are closed
      }
    }
    attempt.gained.forEach(space::gain);
    return freed;
  }

  /** Notes that it is unknown whether the attempt's table is there. */
  void failed(Attempt attempt) {
    unsure.addAll(attempt.unsure);
  }

  /** Returns all that a table says is in use. */
  static List<VolumeFile> filesOf(FileTable table) {
    List<VolumeFile> files = new ArrayList<>(table.names().values());
    table.gone().forEach(file -> files.add(new VolumeFile(file.extents(), 0)));
    table.spaces().values().forEach(extents -> files.add(new VolumeFile(extents, 0)));
    return files;
  }

  /** Returns all users of two tables. */
  static Set<String> union(Set<String> a, Set<String> b) {
    Set<String> all = new TreeSet<>(a);
    all.addAll(b);
    return all;
  }
}
