/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.List;
import org.luceneoffload.nvme.tcp.auth.HostKeys;
import org.luceneoffload.nvme.tcp.auth.PskKey;
import org.luceneoffload.nvme.tcp.tls.SealedChannel;
import org.luceneoffload.nvme.tcp.tls.TlsChannel;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** TLS 1.3 with a pre-shared key between a socket and its PDUs. */
final class TlsSecurity implements PduStream.Security {
  private static final String LIBRARY = "org.bouncycastle.tls.TlsClientProtocol";

  private final List<PskKey> keys;

  private TlsSecurity(List<PskKey> keys) {
    this.keys = keys;
  }

  /**
   * Returns the security by the key of a host, under both its identities.
   *
   * @param node for messages
   * @throws OffloadException if the library is not there, or there is no such key
   */
  static TlsSecurity of(String node, HostKeys host, String subsystem) throws OffloadException {
    try {
      Class.forName(LIBRARY, false, TlsSecurity.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw failure(
          node, "it needs Bouncy Castle, org.bouncycastle:bctls-jdk18on, on the class path", e);
    }
    try {
      return new TlsSecurity(
          List.of(PskKey.derive(host, subsystem, 1), PskKey.derive(host, subsystem, 0)));
    } catch (GeneralSecurityException e) {
      throw failure(node, e.getMessage(), e);
    }
  }

  private static OffloadException failure(String node, String why, Exception cause) {
    return new OffloadException(
        OffloadWire.Status.IO_ERROR, "TLS to storage node " + node + ": " + why, cause);
  }

  @Override
  public SealedChannel over(SocketChannel channel) throws IOException {
    return new TlsChannel(channel, keys);
  }
}
