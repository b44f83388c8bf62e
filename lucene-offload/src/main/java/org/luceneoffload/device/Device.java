/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A block store that can run programs over the posting pages that it holds.
 *
 * <p>All methods may be called from several threads at once. Buffers are direct and in
 * little-endian order; a transfer covers the bytes from position to limit, whose number is a
 * multiple of {@link #lbaBytes()}, and leaves the position at the limit. After {@link #close()}
 * every call throws {@link OffloadException} with status CLOSED; a call that is under way then
 * returns or throws, it never hangs.
 */
public interface Device extends Closeable {
  /** Name under which the device was opened, such as {@code sim}. */
  String name();

  /** Capabilities, as the device reports them. */
  DeviceInfo info();

  /**
   * The device that this one stands for, and its host: what the planner weighs by. Answers do not
   * depend on it.
   *
   * @return null if the device stands for itself, and cannot be weighed against anything
   */
  default DeviceProfile profile() {
    return null;
  }

  /**
   * Returns whether a call may hang: wait for something outside of this process, for longer than
   * its caller can. If so, every call is made on a thread of its own and given up after {@link
   * org.luceneoffload.config.OffloadOptions#deviceTimeout()}; that costs a change of threads, so a
   * device whose calls end soon, or ask their stop signal, says no.
   *
   * <p>A call that a device gives up by itself, not knowing whether the command will still take
   * effect, throws {@link OffloadException} with status TIMED_OUT.
   */
  default boolean mayBlock() {
    return false;
  }

  /**
   * Returns whether plans run elsewhere than on the threads of their callers: on threads or
   * processors of the device's own, where they wait for each other. Then it may pay to leave some
   * of them to the host; see {@link org.luceneoffload.config.Placement#AUTO}.
   */
  default boolean plansRunElsewhere() {
    return mayBlock();
  }

  /**
   * Returns how many plans a session runs at once by {@link DeviceSession#executeStaged}; 1 if that
   * gains nothing, as where nothing lies between the caller and the device. Then plans are never
   * staged.
   */
  default int mostStaged() {
    return 1;
  }

  /**
   * Returns whether a write, flush or trim that was given up may still take effect. Nothing is
   * written over what it concerned until this says no.
   */
  default boolean hasUnfinishedWrites() {
    return false;
  }

  /** Returns what its memory did since it was opened; does not wait. Never decreases. */
  default MemoryCounts memoryCounts() {
    return MemoryCounts.NONE;
  }

  /** Returns what may become of it if it holds no volume. */
  default Claim claim() {
    return Claim.OWN_STORE;
  }

  /**
   * Makes the device writable and keeps other processes from writing to it until it is closed;
   * harmless if it is writable. Reads and plans may be under way. If this fails, the device is as
   * before, and may be asked again.
   *
   * <p>Until then {@link #write} and {@link #trim} throw READ_ONLY, {@link #flush} does nothing,
   * and another process may write. A device whose {@link #info} does not say that it is read-only,
   * and that nobody else can write to, need not implement this.
   *
   * @throws OffloadException with status LOCKED if another process writes to the device, naming it
   *     if it is known; READ_ONLY if this process may not write to it
   */
  default void openForWriting() throws IOException {
    if (info().readOnly()) {
      throw new OffloadException(
          OffloadWire.Status.READ_ONLY, "device " + name() + " is open for reading only");
    }
  }

  /**
   * Returns whether several processes may write to the device at once, each in scopes of its own:
   * see {@link #takeScope}.
   */
  default boolean hasScopes() throws IOException {
    return false;
  }

  /**
   * Makes the device writable beside others that do this: takes the right to write in a scope, in
   * place of {@link #openForWriting}, and keeps it until {@link #dropScope}, {@link #close}, or the
   * process has not been heard of for some seconds. What a scope covers is the callers' matter: the
   * device does not see to it that they write nothing else.
   *
   * @param scope a number, not 0
   * @param passing whether it is held for a few commands. Who loses such a scope finds that
   *     something it writes meanwhile throws LOCKED; who loses another is shut out, until the
   *     device is opened anew
   * @return a number that was another one when this process last took the scope, if another process
   *     has had it since, or one that excludes it
   * @throws OffloadException with status LOCKED if another process has the scope, or may write
   *     everywhere; BUSY instead if it is a passing scope; READ_ONLY as {@link #openForWriting}
   */
  default long takeScope(long scope, boolean passing) throws IOException {
    throw new OffloadException(
        OffloadWire.Status.INVALID_OPCODE, "device " + name() + " has one writer at a time");
  }

  /** The opposite of {@link #takeScope}; nothing happens if the scope is not held. */
  default void dropScope(long scope) throws IOException {}

  /**
   * Returns whether hosts that share the device tell each other what they read: see {@link
   * #holdLease}.
   */
  default boolean hasLeases() throws IOException {
    return false;
  }

  /**
   * Returns the least number that anybody holds who reads from the device; {@link Long#MAX_VALUE}
   * if nobody does.
   */
  default long leastLease() throws IOException {
    return Long.MAX_VALUE;
  }

  /**
   * Holds a number, in place of the one before, until it is given up, the device is closed, or the
   * process has not been heard of for half a minute. What it stands for is the caller's matter.
   *
   * @param sequence the number, at least 0; {@link Long#MAX_VALUE} gives it up
   */
  default void holdLease(long sequence) throws IOException {}

  /**
   * Says that what is written is data that nobody can make again. From now on, after a failure by
   * which the device may have lost what was not flushed, everything that changes it throws LOCKED,
   * until it is opened anew.
   */
  default void shutOutIfLost() {}

  /** Reads whole LBAs into {@code dst}; LBAs that were never written read as zeros. */
  void read(long lba, ByteBuffer dst) throws IOException;

  /** Writes whole LBAs from {@code src}; durable after the next {@link #flush()}. */
  void write(long lba, ByteBuffer src) throws IOException;

  /** Makes every earlier write durable. */
  void flush() throws IOException;

  /** Gives LBAs back; their contents are then undefined until written. */
  void trim(long lba, long count) throws IOException;

  /** Opens a session: the memory in which plans run, one at a time. */
  DeviceSession openSession() throws IOException;

  /**
   * Puts a live-docs bitmap into device memory.
   *
   * @param bits 64-bit little-endian words, bit i set: doc i is live
   * @return the resource, never 0, to be freed by {@link #dropResource}
   */
  int putLiveDocs(ByteBuffer bits) throws IOException;

  /** Frees a resource. Harmless after {@link #close()}. */
  void dropResource(int resource) throws IOException;

  /**
   * Has every plan modelled from now on: what time and energy it would take on another device, and
   * on a host that reads the same pages from it. Answers stay as they are. Plans under way are not
   * modelled, nor are those of sessions that the model has no memory left for. What was written
   * before is placed on the modelled flash as if it had been written in order of its LBAs.
   *
   * @param profile the bytes of a model_profile of the wire, from position to limit, in a direct
   *     buffer; the other device
   * @param settings how
   * @param listener told of every plan
   * @throws OffloadException with status INVALID_ARGUMENT, naming the field, if the profile is
   *     refused; INVALID_FIELD if it is of another length or the trace is too long; INVALID_OPCODE
   *     if the device cannot model
   */
  default void startModel(ByteBuffer profile, ModelSettings settings, ModelListener listener)
      throws IOException {
    throw noModel(name());
  }

  /**
   * Returns what writing would have taken since {@link #startModel}, or since this was last asked
   * and then written again: the flash commands, those of the garbage collection too.
   *
   * @param side of {@link OffloadWire.ModelSide}
   * @return a model_report, little-endian
   * @throws OffloadException with status INVALID_FIELD if nothing was written or nothing is
   *     modelled; INVALID_OPCODE if the device cannot model
   */
  default ByteBuffer modelWrites(int side) throws IOException {
    throw noModel(name());
  }

  /**
   * Ends {@link #startModel}; harmless if it was not called or the device is closed.
   *
   * @throws OffloadException with status INVALID_OPCODE if the device cannot model
   */
  default void stopModel() throws IOException {
    throw noModel(name());
  }

  private static OffloadException noModel(String name) {
    return new OffloadException(
        OffloadWire.Status.INVALID_OPCODE, "device " + name + " models no time and energy");
  }

  /** Bytes of an LBA. */
  default int lbaBytes() {
    return info().lbaBytes();
  }
}
