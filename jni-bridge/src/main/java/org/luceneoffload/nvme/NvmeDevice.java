/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Device.Claim;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SharedStorage;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.DeviceInfoLayout;

/**
 * A namespace that runs plans: ordinary NVMe reads and writes for its LBAs, vendor commands for the
 * rest (wire/WIRE.md, section 6).
 *
 * <p>Commands wait in the driver for at most the time limit of the access. One that runs into it,
 * or finds the connection lost, leaves open whether the device has executed it; sessions and
 * resources of the device may then be gone.
 */
public final class NvmeDevice implements Device, SharedStorage {
  private static final long QUIESCE_LIMITS = 2;
  private static final int MAX_ATTEMPTS = 3;
  private static final long MIN_QUIESCE_MILLIS = 10_000;

  private final String name;
  private final NvmeCommands commands;
  private final DeviceInfo info;
  private final Claim claim;
  private final boolean trims;
  private final int sessionGrantBytes;
  private final Set<NvmeSession> sessions = ConcurrentHashMap.newKeySet();

  private final NvmeLeases leases;
  private final NvmeRawPages pages; // null: the device knows no tasks
  private final AtomicLong writes = new AtomicLong();
  private volatile long writesFlushed; // of these, durable

  private final long quiesceNanos;
  private volatile boolean writable;
  private volatile boolean closed;

  // When a write, flush or trim was last given up.
  private volatile boolean lostWrite;
  private volatile long lostWriteNanos;

  /** The device of a namespace that has been found fit; sends nothing. */
  NvmeDevice(String name, NvmeCommands commands, NvmeProbe probe, boolean readOnly, Claim claim) {
    this.name = name;
    this.claim = claim;
    this.commands = commands;
    this.leases = new NvmeLeases(commands, name, this::hasUnfinishedWrites);
    this.quiesceNanos =
        Math.max(QUIESCE_LIMITS * commands.timeoutMillis(), MIN_QUIESCE_MILLIS) * 1_000_000L;
    this.trims = probe.controller().trims();
    this.info = info(probe, commands.port().maxTransferBytes(), readOnly);
    boolean tasks =
        commands.haveTasks()
            && (DeviceInfoLayout.flags(probe.info(), 0) & OffloadWire.InfoFlag.TASKS) != 0;
    this.pages = tasks ? new NvmeRawPages(name, info, this::read) : null;
    long most = DeviceInfoLayout.maxGrantBytes(probe.info(), 0) & 0xFFFFFFFFL;
    this.sessionGrantBytes = (int) Math.min(NvmeSession.GRANT_BYTES, most);
  }

  /**
   * Opens the namespace that a port leads to. The port is closed with the device, and if it cannot
   * be opened.
   *
   * @throws OffloadException with the reason why the namespace cannot be used
   */
  public static NvmeDevice open(String name, CommandPort port, Access access) throws IOException {
    try {
      int nsid = port.namespaceId();
      NvmeCommands commands =
          access.commands() == Access.Commands.PROGRAMS
              ? new ProgramCommands(port, nsid, access)
              : new NvmeCommands(port, nsid, access.opcodes(), access.timeoutMillis());
      NvmeProbe probe = NvmeProbe.examine(commands, nsid, access.force());
      if (access.commands() == Access.Commands.AUTO && probe.lacksCommands()) {
        commands = new ProgramCommands(port, nsid, access);
        probe = NvmeProbe.examine(commands, nsid, access.force());
      }
      if (probe.refusal() != null) {
        throw probe.refusal();
      }
      return new NvmeDevice(name, commands, probe, access.readOnly(), access.claim());
    } catch (Throwable t) {
      port.close();
      throw t;
    }
  }

  /** Returns the device's capabilities, within the limits of the way to it. */
  private static DeviceInfo info(NvmeProbe probe, int portTransferBytes, boolean readOnly) {
    ByteBuffer b = probe.info();
    long transfer =
        Math.min(portTransferBytes, DeviceInfoLayout.maxTransferBytes(b, 0) & 0xFFFFFFFFL);
    long pages = probe.controller().maxTransferPages();
    if (pages > 0) {
      transfer = Math.min(transfer, pages * 4096);
    }
    transfer = transfer / OffloadWire.LBA_BYTES * OffloadWire.LBA_BYTES;
    return new DeviceInfo(
        DeviceInfo.text(b, DeviceInfoLayout.MODEL, DeviceInfoLayout.BYTES),
        DeviceInfo.text(b, DeviceInfoLayout.KERNELS, DeviceInfoLayout.MODEL),
        readOnly || (DeviceInfoLayout.flags(b, 0) & OffloadWire.InfoFlag.READ_ONLY) != 0,
        OffloadWire.LBA_BYTES,
        OffloadWire.PAGE_BYTES,
        Math.min(DeviceInfoLayout.lbaCount(b, 0), probe.namespace().lbaCount()),
        DeviceInfoLayout.dramBytes(b, 0),
        (int) transfer,
        (int) Math.min(DeviceInfoLayout.maxPlanBytes(b, 0), transfer),
        Math.min(DeviceInfoLayout.maxResultBytes(b, 0), NvmeSession.RESULT_BYTES),
        DeviceInfoLayout.maxSessions(b, 0),
        DeviceInfoLayout.modeBits(b, 0),
        DeviceInfoLayout.opBits(b, 0),
        (DeviceInfoLayout.flags(b, 0) & OffloadWire.InfoFlag.BM25_TABLES) != 0,
        (DeviceInfoLayout.flags(b, 0) & OffloadWire.InfoFlag.SERIES) != 0);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public Claim claim() {
    return claim;
  }

  /**
   * Returns whether the driver sends the commands: there a command may wait while the controller is
   * reset, or longer.
   */
  @Override
  public boolean mayBlock() {
    return !commands.port().isPipelined();
  }

  @Override
  public boolean plansRunElsewhere() {
    return true;
  }

  @Override
  public int mostStaged() {
    return commands.port().isPipelined() ? StagedCommands.MAX_COMMANDS : 1;
  }

  /**
   * Returns whether writes that were given up may still be executed. Such a write may have reached
   * the device all the same, and be executed after the connection has been made anew. Nothing tells
   * the host when it no longer can; so it waits for some of the driver's time limits, as an NVMe
   * host waits for a command to quiesce.
   */
  @Override
  public boolean hasUnfinishedWrites() {
    return lostWrite && System.nanoTime() - lostWriteNanos < quiesceNanos;
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException("dst must be writable");
    }
    transfer("read", OffloadWire.Opcode.READ, lba, dst);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    checkWritable();
    transfer("write", OffloadWire.Opcode.WRITE, lba, src);
  }

  private void transfer(String what, int opcode, long lba, ByteBuffer buffer)
      throws OffloadException {
    info.checkTransfer(what, lba, buffer);
    if (pages != null && opcode == OffloadWire.Opcode.WRITE) {
      pages.forget(lba, buffer.remaining() / OffloadWire.LBA_BYTES);
    }
    while (buffer.hasRemaining()) {
      int bytes = Math.min(buffer.remaining(), info.maxTransferBytes());
      long at = lba;
      int from = buffer.position();
      if (opcode == OffloadWire.Opcode.READ) {
        commands.transfer(opcode, at, buffer, from, bytes, 0);
      } else {
        writes.incrementAndGet();
        writing(epoch -> commands.transfer(opcode, at, buffer, from, bytes, epoch));
      }
      buffer.position(buffer.position() + bytes);
      lba += bytes / OffloadWire.LBA_BYTES;
    }
  }

  /** A command that changes what the device holds. */
  @FunctionalInterface
  private interface Change {
    /** Makes it over a connection. */
    void make(long epoch) throws OffloadException;
  }

  private void writing(Change change) throws OffloadException {
    for (int attempt = 0; ; attempt++) {
      long epoch = leases.checkWriter(writes.get() != writesFlushed);
      try {
        change.make(epoch);
        return;
      } catch (OffloadException e) {
        noteLost(e.status());
        if (e.status() == OffloadWire.Status.LOCKED) {
          leases.refused(writes.get() != writesFlushed); // throws the reason if there is one
        }
        boolean anew = e.status() == OffloadWire.Status.BUSY && commands.port().epoch() != epoch;
        if (!anew || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void noteLost(int status) {
    if (status == OffloadWire.Status.TIMED_OUT || status == OffloadWire.Status.IO_ERROR) {
      lostWriteNanos = System.nanoTime();
      lostWrite = true;
    }
  }

  /** Takes the port's lock: other processes of this host that ask for it are kept out. */
  @Override
  public void openForWriting() throws IOException {
    Device.super.openForWriting(); // refuses if it was opened for reading only
    checkOpen();
    if (!writable) {
      commands.port().lock();
      leases.takeWriter();
      writable = true;
    }
  }

  /**
   * Returns whether there are scopes: not through the driver, where the device cannot keep the
   * processes of this host apart.
   */
  @Override
  public boolean hasScopes() throws IOException {
    checkOpen();
    return commands.port().isPipelined() && leases.areScoped();
  }

  @Override
  public long takeScope(long scope, boolean passing) throws IOException {
    Device.super.openForWriting(); // refuses if it was opened for reading only
    checkOpen();
    long turn = leases.take(scope, passing, writes.get() != writesFlushed);
    writable = true;
    return turn;
  }

  @Override
  public void dropScope(long scope) throws IOException {
    checkOpen();
    leases.drop(scope);
  }

  private void checkWritable() throws OffloadException {
    checkOpen();
    if (!writable) {
      throw new OffloadException(
          OffloadWire.Status.READ_ONLY, "device " + name + " is open for reading only");
    }
  }

  @Override
  public void flush() throws IOException {
    checkOpen();
    if (writable) { // else nothing of ours can be unwritten
      long covered = writes.get();
      writing(commands::flush);
      writesFlushed = covered;
    }
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    checkWritable();
    info.checkLbas("trim", lba, count);
    checkOpen();
    if (pages != null) {
      pages.forget(lba, count);
    }
    if (!trims) {
      return; // the LBAs are as good as trimmed: what they hold is undefined
    }
    long end = lba + count;
    while (lba < end) {
      int part = (int) Math.min(end - lba, Integer.MAX_VALUE);
      long first = lba;
      writing(epoch -> commands.trim(first, part, epoch));
      lba += part;
    }
  }

  private void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "device " + name + " is closed");
    }
  }

  @Override
  public boolean hasLeases() throws IOException {
    checkOpen();
    return leases.areSupported();
  }

  @Override
  public long leastLease() throws IOException {
    checkOpen();
    return leases.minSequence();
  }

  @Override
  public void holdLease(long sequence) throws IOException {
    checkOpen();
    leases.hold(sequence);
  }

  @Override
  public void shutOutIfLost() {
    leases.shutOutIfLost();
  }

  @Override
  public DeviceSession openSession() throws IOException {
    NvmeSession session =
        new NvmeSession(commands, info, sessionGrantBytes, pages, sessions::remove);
    sessions.add(session);
    if (closed) {
      session.close();
      checkOpen();
    }
    return session;
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    DeviceInfo.checkLiveDocs(bits);
    int whole = bits.remaining();
    checkOpen();
    ByteBuffer chunk = AlignedMemory.allocate(Math.min(whole, info.maxTransferBytes()));
    int resource = 0;
    boolean success = false;
    try {
      for (int from = 0; from < whole; ) {
        int bytes = Math.min(whole - from, info.maxTransferBytes());
        chunk.put(0, bits, bits.position() + from, bytes);
        resource =
            commands.put(OffloadWire.Resource.LIVE_DOCS, resource, from, bytes, whole, chunk);
        from += bytes;
      }
      if (pages != null) {
        pages.keepLiveDocs(resource, bits);
      }
      success = true;
    } finally {
      if (!success && resource != 0) {
        dropQuietly(resource);
      }
    }
    bits.position(bits.limit());
    return resource;
  }

  /** Drops a resource. One that cannot be dropped now goes with the connection. */
  private void dropQuietly(int resource) {
    try {
      commands.drop(resource);
    } catch (OffloadException e) {
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "resource not dropped",
          name,
          "a resource was not dropped on " + name + ": " + e.getMessage());
    }
  }

  @Override
  public void dropResource(int resource) throws IOException {
    if (pages != null) {
      pages.dropLiveDocs(resource);
    }
    if (!closed) {
      try {
        commands.drop(resource);
      } catch (OffloadException e) {
        if (e.status() != OffloadWire.Status.CLOSED) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    sessions.forEach(NvmeSession::close);
    leases.close();
    commands.port().close();
    closePages();
  }

  private void closePages() {
    try {
      if (pages != null) {
        pages.close();
      }
    } catch (IOException e) {
      CauseLog.warn(
          "pages not deleted",
          name,
          "copies of pages of " + name + " were not deleted from the temporary files: " + e);
    }
  }

  @Override
  public String toString() {
    return "NvmeDevice(" + name + ")";
  }
}
