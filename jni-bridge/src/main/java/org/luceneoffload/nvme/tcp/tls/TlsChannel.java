/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.tls;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.security.SecureRandom;
import java.util.List;
import org.bouncycastle.tls.TlsClientProtocol;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;
import org.luceneoffload.nvme.tcp.auth.PskKey;

/**
 * TLS 1.3 with a pre-shared key over a socket that does not block, with Bouncy Castle's protocol.
 * Like the socket it takes and gives what it can; whoever gets 0 waits for the socket. One thread
 * at a time.
 */
public final class TlsChannel implements SealedChannel {
  private static final int RECORD = 16 << 10; // plain bytes of one
  private static final int ROOM = 32 << 10;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final TlsCrypto CRYPTO = new JcaTlsCryptoProvider().create(RANDOM);

  private final ByteChannel socket;
  private final TlsClientProtocol protocol = new TlsClientProtocol();
  private final ByteBuffer sealed = ByteBuffer.allocate(ROOM).limit(0); // still to be sent
  private final ByteBuffer received = ByteBuffer.allocate(ROOM);
  private final byte[] plain = new byte[RECORD];
  private int owed; // plain bytes that are sealed, but not yet told to the caller

  /**
   * Begins; {@link #handshake} follows.
   *
   * @param keys of one length, that preferred first
   */
  public TlsChannel(ByteChannel socket, List<PskKey> keys) throws IOException {
    this.socket = socket;
    protocol.connect(new PskClient(CRYPTO, keys));
  }

  @Override
  public boolean handshake() throws IOException {
    boolean moved = true;
    while (moved && protocol.isHandshaking()) {
      moved = flush() && takeIn();
    }
    return !protocol.isHandshaking() && flush();
  }

  @Override
  public boolean wantsWrite() {
    return sealed.hasRemaining();
  }

  /** Sends what is sealed; returns whether all of it is out. */
  private boolean flush() throws IOException {
    while (true) {
      if (!sealed.hasRemaining()) {
        int bytes = Math.min(protocol.getAvailableOutputBytes(), ROOM);
        if (bytes == 0) {
          return true;
        }
        sealed.clear();
        sealed.limit(protocol.readOutput(sealed.array(), 0, bytes));
      }
      if (socket.write(sealed) == 0) {
        return false;
      }
    }
  }

  /** Takes in what the socket has; returns whether it had anything. */
  private boolean takeIn() throws IOException {
    received.clear();
    int got = socket.read(received);
    if (got < 0) {
      protocol.closeInput();
      throw new EOFException("the node closed the connection");
    }
    if (got > 0) {
      protocol.offerInput(received.array(), 0, got);
    }
    return got > 0;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    while (protocol.getAvailableInputBytes() == 0) {
      if (protocol.isClosed()) {
        return -1;
      }
      if (!takeIn()) {
        return 0;
      }
      flush(); // an answer to a change of keys
    }
    int bytes = Math.min(protocol.getAvailableInputBytes(), to.remaining());
    return protocol.readInput(to, bytes);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int written = 0;
    while (from.hasRemaining()) {
      if (owed == 0) {
        int bytes = Math.min(RECORD, from.remaining());
        from.get(from.position(), plain, 0, bytes);
        protocol.writeApplicationData(plain, 0, bytes);
        owed = bytes;
      }
      if (!flush()) {
        return written; // the caller comes again with the same bytes
      }
      from.position(from.position() + owed);
      written += owed;
      owed = 0;
    }
    return written;
  }

  @Override
  public long write(ByteBuffer[] parts) throws IOException {
    return write(parts, 0, parts.length);
  }

  @Override
  public long write(ByteBuffer[] parts, int first, int count) throws IOException {
    long written = 0;
    for (int i = first; i < first + count; i++) {
      written += write(parts[i]);
      if (parts[i].hasRemaining()) {
        break;
      }
    }
    return written;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  /** Closes the socket, in whatever state the protocol is: any thread may. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
