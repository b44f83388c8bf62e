/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import org.luceneoffload.util.FacetCall;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A facet of devices that several processes use at once: scopes exclude writers from each other,
 * and leases tell what readers still read.
 */
public interface SharedStorage {
  /** The facet of a device that one process uses at a time. */
  SharedStorage NONE = new SharedStorage() {};

  /**
   * {@return the facet of a device, {@link #NONE} if it lacks it}
   *
   * @param device any device
   */
  static SharedStorage of(Device device) {
    SharedStorage facet = device.as(SharedStorage.class);
    return facet == null ? NONE : facet;
  }

  /**
   * {@return whether several processes may write to the device at once, each in scopes of its own:
   * see {@link #takeScope}}
   *
   * @throws IOException if the device fails
   */
  @FacetCall("asking for leases")
  default boolean hasScopes() throws IOException {
    return false;
  }

  /**
   * Makes the device writable beside others that do this: takes the right to write in a scope, in
   * place of {@link Device#openForWriting}, and keeps it until {@link #dropScope}, {@link
   * Device#close}, or the process has not been heard of for some seconds. What a scope covers is
   * the callers' matter: the device does not see to it that they write nothing else.
   *
   * @param scope a number, not 0
   * @param passing whether it is held for a few commands. If a passing scope is lost, writes fail
   *     with LOCKED; if any other is lost, this handle stays unusable until it is reopened
   * @return a number that was another one when this process last took the scope, if another process
   *     has had it since, or one that excludes it
   * @throws OffloadException with status LOCKED if another process has the scope, or may write
   *     everywhere; BUSY instead if it is a passing scope; READ_ONLY as {@link
   *     Device#openForWriting}
   */
  @FacetCall(value = "taking a lease", undo = "dropScope")
  default long takeScope(long scope, boolean passing) throws IOException {
    throw new OffloadException(
        OffloadWire.Status.INVALID_OPCODE, "the device has one writer at a time");
  }

  /**
   * Gives back what {@link #takeScope} took; nothing happens if the scope is not held.
   *
   * @param scope as it was taken
   * @throws IOException if the device fails
   */
  @FacetCall("giving a lease up")
  default void dropScope(long scope) throws IOException {}

  /**
   * {@return whether hosts that share the device tell each other what they read: see {@link
   * #holdLease}}
   *
   * @throws IOException if the device fails
   */
  @FacetCall("asking for leases")
  default boolean hasLeases() throws IOException {
    return false;
  }

  /**
   * {@return the least number that any reader holds; {@link Long#MAX_VALUE} if there is none}
   *
   * @throws IOException if the device fails
   */
  @FacetCall("asking for leases")
  default long leastLease() throws IOException {
    return Long.MAX_VALUE;
  }

  /**
   * Holds a number, in place of the one before, until it is given up, the device is closed, or the
   * process has not been heard of for half a minute. What it stands for is the caller's matter.
   *
   * @param sequence the number, at least 0; {@link Long#MAX_VALUE} gives it up
   * @throws IOException if the device fails
   */
  @FacetCall("holding a lease")
  default void holdLease(long sequence) throws IOException {}

  /**
   * Declares that what is written is data that cannot be made again. From now on, after a failure
   * by which the device may have lost what was not flushed, everything that changes it throws
   * LOCKED, until it is opened anew.
   */
  default void shutOutIfLost() {}
}
