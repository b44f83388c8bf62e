/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.nvme.tcp.tls.SealedChannel;
import org.luceneoffload.wire.OffloadException;

/**
 * A connection's bytes. One thread at a time reads and writes; any may {@link #close}, which ends
 * waiting.
 *
 * <p>Who waits for an answer first asks the socket again and again for some microseconds, since
 * going to sleep and waking up takes as long as a short query, unless so many do that already that
 * they would take the processors from those who work, or it has been in vain lately.
 */
final class PduStream implements Closeable {
  private static final int IN_BYTES = 64 << 10;
  private static final int MAX_SPINNING = Runtime.getRuntime().availableProcessors() / 2;
  private static final AtomicInteger SPINNING = new AtomicInteger();

  /** Answers, at most, for which nobody spins after that was in vain time and again. */
  private static final int MAX_SPARED = 63;

  /** What is put between a socket and its PDUs. */
  @FunctionalInterface
  interface Security {
    /** Begins on a connected channel, which stays open. */
    SealedChannel over(SocketChannel channel) throws IOException;
  }

  private final SocketChannel channel;
  private ReadableByteChannel source; // the channel, or what seals its bytes
  private GatheringByteChannel sink;
  private final Selector selector;
  private final SelectionKey key;
  private final long spinNanos;
  private final ByteBuffer in = buffer(IN_BYTES).limit(0); // what is not used yet
  private boolean interrupted; // while waiting
  private boolean asked; // something was written, and nothing has been read since
  private int spared; // of the next answers, for which it does not spin
  private int sparedLast; // after it was in vain the last time

  private PduStream(SocketChannel channel, Selector selector, int spinMicros) throws IOException {
    this.channel = channel;
    this.source = channel;
    this.sink = channel;
    this.selector = selector;
    this.spinNanos = spinMicros * 1000L;
    this.key = channel.register(selector, SelectionKey.OP_CONNECT);
  }

  /** Returns a direct buffer in the byte order of PDUs. */
  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Connects.
   *
   * @param security null: bytes go as they are
   */
  static PduStream connect(
      InetSocketAddress address, int spinMicros, Security security, Deadline deadline)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      selector = Selector.open();
      PduStream stream = new PduStream(channel, selector, spinMicros);
      boolean connected = channel.connect(address);
      while (!connected) {
        try {
          stream.await(SelectionKey.OP_CONNECT, deadline);
        } catch (OffloadException e) {
          throw (IOException) new SocketTimeoutException("no connection in time").initCause(e);
        }
        connected = channel.finishConnect();
      }
      if (security != null) {
        stream.seal(security.over(channel), deadline);
      }
      stream.restoreInterrupt();
      return stream;
    } catch (Throwable t) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw t;
    }
  }

  private void seal(SealedChannel sealed, Deadline deadline) throws IOException {
    try {
      while (!sealed.handshake()) {
        await(sealed.wantsWrite() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ, deadline);
      }
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "TLS: the handshake fails, since the node has no or another key for this host, or speaks"
              + " no TLS: "
              + e.getMessage(),
          e);
    }
    source = sealed;
    sink = sealed;
  }

  /** Writes all of the buffers. */
  void write(ByteBuffer[] parts, Deadline deadline) throws IOException {
    int last = parts.length - 1;
    asked = true;
    while (true) {
      sink.write(parts);
      if (!parts[last].hasRemaining()) {
        return;
      }
      await(SelectionKey.OP_WRITE, deadline);
    }
  }

  /** Writes all of a buffer. */
  void write(ByteBuffer part, Deadline deadline) throws IOException {
    asked = true;
    sink.write(part);
    while (part.hasRemaining()) {
      await(SelectionKey.OP_WRITE, deadline);
      sink.write(part);
    }
  }

  /** Returns the bytes that have come, from position to limit: at least {@code bytes} of them. */
  ByteBuffer need(int bytes, Deadline deadline) throws IOException {
    while (in.remaining() < bytes) {
      if (in.hasRemaining()) {
        in.compact();
      } else {
        in.clear();
      }
      try {
        fill(in, deadline);
      } finally {
        in.flip();
      }
    }
    return in;
  }

  /** Reads until a buffer is full. */
  void read(ByteBuffer to, Deadline deadline) throws IOException {
    int here = Math.min(in.remaining(), to.remaining());
    if (here > 0) {
      to.put(to.position(), in, in.position(), here);
      to.position(to.position() + here);
      in.position(in.position() + here);
    }
    while (to.hasRemaining()) {
      if (to.remaining() >= IN_BYTES / 2) {
        fill(to, deadline);
      } else {
        need(to.remaining(), deadline);
        read(to, deadline);
      }
    }
  }

  /** Waits for bytes and takes what there is. */
  private void fill(ByteBuffer to, Deadline deadline) throws IOException {
    int got = 0;
    // What is under way may be here, or in what seals it; an answer takes its time.
    if (!asked || source != channel) {
      got = source.read(to);
    }
    if (got == 0 && spinNanos > 0) {
      got = spin(to);
    }
    asked = false;
    while (got == 0) {
      await(SelectionKey.OP_READ, deadline);
      got = source.read(to);
    }
    if (got < 0) {
      throw new EOFException("the node closed the connection");
    }
  }

  /**
   * Reads again and again for a little while. Each time that this was in vain, it is not tried for
   * twice as many answers: whoever is late is so because others work.
   */
  private int spin(ByteBuffer to) throws IOException {
    if (spared > 0) {
      spared--;
      return 0;
    }
    int got = 0;
    try {
      if (SPINNING.incrementAndGet() > MAX_SPINNING) {
        return 0;
      }
      long end = System.nanoTime() + spinNanos;
      do {
        Thread.onSpinWait();
        got = source.read(to);
      } while (got == 0 && System.nanoTime() < end);
    } finally {
      SPINNING.decrementAndGet();
    }
    sparedLast = got == 0 ? Math.min(2 * sparedLast + 1, MAX_SPARED) : sparedLast / 2;
    spared = got == 0 ? sparedLast : 0;
    return got;
  }

  private void await(int event, Deadline deadline) throws IOException {
    int ready;
    try {
      if (key.interestOps() != event) {
        key.interestOps(event);
      }
      interrupted |= Thread.interrupted(); // else there would be no waiting
      ready = selector.select(selected -> {}, deadline.sliceMillis());
    } catch (ClosedSelectorException | java.nio.channels.CancelledKeyException e) {
      throw (IOException) new EOFException("the connection is closed").initCause(e);
    }
    deadline.check(ready > 0);
  }

  /** Gives an interrupt back that came while it waited. */
  void restoreInterrupt() {
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      selector.close();
    } catch (IOException e) {
      // There is nothing more to be done with it.
    }
  }
}
