/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.util.IORunnable;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.SharedStorage;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Files on the block part of a device. A file is written once, from its first page to its last, and
 * lies in few runs of LBAs, if possible in one.
 *
 * <p>What a crash leaves is the state of the latest {@link #sync} that returned, or of one that was
 * under way: a file is there, whole, if and only if that state has it. LBAs of a deleted file are
 * used again only once a state without it is durable, and not before its last reader is closed.
 *
 * <p>A write, trim or flush that the device gave up with status TIMED_OUT may still take effect.
 * The LBAs of such a write stay out of use, and no metadata are written, until the device says that
 * nothing of the kind is left.
 *
 * <p>A volume is opened for reading, and writes nothing until {@link #openForWriting()}. One
 * process at a time may write, or several that each write to indexes of their own, see {@link
 * #openForWriting(String)}; others read beside them and find new files as they are synced. What
 * changes a volume that is open for reading throws {@link OffloadException} with status READ_ONLY.
 *
 * <p>All methods may be called from several threads. One volume object serves a device in a
 * process.
 */
public final class Volume implements Closeable {
  private static final long NOT_HELD = -1;

  final Device device;
  final SharedStorage shared;
  private final int transferBytes;
  final VolumeSpace space;
  final VolumeLeases leases;

  /** Held while the volume is opened for writing, and never in order to read. */
  final ReentrantLock openingForWriting = new ReentrantLock();

  /** Held while metadata go to the device; taken before the monitor of this object. */
  final Object syncLock = new Object();

  /** True if this process may write. Set with the monitor of this object, and never reset. */
  volatile boolean writable;

  final VolumeSharing sharing = new VolumeSharing(this);
  final VolumeLookup lookup = new VolumeLookup(this);
  private final VolumeSync syncing = new VolumeSync(this);

  // All below is guarded by the monitor of this object.
  VolumeMetadata metadata;
  Map<String, VolumeFile> names = new HashMap<>();
  Set<String> users = new TreeSet<>();
  VolumeShare share; // null: nobody writes, or nobody but this process
  private final Set<String> read = new HashSet<>(); // indexes whose files are looked up here
  long sequence;
  boolean dirty;
  long changes;

  private Volume(Device device) {
    this.device = device;
    this.shared = SharedStorage.of(device);
    this.transferBytes = Transfers.bytes(device.info());
    this.space = new VolumeSpace(device);
    this.leases = new VolumeLeases(device.name(), shared);
  }

  /**
   * Opens the volume on a device for reading. A device without one that may get one counts as an
   * empty volume.
   *
   * @throws OffloadException with status LOCKED if the device holds none and its {@link
   *     Device#claim} does not allow for one
   * @throws CorruptIndexException if the device holds something else than a volume, or a damaged
   *     one; it is left as it is
   */
  public static Volume open(Device device) throws IOException {
    if (device.info().lbaBytes() != OffloadWire.LBA_BYTES) {
      throw new IOException(
          "device "
              + device.name()
              + " has LBAs of "
              + device.info().lbaBytes()
              + " bytes; a volume needs "
              + OffloadWire.LBA_BYTES);
    }
    Volume volume = new Volume(device);
    if (!VolumeClaim.check(device)) {
      volume.lookup.load(VolumeMetadata.open(device), false);
    }
    return volume;
  }

  /** Opens the volume on a device for reading and writing; makes one if there is none. */
  public static Volume openForWriting(Device device) throws IOException {
    Volume volume = open(device);
    volume.openForWriting();
    return volume;
  }

  /**
   * Makes the volume writable, for as long as the device is open, and makes one if the device has
   * none; harmless if it is writable. What another process has written since the volume was opened
   * is read first.
   *
   * @throws OffloadException as {@link Device#openForWriting} does, or as {@link #open}
   * @throws CorruptIndexException as {@link #open}
   */
  public void openForWriting() throws IOException {
    if (writable) {
      return;
    }
    openingForWriting.lock();
    try {
      if (writable) {
        return;
      }
      device.openForWriting();
      lookup.load(lookup.openOrFormat(), true);
      holdLease();
      synchronized (syncLock) {
        leases.release(lookedUpIn(), space);
      }
    } finally {
      openingForWriting.unlock();
    }
  }

  /**
   * Makes the volume writable for the files of an index, beside other processes that write to other
   * indexes; for everything if the device has one writer at a time, or this process is it. Harmless
   * if it is so already. It stays so as long as the device is open.
   *
   * @throws OffloadException with status LOCKED if another process writes to the index, or to
   *     everything; READ_ONLY if this process may not write
   * @throws CorruptIndexException as {@link #open}
   */
  public void openForWriting(String index) throws IOException {
    sharing.openForWriting(index);
  }

  /** Returns what this process has of the volume, if it writes beside others; else null. */
  synchronized VolumeShare share() {
    return share;
  }

  /** Returns whether a device holds a volume, intact or not; reads, and writes nothing. */
  public static boolean isOn(Device device) throws IOException {
    return VolumeMetadata.isOn(device);
  }

  /**
   * Describes what a device holds, as far as volumes are concerned, for people; reads, writes
   * nothing.
   */
  public static String describe(Device device) {
    try {
      return isOn(device)
          ? "a volume of posting images"
          : "no volume of posting images; see claim=";
    } catch (IOException e) {
      return "what could not be read: " + e.getMessage();
    }
  }

  /** Returns the volume's ID; null as long as the device has no volume. */
  public synchronized VolumeId id() {
    return metadata == null ? null : metadata.id();
  }

  /** Returns whether it was opened for writing. */
  public boolean isWritable() {
    return writable;
  }

  /** Returns the device. */
  public Device device() {
    return device;
  }

  /**
   * Reads what another process has made durable since, if this one does not write; asks the device
   * for two LBAs if that is nothing.
   */
  public void refresh() throws IOException {
    patiently(
        () -> {
          lookup.refresh();
          holdLease();
        });
  }

  /** Asks again if the device does not answer, as who reads an index that lies on it. */
  private void patiently(IORunnable question) throws IOException {
    if (writable || !leases.areWanted()) {
      question.run();
      return;
    }
    PatientReads.read(
        () -> {
          question.run();
          return null;
        });
  }

  private void lookFor(String name) throws IOException {
    patiently(() -> lookup.lookFor(name));
  }

  /**
   * Has the files that this process reads kept for it when another host deletes them, as far as the
   * device has leases: those that are in the file table from now on, and of earlier ones those that
   * are open. And has nothing more be written once something may be lost that was.
   */
  public void keepFiles() throws IOException {
    keepFiles("");
  }

  /**
   * Keeps the files of one index, and its images, for a process that reads only these.
   *
   * @param index its name; empty if any may be read
   */
  public void keepFiles(String index) throws IOException {
    leases.want();
    shared.shutOutIfLost();
    synchronized (this) {
      read.add(index);
    }
    if (!writable || share() != null) {
      patiently(this::holdLease);
      refresh(); // what was read before the lease may be gone
    }
  }

  /** Returns whether it holds files of indexes; images alone are safe by what their pages carry. */
  synchronized boolean holdsIndexes() {
    return leases.areWanted() || names.values().stream().anyMatch(file -> file.stamp != 0);
  }

  /** Holds what is in use here, as far as it is wanted. */
  void holdLease() throws IOException {
    leases.hold(lookedUpIn());
  }

  /**
   * Returns the number of the file table that names are looked up in; the table of a process that
   * alone changes the volume has no number yet.
   */
  synchronized long lookedUpIn() {
    return readsOthers() ? sequence : Long.MAX_VALUE;
  }

  /** Returns whether another process may delete what is read here. */
  private synchronized boolean readsOthers() {
    return !writable || share != null && !share.holdsAll(read);
  }

  /**
   * Returns whether a file is still there, as of now, by what its pages carry; see {@link #create(
   * String, long, long)}.
   */
  public boolean hasStamp(long stamp) throws IOException {
    refresh();
    synchronized (this) {
      return names.values().stream().anyMatch(file -> file.stamp == stamp);
    }
  }

  /** Returns the names of all files. */
  public synchronized Set<String> list() {
    return new TreeSet<>(names.keySet());
  }

  /**
   * Returns the users of the volume: the names given to {@link #addUser} in any process. Volumes of
   * earlier versions do not know.
   */
  public synchronized Set<String> users() {
    return new TreeSet<>(users);
  }

  /**
   * Adds a user of the volume, for good; durable with the next file.
   *
   * @param user a name of at most 200 bytes
   */
  public synchronized void addUser(String user) throws IOException {
    FileTable.checkUser(user);
    requireWritable();
    if (users.add(user)) {
      changed();
    }
  }

  /**
   * Returns the number of LBAs that hold no file and may be used now; beside other writers, as of
   * the latest file table.
   */
  public synchronized long freeLbas() {
    return space.free() + (share == null ? 0 : share.freeOfAll());
  }

  /**
   * Returns whether a file has this name; looks for files that another process has written since.
   */
  public boolean exists(String name) throws IOException {
    lookFor(name);
    synchronized (this) {
      return names.containsKey(name);
    }
  }

  /** Returns the length of a file in bytes. */
  public long length(String name) throws IOException {
    lookFor(name);
    synchronized (this) {
      return require(name).length;
    }
  }

  /**
   * Begins a file. It gets its name when it is finished.
   *
   * @param expectedBytes guess of its length, so that its LBAs may be neighbours; 0: none
   * @throws FileAlreadyExistsException if a file has this name
   */
  public VolumeWriter create(String name, long expectedBytes) throws IOException {
    return create(name, expectedBytes, 0);
  }

  /**
   * Begins a file. It gets its name when it is finished.
   *
   * @param expectedBytes guess of its length, so that its LBAs may be neighbours; 0: none
   * @param stamp what the caller writes into each page, so that a page that was given to another
   *     file is known; 0: nothing
   * @throws FileAlreadyExistsException if a file has this name
   */
  public VolumeWriter create(String name, long expectedBytes, long stamp) throws IOException {
    FileTable.checkName(name);
    synchronized (this) {
      requireWritable();
      if (names.containsKey(name)) {
        throw new FileAlreadyExistsException(name);
      }
    }
    return new VolumeWriter(this, name, expectedBytes, stamp);
  }

  /**
   * Puts a small file into the metadata, where it takes no LBA, and is read with them.
   *
   * @param bytes all that the file holds; not to be changed any more
   * @return false if the metadata have no room for it; nothing is done then
   * @throws FileAlreadyExistsException if a file has this name
   */
  public synchronized boolean tryCreateInline(String name, byte[] bytes) throws IOException {
    FileTable.checkName(name);
    requireWritable();
    if (inlineBytes() + bytes.length > metadata.inlineCapacity()) {
      return false;
    }
    add(name, new VolumeFile(bytes));
    return true;
  }

  private long inlineBytes() {
    long sum = 0;
    for (VolumeFile file : names.values()) {
      sum += file.inline == null ? 0 : file.inline.length;
    }
    return sum;
  }

  /** Opens a file for reading; it stays readable if it is deleted meanwhile. */
  public VolumeReader openFile(String name) throws IOException {
    lookFor(name);
    synchronized (this) {
      VolumeFile file = require(name);
      file.readers++;
      if (leases.areWanted() && readsOthers()) {
        leases.opened(sequence);
        return new VolumeReader(this, file, sequence);
      }
      return new VolumeReader(this, file, NOT_HELD);
    }
  }

  /** Takes a name from a file; the last one takes the file with it. */
  public void delete(String name) throws IOException {
    List<Extent> freed;
    synchronized (this) {
      requireWritable();
      VolumeFile file = require(name);
      names.remove(name);
      changed();
      file.links--;
      if (share != null) {
        share.removed(name, file);
      }
      freed = freedIfUnused(file);
    }
    freed.forEach(space::freeNow);
  }

  /** Gives a file another name. */
  public void rename(String from, String to) throws IOException {
    link(from, to);
    delete(from);
  }

  /** Gives a file one more name. */
  public synchronized void link(String from, String to) throws IOException {
    FileTable.checkName(to);
    requireWritable();
    VolumeFile file = require(from);
    if (names.putIfAbsent(to, file) != null) {
      throw new FileAlreadyExistsException(to);
    }
    file.links++;
    if (share != null) {
      share.added(to, file);
    }
    changed();
  }

  /** Makes every finished file, and every deletion, durable. */
  public void sync() throws IOException {
    synchronized (syncLock) { // it may become shared meanwhile
      if (share() == null) {
        syncing.sync();
      } else {
        sharing.sync(0, false);
      }
    }
  }

  void checkSettled() throws OffloadException {
    if (device.hasUnfinishedWrites()) {
      throw new OffloadException(
          OffloadWire.Status.TIMED_OUT,
          "an earlier write to device " + device.name() + " has not ended yet");
    }
  }

  /** Syncs; the device stays open. */
  @Override
  public void close() throws IOException {
    if (writable && share() != null) {
      sharing.sync(0, true);
    } else if (writable) {
      sync();
    }
  }

  /** Takes LBAs for a writer, right behind {@code lba} if they are free; -1: anywhere. */
  FreeSpace.Run allocate(long lba, long wanted) throws IOException {
    FreeSpace.Run run = space.take(lba, wanted);
    if (run == null) {
      // Deleted files may be waiting for the next sync.
      if (share() == null) {
        sync();
      } else {
        sharing.sync(wanted, false);
      }
      run = space.take(lba, wanted);
    }
    if (run == null && share() != null && sharing.inherit(wanted)) {
      run = space.take(lba, wanted);
    }
    if (run == null) {
      throw new OffloadException(
          OffloadWire.Status.NO_SPACE,
          "the volume on device " + device.name() + " is full: all of its LBAs are in use");
    }
    return run;
  }

  /** Gives a finished file its name. */
  synchronized void add(String name, VolumeFile file) throws IOException {
    if (names.putIfAbsent(name, file) != null) {
      throw new FileAlreadyExistsException(name);
    }
    file.links = 1;
    if (share != null) {
      share.added(name, file);
    }
    changed();
  }

  /** Lets a reader go. */
  void closed(VolumeFile file, long heldSequence) {
    List<Extent> freed;
    boolean lets;
    synchronized (this) {
      leases.closed(heldSequence);
      file.readers--;
      lets = file.readers == 0 && file.heldSequence > 0;
      if (lets) {
        leases.closed(file.heldSequence);
        file.heldSequence = 0;
      }
      freed = freedIfUnused(file);
    }
    if (lets) {
      leases.tryHold(lookedUpIn()); // others wait for its LBAs
    }
    freed.forEach(space::freeNow);
  }

  /** Returns the LBAs that no file has. */
  VolumeSpace space() {
    return space;
  }

  /** Returns the number of bytes of one transfer. */
  int transferBytes() {
    return transferBytes;
  }

  private void changed() {
    dirty = true;
    changes++;
  }

  /** Returns the LBAs of a file that can be given back now; those that have to wait are noted. */
  private List<Extent> freedIfUnused(VolumeFile file) {
    if (file.links > 0 || file.readers > 0 || !writable) {
      return List.of();
    }
    if (share != null) {
      return file.lastSequence > 0 ? List.of() : file.extents; // the next sync sees to it
    }
    // After a crash the latest durable snapshot counts: does it, or one under way, name the file?
    if (file.lastSequence >= sequence && file.lastSequence > 0) {
      space.freeAfterSync(file.extents);
      return List.of();
    }
    return file.extents;
  }

  private VolumeFile require(String name) throws IOException {
    VolumeFile file = names.get(name);
    if (file == null) {
      throw new NoSuchFileException(name, null, "not on device " + device.name());
    }
    return file;
  }

  void requireWritable() throws OffloadException {
    if (!writable) {
      throw new OffloadException(
          OffloadWire.Status.READ_ONLY,
          "the volume on device " + device.name() + " is open for reading");
    }
  }
}
