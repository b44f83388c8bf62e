/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.io.IOException;

/** A device refused or failed a command. */
public final class OffloadException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says that it is not known which LBA failed. */
  public static final long NO_LBA = -1;

  private final int status;
  private final long lba;

  /**
   * @param status a status of the wire
   * @param message what was asked and where it failed
   */
  public OffloadException(int status, String message) {
    this(status, message, NO_LBA);
  }

  /**
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
   * @param status a status of the wire
   * @param message what was asked and where it failed
   * @param cause the reason
   */
  public OffloadException(int status, String message, Throwable cause) {
    super(OffloadWire.Status.name(status) + ": " + message, cause);
    this.status = status;
    this.lba = NO_LBA;
  }

  /** The status of the wire. */
  public int status() {
    return status;
  }

  /** The LBA that is damaged, stale or cannot be read; {@link #NO_LBA} if not known. */
  public long lba() {
    return lba;
  }
}
