/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Vector;
import org.bouncycastle.tls.AbstractTlsClient;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.BasicTlsPSKExternal;
import org.bouncycastle.tls.CipherSuite;
import org.bouncycastle.tls.PRFAlgorithm;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.PskKeyExchangeMode;
import org.bouncycastle.tls.TlsAuthentication;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.TlsPSK;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.luceneoffload.nvme.tcp.auth.PskKey;

/** A client that knows its node by a key, and accepts nothing else: no certificate, no TLS 1.2. */
final class PskClient extends AbstractTlsClient {
  private final List<PskKey> keys;

  /**
   * A client.
   *
   * @param keys one key under several identities
   */
  PskClient(TlsCrypto crypto, List<PskKey> keys) {
    super(crypto);
    this.keys = keys;
  }

  private boolean isSha384() {
    return keys.get(0).isSha384();
  }

  @Override
  protected ProtocolVersion[] getSupportedVersions() {
    return ProtocolVersion.TLSv13.only();
  }

  @Override
  protected int[] getSupportedCipherSuites() {
    return new int[] {
      isSha384() ? CipherSuite.TLS_AES_256_GCM_SHA384 : CipherSuite.TLS_AES_128_GCM_SHA256
    };
  }

  @Override
  public short[] getPskKeyExchangeModes() {
    return new short[] {PskKeyExchangeMode.psk_dhe_ke};
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // so the library has it
  public Vector getExternalPSKs() {
    Vector offered = new Vector();
    for (PskKey key : keys) {
      offered.add(
          new BasicTlsPSKExternal(
              key.identity().getBytes(StandardCharsets.UTF_8),
              getCrypto().createSecret(key.key().clone()),
              isSha384() ? PRFAlgorithm.tls13_hkdf_sha384 : PRFAlgorithm.tls13_hkdf_sha256));
    }
    return offered;
  }

  @Override
  public void notifySelectedPSK(TlsPSK selected) throws IOException {
    if (selected == null) {
      throw new TlsFatalAlert(AlertDescription.handshake_failure, "the node did not take the key");
    }
  }

  @Override
  public TlsAuthentication getAuthentication() throws IOException {
    throw new TlsFatalAlert(AlertDescription.bad_certificate, "the node did not take the key");
  }
}
