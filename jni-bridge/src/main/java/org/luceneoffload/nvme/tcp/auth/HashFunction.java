/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The hash functions that NVMe knows, with its numbers for them. */
enum HashFunction {
  SHA256(1, 32, "SHA-256", "HmacSHA256"),
  SHA384(2, 48, "SHA-384", "HmacSHA384"),
  SHA512(3, 64, "SHA-512", "HmacSHA512");

  private static final byte[] TLS_PREFIX = {'t', 'l', 's', '1', '3', ' '};

  private final int id;
  private final int bytes;
  private final String digestName;
  private final String macName;

  HashFunction(int id, int bytes, String digestName, String macName) {
    this.id = id;
    this.bytes = bytes;
    this.digestName = digestName;
    this.macName = macName;
  }

  /** Returns the function of a number; null: there is none. */
  static HashFunction of(int id) {
    return id < 1 || id > values().length ? null : values()[id - 1];
  }

  int id() {
    return id;
  }

  /** Returns how many bytes a hash has. */
  int bytes() {
    return bytes;
  }

  byte[] digest(byte[] input) throws GeneralSecurityException {
    return MessageDigest.getInstance(digestName).digest(input);
  }

  /** Returns the HMAC of all parts, one after the other. */
  byte[] mac(byte[] key, byte[]... parts) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(macName);
    mac.init(new SecretKeySpec(key, macName));
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /**
   * Computes HKDF-Extract without salt, then HKDF-Expand-Label of RFC 8446.
   *
   * @param length bytes to make, at most those of a hash
   */
  byte[] expandLabel(byte[] secret, byte[] label, byte[] context, int length)
      throws GeneralSecurityException {
    byte[] sizes = {(byte) (length >>> 8), (byte) length};
    byte[] labelBytes = {(byte) (TLS_PREFIX.length + label.length)};
    byte[] contextBytes = {(byte) context.length};
    byte[] extracted = mac(new byte[bytes], secret);
    byte[] first = {1};
    byte[] block =
        mac(extracted, sizes, labelBytes, TLS_PREFIX, label, contextBytes, context, first);
    return Arrays.copyOf(block, length);
  }
}
