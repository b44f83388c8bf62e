/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.timing.ProfiledDevice;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A device in memory, for tests: the block part works, fails on request and can be crashed; the
 * program part is a function.
 */
public final class RamBlockDevice implements Device, SharedStorage, ProfiledDevice {
  /** The program part. */
  @FunctionalInterface
  public interface Program {
    /**
     * Runs a plan.
     *
     * @param plan the plan from byte 0 to the limit, little-endian
     * @return the result page from byte 0 to the limit, little-endian
     */
    ByteBuffer run(RamBlockDevice device, ByteBuffer plan, DeviceSession.StopSignal stop)
        throws IOException;
  }

  /** A program part that refuses every plan. */
  public static final Program NO_PROGRAMS =
      (device, plan, stop) -> {
        throw new OffloadException(OffloadWire.Status.INVALID_OPCODE, "no program part");
      };

  /** Small, so that an image takes several writes. */
  private static final int MAX_TRANSFER_BYTES = 4 * OffloadWire.LBA_BYTES;

  private static final int MAX_PLAN_BYTES = 1 << 18;
  private static final int ALL_MODES = ~0;

  /** One entry of the journal: LBAs written, or a flush if {@code data} is null. */
  private record Event(long lba, byte[] data) {}

  private final long lbaCount;
  private final Program program;
  private final Map<Long, byte[]> lbas = new HashMap<>();
  private final List<Event> journal = new ArrayList<>();
  private final Map<Integer, long[]> liveDocs = new ConcurrentHashMap<>();
  private final AtomicInteger nextResource = new AtomicInteger(1);
  private boolean leases;
  private long leastLease = Long.MAX_VALUE;
  private long heldLease = Long.MAX_VALUE;
  private boolean readOnly;
  private volatile int maxResultBytes = 1 << 16;
  private long writesUntilFailure = Long.MAX_VALUE;
  private long readsUntilFailure = Long.MAX_VALUE;
  private final Set<Long> unreadable = new HashSet<>();
  private long flushesUntilFailure = Long.MAX_VALUE;
  private long lbasWritten;
  private long trims;
  private long flushes;
  private volatile boolean closed;
  private volatile Runnable onPutLiveDocs = () -> {};
  private DeviceProfile profile;

  /** A device of {@code lbaCount} LBAs without a program part. */
  public RamBlockDevice(long lbaCount) {
    this(lbaCount, NO_PROGRAMS);
  }

  /** A device of {@code lbaCount} LBAs. */
  public RamBlockDevice(long lbaCount, Program program) {
    this.lbaCount = lbaCount;
    this.program = program;
  }

  /** Makes it stand for a modelled device, before it is used. */
  public void standFor(DeviceProfile modelled) {
    profile = modelled;
  }

  @Override
  public DeviceProfile profile() {
    return profile;
  }

  @Override
  public String name() {
    return "ram";
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        "RAM device for tests",
        "none",
        readOnly,
        OffloadWire.LBA_BYTES,
        OffloadWire.PAGE_BYTES,
        lbaCount,
        1 << 24,
        MAX_TRANSFER_BYTES,
        MAX_PLAN_BYTES,
        maxResultBytes,
        16,
        ALL_MODES,
        ~0L,
        false,
        false);
  }

  @Override
  public synchronized void read(long lba, ByteBuffer dst) throws IOException {
    checkTransfer(lba, dst);
    if (--readsUntilFailure < 0) {
      throw new OffloadException(OffloadWire.Status.IO_ERROR, "injected read failure");
    }
    while (dst.hasRemaining()) {
      if (unreadable.contains(lba)) {
        throw new OffloadException(OffloadWire.Status.IO_ERROR, "LBA " + lba + " is bad");
      }
      byte[] data = lbas.get(lba++);
      dst.put(data == null ? new byte[OffloadWire.LBA_BYTES] : data);
    }
  }

  @Override
  public synchronized void write(long lba, ByteBuffer src) throws IOException {
    checkTransfer(lba, src);
    if (readOnly) {
      throw new OffloadException(OffloadWire.Status.READ_ONLY, "write");
    }
    if (--writesUntilFailure < 0) {
      throw new OffloadException(OffloadWire.Status.IO_ERROR, "injected write failure");
    }
    while (src.hasRemaining()) {
      byte[] data = new byte[OffloadWire.LBA_BYTES];
      src.get(data);
      journal.add(new Event(lba, data));
      lbas.put(lba++, data);
      lbasWritten++;
    }
  }

  @Override
  public synchronized void flush() throws IOException {
    checkOpen();
    if (--flushesUntilFailure < 0) {
      throw new OffloadException(OffloadWire.Status.IO_ERROR, "injected flush failure");
    }
    journal.add(new Event(0, null));
    flushes++;
  }

  @Override
  public synchronized void trim(long lba, long count) throws IOException {
    checkOpen();
    if (lba < 0 || count < 0 || lba > lbaCount || count > lbaCount - lba) {
      throw new OffloadException(OffloadWire.Status.OUT_OF_RANGE, "trim at " + lba);
    }
    trims += count;
    // What a trimmed LBA holds is undefined, so make it something that a reader must notice.
    for (long i = lba; i < lba + count; i++) {
      byte[] junk = new byte[OffloadWire.LBA_BYTES];
      new Random(i).nextBytes(junk);
      if (lbas.remove(i) != null) {
        journal.add(new Event(i, junk));
        lbas.put(i, junk);
      }
    }
  }

  @Override
  public DeviceSession openSession() throws IOException {
    checkOpen();
    return new Session();
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    checkOpen();
    onPutLiveDocs.run();
    long[] words = new long[bits.remaining() / Long.BYTES];
    bits.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    int resource = nextResource.getAndIncrement();
    liveDocs.put(resource, words);
    return resource;
  }

  @Override
  public void dropResource(int resource) {
    liveDocs.remove(resource);
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Runs something whenever live docs arrive. */
  public void onPutLiveDocs(Runnable run) {
    onPutLiveDocs = run;
  }

  /** Live docs of a resource, or null. */
  public long[] liveDocs(int resource) {
    return liveDocs.get(resource);
  }

  /** Live-docs resources that have not been dropped. */
  public int liveDocsCount() {
    return liveDocs.size();
  }

  /** Lets this many writes succeed and fails those after them. */
  public synchronized void failWritesAfter(long writes) {
    writesUntilFailure = writes;
  }

  /** Lets this many reads succeed and fails those after them. */
  public synchronized void failReadsAfter(long reads) {
    readsUntilFailure = reads;
  }

  /** Fails every read of an LBA. */
  public synchronized void failReadsOf(long lba) {
    unreadable.add(lba);
  }

  /** Lets this many flushes succeed and fails those after them. */
  public synchronized void failFlushesAfter(long flushes) {
    flushesUntilFailure = flushes;
  }

  /** Gives it leases, of which the least is this one. */
  public synchronized void setLeastLease(long least) {
    leases = true;
    leastLease = least;
  }

  @Override
  public synchronized boolean hasLeases() {
    return leases;
  }

  @Override
  public synchronized long leastLease() {
    return leastLease;
  }

  @Override
  public synchronized void holdLease(long sequence) {
    heldLease = sequence;
  }

  /** What {@link #holdLease} was last told. */
  public synchronized long heldLease() {
    return heldLease;
  }

  /** Ends all injected failures. */
  public synchronized void heal() {
    writesUntilFailure = Long.MAX_VALUE;
    readsUntilFailure = Long.MAX_VALUE;
    unreadable.clear();
    flushesUntilFailure = Long.MAX_VALUE;
  }

  /** Refuses writes from now on, or takes them again. */
  public synchronized void setReadOnly(boolean value) {
    readOnly = value;
  }

  /** Sets the size of the largest result page. */
  public void setMaxResultBytes(int bytes) {
    maxResultBytes = bytes;
  }

  /** LBAs written so far. */
  public synchronized long lbasWritten() {
    return lbasWritten;
  }

  /** Flushes so far. */
  public synchronized long flushes() {
    return flushes;
  }

  /** LBAs trimmed so far. */
  public synchronized long lbasTrimmed() {
    return trims;
  }

  /** The bytes of an LBA; a change of them changes the device. */
  public synchronized byte[] lba(long lba) {
    return lbas.computeIfAbsent(lba, unused -> new byte[OffloadWire.LBA_BYTES]);
  }

  /** Entries of the journal: LBAs written and flushes, each a point at which power may fail. */
  public synchronized int journalSize() {
    return journal.size();
  }

  /**
   * Returns what a power failure leaves: everything that was flushed among the first {@code events}
   * of the journal, and of what was written after the last flush among them each LBA or not, at
   * random.
   */
  public synchronized RamBlockDevice crashedAfter(int events, Random random) {
    RamBlockDevice result = new RamBlockDevice(lbaCount, program);
    int flushed = 0;
    for (int i = 0; i < events; i++) {
      if (journal.get(i).data() == null) {
        flushed = i;
      }
    }
    for (int i = 0; i < events; i++) {
      Event event = journal.get(i);
      if (event.data() != null && (i < flushed || random.nextBoolean())) {
        result.lbas.put(event.lba(), event.data().clone());
      }
    }
    return result;
  }

  private void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "the RAM device is closed");
    }
  }

  private void checkTransfer(long lba, ByteBuffer buffer) throws OffloadException {
    checkOpen();
    int bytes = buffer.remaining();
    if (!buffer.isDirect() || buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("buffer must be direct and little-endian");
    }
    if (bytes == 0 || bytes % OffloadWire.LBA_BYTES != 0) {
      throw new IllegalArgumentException("transfer of " + bytes + " bytes is not in whole LBAs");
    }
    if (lba < 0 || lba > lbaCount - bytes / OffloadWire.LBA_BYTES) {
      throw new OffloadException(OffloadWire.Status.OUT_OF_RANGE, "LBA " + lba + " of " + lbaCount);
    }
  }

  private final class Session implements DeviceSession {
    private final ByteBuffer plan =
        ByteBuffer.allocateDirect(MAX_PLAN_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private volatile boolean sessionClosed;

    @Override
    public ByteBuffer planBuffer() {
      return plan;
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      checkOpen();
      if (sessionClosed) {
        throw new OffloadException(OffloadWire.Status.CLOSED, "the session is closed");
      }
      ByteBuffer bytes = plan.slice(0, planBytes).order(ByteOrder.LITTLE_ENDIAN);
      return program.run(RamBlockDevice.this, bytes, stop);
    }

    @Override
    public void close() {
      sessionClosed = true;
    }
  }
}
