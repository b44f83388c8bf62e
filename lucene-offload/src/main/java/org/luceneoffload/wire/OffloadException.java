/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.io.IOException;
import org.apache.lucene.store.AlreadyClosedException;

/** A device refused or failed a command. */
public final class OffloadException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says that it is not known which LBA failed. */
  public static final long NO_LBA = -1;

  /** A status of the wire. */
  private final int status;

  /** The LBA that failed. */
  private final long lba;

  /**
   * Says what failed, and with which status.
   *
   * @param status a status of the wire
   * @param message what was asked and where it failed
   */
  public OffloadException(int status, String message) {
    this(status, message, NO_LBA);
  }

  /**
   * Says what failed, and where.
   *
   * @param status a status of the wire
   * @param message what was asked and where it failed
   * @param lba the LBA that is damaged, stale or cannot be read; {@link #NO_LBA} if not known
   */
  public OffloadException(int status, String message, long lba) {
    super(OffloadWire.Status.name(status) + ": " + message);
    this.status = status;
    this.lba = lba;
  }

  /**
   * Says what failed, and why.
   *
   * @param status a status of the wire
   * @param message what was asked and where it failed
   * @param cause the reason
   */
  public OffloadException(int status, String message, Throwable cause) {
    super(OffloadWire.Status.name(status) + ": " + message, cause);
    this.status = status;
    this.lba = NO_LBA;
  }

  /**
   * Returns whatever a device threw as a failure of the device. An interrupt that it swallowed is
   * there again.
   *
   * @param thrown what a device has thrown
   * @return {@code thrown} itself if it says its status; else status CLOSED, IO_ERROR or INTERNAL
   */
  public static OffloadException of(Throwable thrown) {
    if (thrown instanceof OffloadException failure) {
      return failure;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    int status =
        thrown instanceof AlreadyClosedException
            ? OffloadWire.Status.CLOSED
            : thrown instanceof IOException
                ? OffloadWire.Status.IO_ERROR
                : OffloadWire.Status.INTERNAL;
    return new OffloadException(status, describe(thrown), thrown);
  }

  private static String describe(Throwable thrown) {
    try {
      return thrown.toString();
    } catch (Throwable t) {
      return thrown.getClass().getName();
    }
  }

  /**
   * {@return a new exception that says the same, with this one as its cause} Who keeps an exception
   * throws it so: an instance that is thrown twice may meet itself in {@link #addSuppressed}, which
   * refuses that.
   */
  public OffloadException again() {
    return new OffloadException(this);
  }

  private OffloadException(OffloadException kept) {
    super(kept.getMessage(), kept);
    this.status = kept.status;
    this.lba = kept.lba;
  }

  /** {@return the status of the wire} */
  public int status() {
    return status;
  }

  /** {@return the LBA that is damaged, stale or cannot be read; {@link #NO_LBA} if not known} */
  public long lba() {
    return lba;
  }
}
