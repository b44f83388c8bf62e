/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.Closeable;
import org.luceneoffload.wire.OffloadException;

/**
 * A way to a namespace and its controller. Commands may be sent from several threads at once; after
 * {@link #close} each gets status CLOSED.
 */
interface CommandPort extends Closeable {
  /** Returns where it leads, for messages: a path. */
  String name();

  /** The namespace that the kernel says it leads to. */
  int namespaceId() throws OffloadException;

  /** Most bytes of one command's data, as far as the host side is concerned. */
  int maxTransferBytes();

  /**
   * Runs a command of the I/O command set and waits for its end.
   *
   * @return the NVMe status: 0, or status code type and code in bits 10 to 0, do-not-retry in bit
   *     14; the command then holds the result
   * @throws OffloadException if the command did not reach the device or nobody knows what became of
   *     it
   */
  int io(PassthruCommand command) throws OffloadException;

  /** As {@link #io}, for a command of the admin command set. */
  int admin(PassthruCommand command) throws OffloadException;

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
