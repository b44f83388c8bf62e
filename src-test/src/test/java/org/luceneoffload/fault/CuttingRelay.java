/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes on what goes between a host and a storage node, and cuts connections when it is told to.
 * It counts and cuts those of I/O queues alone: hosts send keep-alives over the others, whenever it
 * is time.
 */
final class CuttingRelay implements AutoCloseable {
  private static final int COMMAND_CAPSULE = 4;
  private static final int NEVER = -1;
  private static final int GIVEN_UP_MILLIS = 1_100; // a target of the project's: a second or more
  private static final int OPCODE = 8; // in the capsule, after the PDU's header
  private static final int FABRICS_TYPE = 12;
  private static final int QUEUE_ID = 50;
  private static final int FABRICS = 0x7F;
  private static final int CONNECT = 1;

  private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final int nodePort;
  private final AtomicInteger mostCommands = new AtomicInteger();
  private final AtomicInteger exchanges = new AtomicInteger();
  private final AtomicLong fromNode = new AtomicLong();
  private final AtomicInteger toGiveUp = new AtomicInteger();
  private int bytesLeft = NEVER; // guarded by the monitor

  CuttingRelay(int nodePort) throws IOException {
    this.nodePort = nodePort;
    start(this::serve);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  /** The most commands that have come in one piece. */
  int mostCommands() {
    return mostCommands.get();
  }

  /** How often commands have come together, as a plan and what fetches its result do. */
  int exchanges() {
    return exchanges.get();
  }

  /** A connection. */
  private static final class Link {
    private volatile boolean ofIo; // a command of the host has said so
  }

  /** Bytes that the node has sent over I/O queues. */
  long fromNode() {
    return fromNode.get();
  }

  /** Cuts the connection on which so many more bytes of the node have come; once. */
  synchronized void cutAfter(int bytes) {
    bytesLeft = bytes;
  }

  /** Returns whether it has cut what it was told to. */
  synchronized boolean hasCut() {
    return bytesLeft == NEVER;
  }

  /** Ends so many of the next connections, each after some time in which it says nothing. */
  void giveUp(int connections) {
    toGiveUp.set(connections);
  }

  /** Returns how many bytes may pass; the connection is to be cut if they are fewer. */
  private synchronized int allowed(int bytes) {
    fromNode.addAndGet(bytes);
    if (bytesLeft == NEVER) {
      return bytes;
    }
    int passing = Math.min(bytes, bytesLeft);
    bytesLeft = passing < bytes ? NEVER : bytesLeft - passing;
    return passing;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket host = server.accept();
        if (toGiveUp.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          TimeUnit.MILLISECONDS.sleep(GIVEN_UP_MILLIS);
          host.close();
          continue;
        }
        Socket node = new Socket(InetAddress.getLoopbackAddress(), nodePort);
        host.setTcpNoDelay(true);
        node.setTcpNoDelay(true);
        Link link = new Link();
        start(() -> pass(host, node, false, link));
        start(() -> pass(node, host, true, link));
      } catch (IOException e) {
        // The node is not there, or the relay is closed.
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void pass(Socket from, Socket to, boolean fromNode, Link link) {
    byte[] bytes = new byte[1 << 16];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      int got = in.read(bytes);
      while (got >= 0) {
        int passing = fromNode && link.ofIo ? allowed(got) : got;
        if (!fromNode) {
          link.ofIo |= connectsQueue(bytes, got);
          int commands = commands(bytes, got);
          mostCommands.accumulateAndGet(commands, Math::max);
          exchanges.addAndGet(commands > 1 ? 1 : 0);
        }
        out.write(bytes, 0, passing);
        out.flush();
        got = passing < got ? -1 : in.read(bytes);
      }
    } catch (IOException e) {
      // One side has gone: so does the other.
    }
  }

  /** Whether a Connect of an I/O queue stands at the start of what has come. */
  private static boolean connectsQueue(byte[] bytes, int end) {
    return end > QUEUE_ID + 1
        && bytes[0] == COMMAND_CAPSULE
        && bytes[OPCODE] == FABRICS
        && bytes[FABRICS_TYPE] == CONNECT
        && (bytes[QUEUE_ID] | bytes[QUEUE_ID + 1]) != 0;
  }

  /** Command capsules that stand whole at the start of what has come. */
  private static int commands(byte[] bytes, int end) {
    int count = 0;
    int at = 0;
    while (at + 8 <= end && bytes[at] == COMMAND_CAPSULE) {
      int length = (bytes[at + 4] & 0xFF) | (bytes[at + 5] & 0xFF) << 8;
      if (length < 8 || at + length > end) {
        return count;
      }
      at += length;
      count++;
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
