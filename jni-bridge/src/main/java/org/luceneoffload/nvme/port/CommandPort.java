/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import java.io.Closeable;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadException;

/**
 * A way to a namespace and its controller. Commands may be sent from several threads at once; after
 * {@link #close} each gets status CLOSED.
 */
public interface CommandPort extends Closeable {
  /** Returns where it leads, for messages: a path, or a host. */
  String name();

  /** Returns the number of the namespace that it leads to. */
  int namespaceId() throws OffloadException;

  /** Returns how many bytes of data one command may have at most on the host's side. */
  int maxTransferBytes();

  /**
   * Runs a command of the I/O command set and waits for its end.
   *
   * @return the NVMe status: 0, or status code type and code in bits 10 to 0, do-not-retry in bit
   *     14; the command then holds the result
   * @throws OffloadException if the command did not reach the device or nobody knows what became of
   *     it
   */
  int io(NvmeCommand command) throws OffloadException;

  /** Executes a command of the admin command set, as {@link #io} does others. */
  int admin(NvmeCommand command) throws OffloadException;

  /**
   * Returns whether it waits for nothing without asking a stop signal or its own time limit, and
   * sends commands together: see {@link #all}.
   */
  default boolean isPipelined() {
    return false;
  }

  /**
   * Runs commands of the I/O command set, one after the other, whatever becomes of those before.
   * Each then has its status and its result.
   *
   * @param stop asked while they run, and told of each that was answered
   * @throws OffloadException as {@link #io} does; with status ABORTED if they were stopped
   */
  default void all(StopSignal stop, NvmeCommand... commands) throws OffloadException {
    for (NvmeCommand command : commands) {
      command.status(io(command));
      stop.answered();
    }
  }

  /**
   * Returns the number of the connection to the controller, which is another one once that was made
   * anew; 0 if the port does not know of connections. A command that has to be sent over another
   * one fails with status BUSY.
   */
  default long epoch() throws OffloadException {
    return 0;
  }

  /**
   * Keeps others who ask for it too from the namespace until this is closed; harmless if it does
   * already.
   *
   * @throws OffloadException with status LOCKED if somebody else does, READ_ONLY if the namespace
   *     may not be written from here
   */
  void lock() throws OffloadException;

  @Override
  void close();
}
