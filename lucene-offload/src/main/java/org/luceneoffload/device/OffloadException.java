/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import org.luceneoffload.wire.OffloadWire;

/** A device refused or failed a command. */
public final class OffloadException extends IOException {
  private static final long serialVersionUID = 1L;
  private final int status;

  /**
   * @param status a status of the wire
   * @param message what was asked and where it failed
   */
  public OffloadException(int status, String message) {
    super(OffloadWire.Status.name(status) + ": " + message);
    this.status = status;
  }

  /**
   * @param status a status of the wire
   * @param message what was asked and where it failed
   * @param cause the reason
   */
  public OffloadException(int status, String message, Throwable cause) {
    super(OffloadWire.Status.name(status) + ": " + message, cause);
    this.status = status;
  }

  /** The status of the wire. */
  public int status() {
    return status;
  }
}
