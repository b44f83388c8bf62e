/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Device.MemoryCounts;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ProfiledDevice;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.natives.LockHolder;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.DeviceInfoLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ModelReportLayout;

/**
 * The C device engine over a sparse store file, in this process.
 *
 * <p>Safe for use from many threads. {@link #close} ends running plans with status CLOSED, waits
 * for the native calls under way and frees everything, sessions too; what is called afterwards
 * throws CLOSED.
 */
public final class SimDevice implements Device, ProfiledDevice, TimingModel {
  private final String name;
  private final Path store;
  private final NativeHandle handle;
  private final long share; // of the process's memory; 0: none was taken
  private final DeviceInfo info;
  private final int budget; // of plans, see SimOptions
  private final int windowPages; // 0: the default
  private final boolean ownThreads; // all plans run on the device's threads
  private final DeviceProfile profile; // null: none
  private final Set<SimSession> sessions = ConcurrentHashMap.newKeySet();
  // Of the first session: made with the device, so that the first query does not wait for them.
  private final AtomicReference<SessionBuffers> firstBuffers;
  private volatile ModelListener modelListener; // null: no model is on
  private volatile MemoryCounts lastCounts = MemoryCounts.NONE; // told once it is closed

  private SimDevice(
      String name, SimOptions options, NativeHandle handle, long share, DeviceProfile profile)
      throws OffloadException {
    this.name = name;
    this.store = options.store();
    this.handle = handle;
    this.share = share;
    this.profile = profile;
    this.ownThreads = options.threads() > 0;
    this.budget = options.budget() != 0 ? options.budget() : SimSession.BUDGET_POSTINGS;
    this.windowPages = options.windowPages();
    this.info = readInfo(options.readOnly());
    this.firstBuffers = new AtomicReference<>(SessionBuffers.of(info.maxPlanBytes()));
  }

  /**
   * Opens a device for reading.
   *
   * @param name name of the device for people
   * @param options how to open it
   * @throws OffloadException with status NO_MEMORY or IO_ERROR
   * @throws IllegalArgumentException if its profile is not complete and plausible
   * @throws IllegalStateException if the native library cannot be loaded
   */
  public static SimDevice open(String name, SimOptions options) throws IOException {
    DeviceProfile profile = profile(options.profile());
    NativeLoader.load();
    long share = options.dramBytes() != 0 ? 0 : DeviceMemory.OF_PROCESS.take();
    try {
      return open(name, options, share, profile);
    } catch (Throwable t) {
      DeviceMemory.OF_PROCESS.giveBack(share);
      throw t;
    }
  }

  private static SimDevice open(String name, SimOptions options, long share, DeviceProfile profile)
      throws IOException {
    Trail trail = new Trail();
    long address =
        nativeOpen(
            options.store().toString().getBytes(fileNameCharset()),
            options.forEngine(share),
            trail.bytes);
    trail.check(address, "opening the device over " + options.store());
    NativeHandle handle = new NativeHandle("device " + name, address);
    try {
      return new SimDevice(name, options, handle, share, profile);
    } catch (Throwable t) {
      handle.close(SimDevice::nativeClose);
      throw t;
    }
  }

  /** Reads a profile. One that cannot be read is a wrong option, not a broken device. */
  private static DeviceProfile profile(String nameOrFile) {
    try {
      return nameOrFile == null ? null : Profiles.load(nameOrFile);
    } catch (IOException e) {
      throw new IllegalArgumentException("sim option 'profile': " + e.getMessage(), e);
    }
  }

  /** Returns the charset in which this JVM hands file names to the system. */
  private static Charset fileNameCharset() {
    String charset = System.getProperty("sun.jnu.encoding");
    return charset != null && Charset.isSupported(charset)
        ? Charset.forName(charset)
        : StandardCharsets.UTF_8;
  }

  private DeviceInfo readInfo(boolean readOnly) throws OffloadException {
    ByteBuffer b = ByteBuffer.allocateDirect(DeviceInfoLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    call("asking for the capabilities", (address, trail) -> nativeInfo(address, b, trail));
    if (DeviceInfoLayout.magic(b, 0) != OffloadWire.INFO_MAGIC
        || DeviceInfoLayout.version(b, 0) != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION, "the capabilities are of another wire version");
    }
    return new DeviceInfo(
        DeviceInfo.text(b, DeviceInfoLayout.MODEL, DeviceInfoLayout.BYTES),
        DeviceInfo.text(b, DeviceInfoLayout.KERNELS, DeviceInfoLayout.MODEL),
        readOnly,
        DeviceInfoLayout.lbaBytes(b, 0),
        DeviceInfoLayout.pageBytes(b, 0),
        DeviceInfoLayout.lbaCount(b, 0),
        DeviceInfoLayout.dramBytes(b, 0),
        DeviceInfoLayout.maxTransferBytes(b, 0),
        DeviceInfoLayout.maxPlanBytes(b, 0),
        Math.min(DeviceInfoLayout.maxResultBytes(b, 0), SimSession.RESULT_BYTES),
        DeviceInfoLayout.maxSessions(b, 0),
        DeviceInfoLayout.modeBits(b, 0),
        DeviceInfoLayout.opBits(b, 0),
        false, // in one memory, copying a table takes less than making it
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
  public DeviceProfile profile() {
    return profile;
  }

  /** Takes the lock of the store file, and makes the file and its folder if they are absent. */
  @Override
  public void openForWriting() throws IOException {
    Device.super.openForWriting(); // refuses if it was opened for reading only
    Path folder = store.toAbsolutePath().getParent();
    if (folder != null && Files.notExists(folder)) {
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new OffloadException(
            OffloadWire.Status.READ_ONLY, "the folder of store " + store + " cannot be made", e);
      }
    }
    try {
      call("opening the device for writing", SimDevice::nativeOpenForWriting);
    } catch (OffloadException e) {
      String holder = e.status() == OffloadWire.Status.LOCKED ? LockHolder.of(store) : null;
      throw holder == null
          ? e
          : new OffloadException(e.status(), holder + " writes to store " + store, e);
    }
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException("dst must be writable");
    }
    info.checkTransfer("read", lba, dst);
    call(
        "reading at LBA " + lba,
        (address, trail) -> nativeRead(address, lba, dst, dst.position(), dst.remaining(), trail));
    dst.position(dst.limit());
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    info.checkTransfer("write", lba, src);
    call(
        "writing at LBA " + lba,
        (address, trail) -> nativeWrite(address, lba, src, src.position(), src.remaining(), trail));
    src.position(src.limit());
  }

  @Override
  public void flush() throws IOException {
    call("flushing", SimDevice::nativeFlush);
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    info.checkLbas("trim", lba, count);
    call("trimming at LBA " + lba, (address, trail) -> nativeTrim(address, lba, count, trail));
  }

  @Override
  public DeviceSession openSession() throws IOException {
    long address = handle.acquire();
    try {
      SessionBuffers made = firstBuffers.getAndSet(null);
      SessionBuffers buffers = made != null ? made : SessionBuffers.of(info.maxPlanBytes());
      SimSession session =
          new SimSession(
              address,
              buffers,
              ownThreads,
              budget,
              windowPages,
              () -> modelListener,
              sessions::remove);
      sessions.add(session);
      return session;
    } finally {
      handle.release();
    }
  }

  /**
   * Opens an executor of the host's part of plans that another device shares, whose raw pages are
   * at the same LBAs here.
   */
  HostExecutor openHostExecutor() throws OffloadException {
    long address = handle.acquire();
    try {
      int most = OffloadWire.MAX_PLAN_EXTENTS * ExtentLayout.BYTES;
      return new HostExecutor(
          address, ByteBuffer.allocateDirect(most).order(ByteOrder.LITTLE_ENDIAN));
    } finally {
      handle.release();
    }
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    DeviceInfo.checkLiveDocs(bits);
    long resource =
        call(
            "sending live docs",
            (address, trail) ->
                nativePut(
                    address,
                    OffloadWire.Resource.LIVE_DOCS,
                    bits,
                    bits.position(),
                    bits.remaining(),
                    trail));
    bits.position(bits.limit());
    return (int) resource;
  }

  @Override
  public void dropResource(int resource) throws IOException {
    if (handle.closed()) {
      return; // the resource went with the device
    }
    try {
      call(
          "dropping resource " + resource,
          (address, trail) -> nativeDrop(address, resource, trail));
    } catch (OffloadException e) {
      if (e.status() != OffloadWire.Status.CLOSED) {
        throw e;
      }
    }
  }

  @Override
  public void startModel(ByteBuffer profile, ModelSettings settings, ModelListener listener)
      throws IOException {
    if (!profile.isDirect()) {
      throw new IllegalArgumentException("the profile must be in a direct buffer");
    }
    if (!profile.hasRemaining()) {
      throw new IllegalArgumentException("a profile of no bytes");
    }
    int flags = settings.hostRanks() ? OffloadWire.ModelFlag.HOST_RANKS : 0;
    Objects.requireNonNull(listener, "listener");
    call(
        "setting the profile of the model",
        (address, trail) ->
            nativeModel(address, profile.slice(), settings.traceRecords(), flags, trail));
    profile.position(profile.limit());
    modelListener = listener;
  }

  @Override
  public ByteBuffer modelWrites(int side) throws IOException {
    ByteBuffer report =
        ByteBuffer.allocateDirect(ModelReportLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int data =
        side == OffloadWire.ModelSide.DEVICE
            ? OffloadWire.ModelData.DEVICE_REPORT
            : OffloadWire.ModelData.HOST_REPORT;
    call(
        "asking the model about writes",
        (address, trail) -> nativeModelWrites(address, data, report, trail));
    return report;
  }

  @Override
  public void stopModel() throws IOException {
    modelListener = null;
    if (!handle.closed()) {
      call("ending the model", (address, trail) -> nativeModel(address, null, 0, 0, trail));
    }
  }

  @Override
  public boolean plansRunElsewhere() {
    return ownThreads;
  }

  @Override
  public MemoryCounts memoryCounts() {
    long address;
    try {
      address = handle.acquire();
    } catch (OffloadException e) {
      return lastCounts; // the device is closed
    }
    try {
      MemoryCounts counts = memoryCounts(address);
      lastCounts = counts;
      return counts;
    } finally {
      handle.release();
    }
  }

  private static MemoryCounts memoryCounts(long address) {
    long[] counts = new long[8];
    nativeMemoryCounts(address, counts);
    return new MemoryCounts(
        counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7]);
  }

  @Override
  public void close() {
    handle.close(
        address -> {
          // No call is under way and none can begin: the set does not grow any more.
          List.copyOf(sessions).forEach(SimSession::close);
          lastCounts = memoryCounts(address);
          nativeClose(address);
          DeviceMemory.OF_PROCESS.giveBack(share);
        });
  }

  @Override
  public String toString() {
    return "SimDevice(" + name + ")";
  }

  /** A native call with the device's address and a place for the error trail. */
  @FunctionalInterface
  private interface NativeCall {
    long run(long address, byte[] trail);
  }

  private long call(String what, NativeCall call) throws OffloadException {
    Trail trail = new Trail();
    long address = handle.acquire();
    try {
      return trail.check(call.run(address, trail.bytes), what);
    } finally {
      handle.release();
    }
  }

  private static native long nativeOpen(byte[] path, ByteBuffer options, byte[] trail);

  private static native void nativeClose(long handle);

  private static native void nativeMemoryCounts(long handle, long[] counts);

  private static native long nativeOpenForWriting(long handle, byte[] trail);

  private static native long nativeInfo(long handle, ByteBuffer info, byte[] trail);

  private static native long nativeRead(
      long handle, long lba, ByteBuffer dst, long offset, long bytes, byte[] trail);

  private static native long nativeWrite(
      long handle, long lba, ByteBuffer src, long offset, long bytes, byte[] trail);

  private static native long nativeFlush(long handle, byte[] trail);

  private static native long nativeTrim(long handle, long lba, long count, byte[] trail);

  private static native long nativePut(
      long handle, int kind, ByteBuffer data, long offset, long bytes, byte[] trail);

  private static native long nativeModel(
      long handle, ByteBuffer profile, int traceRecords, int flags, byte[] trail);

  private static native long nativeModelWrites(
      long handle, int data, ByteBuffer report, byte[] trail);

  private static native long nativeDrop(long handle, int resource, byte[] trail);
}
