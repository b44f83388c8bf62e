/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Locale;

/**
 * A pre-shared key of TLS under one identity, as the NVMe TCP Transport Specification derives both.
 *
 * @param identity what the node knows the key by
 * @param key as long as a hash of the cipher suite
 */
public record PskKey(String identity, byte[] key) {
  private static final byte[] DIGEST_SUFFIX = utf8(" NVMe-over-Fabrics");

  /** Returns whether it goes with SHA-384 (and AES-256) rather than SHA-256 (and AES-128). */
  public boolean isSha384() {
    return key.length == HashFunction.SHA384.bytes();
  }

  /**
   * Derives key and identity for a subsystem.
   *
   * @param version of the identity: 0, or 1 with a digest of the key
   */
  public static PskKey derive(HostKeys keys, String subsystem, int version)
      throws GeneralSecurityException {
    Secret secret = keys.secret();
    int length = secret.key().length;
    HashFunction hash =
        length == HashFunction.SHA256.bytes() ? HashFunction.SHA256 : HashFunction.SHA384;
    if (length != hash.bytes() || secret.hash() != null && secret.hash().bytes() < length) {
      throw new GeneralSecurityException("a key of TLS has 32 bytes, or 48 with SHA-384");
    }
    byte[] retained = secret.key();
    if (secret.hash() != null) {
      retained = secret.hash().expandLabel(retained, utf8("HostNQN"), utf8(keys.host()), length);
    }
    String names = keys.host() + " " + subsystem;
    String digest =
        Base64.getEncoder().encodeToString(hash.mac(retained, utf8(names), DIGEST_SUFFIX));
    String identity = String.format(Locale.ROOT, "NVMe%dR%02d %s", version, hash.id(), names);
    String context = identity;
    if (version == 1) {
      identity += " " + digest;
      context = String.format(Locale.ROOT, "%02d %s", hash.id(), digest);
    }
    return new PskKey(
        identity, hash.expandLabel(retained, utf8("nvme-tls-psk"), utf8(context), length));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Shows nothing of the key. */
  @Override
  public String toString() {
    return identity;
  }
}
