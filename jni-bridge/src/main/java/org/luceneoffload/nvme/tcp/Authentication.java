/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.nio.ByteBuffer;
import org.luceneoffload.nvme.NvmeStatus;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.nvme.tcp.auth.Chap;
import org.luceneoffload.nvme.tcp.auth.DhGroup;
import org.luceneoffload.nvme.tcp.auth.HostKeys;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Proves this host to the controller of a queue that has just connected, before any other command,
 * and the controller to this host, if there is a secret for it.
 *
 * @param node for messages
 * @param keys of this host; null: it has none
 * @param least smallest Diffie-Hellman group to offer
 * @param subsystem that Connect named
 * @param timeoutMillis for each command
 */
record Authentication(
    String node, HostKeys keys, DhGroup least, String subsystem, int timeoutMillis) {
  private static final int FABRICS = 0x7F;
  private static final int SEND = 0x05;
  private static final int RECEIVE = 0x06;
  private static final int PROTOCOL = 0xE9010100; // SECP, and 1 in both parts of SPSP
  private static final int REQUIRED = 1 << 17; // in the answer to Connect
  private static final int SECURE_CHANNEL = 1 << 18;

  /** Runs a command on the queue; returns its status. */
  @FunctionalInterface
  interface Runner {
    int run(NvmeCommand command) throws OffloadException;
  }

  /**
   * Authenticates, if the node asks for it.
   *
   * @param answer dword 0 of Connect's
   * @throws OffloadException if it asks and there is no key, if there is one and it does not ask,
   *     and if one side does not accept the other
   */
  void run(int answer, Runner queue) throws OffloadException {
    boolean asked = (answer & (REQUIRED | SECURE_CHANNEL)) != 0;
    if (keys == null) {
      if (asked) {
        throw failure("it asks who this host is, which has no key: key-file= names one", null);
      }
      return;
    }
    if (!asked) {
      throw failure("there is a key-file, but the node does not ask who this host is", null);
    }
    Chap chap = new Chap(keys, subsystem, least);
    try {
      send(queue, chap.negotiate());
      send(queue, chap.reply(receive(queue)));
      byte[] last = chap.finish(receive(queue));
      if (last != null) {
        send(queue, last);
      }
    } catch (Chap.Refusal e) {
      if (e.isOurs()) {
        tell(queue, chap.failure());
      }
      throw failure(e.getMessage(), e);
    }
  }

  private OffloadException failure(String why, Exception cause) {
    return new OffloadException(
        OffloadWire.Status.IO_ERROR,
        "authentication with storage node " + node + ": " + why,
        cause);
  }

  private void send(Runner queue, byte[] message) throws OffloadException {
    ByteBuffer data = PduStream.buffer(message.length).put(0, message);
    NvmeCommand command = command(SEND, message.length).data(data, 0, message.length);
    check(queue.run(command));
  }

  /**
   * Tells the controller. It ends the connection when it has taken this, or has ended it before.
   */
  private void tell(Runner queue, byte[] message) {
    try {
      send(queue, message);
    } catch (OffloadException e) {
      // It makes no difference.
    }
  }

  private byte[] receive(Runner queue) throws OffloadException {
    ByteBuffer data = PduStream.buffer(Chap.MAX_MESSAGE);
    check(queue.run(command(RECEIVE, Chap.MAX_MESSAGE).data(data, 0, Chap.MAX_MESSAGE)));
    byte[] message = new byte[Chap.MAX_MESSAGE];
    data.get(0, message);
    return message;
  }

  private NvmeCommand command(int type, int bytes) {
    return new NvmeCommand(FABRICS, type, timeoutMillis).dword(10, PROTOCOL).dword(11, bytes);
  }

  private void check(int status) throws OffloadException {
    if (status != 0) {
      throw NvmeStatus.failure("authentication with storage node " + node, status);
    }
  }
}
