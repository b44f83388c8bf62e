/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A secret in an interchange format of NVMe: {@code DHHC-1:NN:BASE64:}, {@code
 * NVMeTLSkey-1:NN:BASE64:}.
 *
 * @param hash NN: what it is transformed with; null: it is used as it is
 * @param key 32, 48 or 64 bytes, not to be changed
 */
record Secret(HashFunction hash, byte[] key) {
  /** Secrets of DH-HMAC-CHAP. */
  static final String CHAP = "DHHC-1";

  /** Pre-shared keys of TLS. */
  static final String TLS = "NVMeTLSkey-1";

  private static final Pattern FORM = Pattern.compile("(.*?):0([0-3]):([A-Za-z0-9+/]+={0,2}):");
  private static final int CRC_BYTES = 4;

  /**
   * Reads a secret; its CRC-32 is checked.
   *
   * @throws IllegalArgumentException saying what is wrong, and nothing of the secret
   */
  static Secret parse(String kind, String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || !form.group(1).equals(kind)) {
      throw new IllegalArgumentException("it is not " + kind + ":NN:BASE64:");
    }
    byte[] raw;
    try {
      raw = Base64.getDecoder().decode(form.group(3));
    } catch (IllegalArgumentException e) { // whose message has some of it
      throw new IllegalArgumentException("it is not in Base64");
    }
    int bytes = raw.length - CRC_BYTES;
    if (bytes != 32 && bytes != 48 && bytes != 64) {
      throw new IllegalArgumentException("it has neither 32 nor 48 nor 64 bytes");
    }
    CRC32 crc = new CRC32();
    crc.update(raw, 0, bytes);
    for (int i = 0; i < CRC_BYTES; i++) {
      if (raw[bytes + i] != (byte) (crc.getValue() >>> 8 * i)) {
        throw new IllegalArgumentException("its CRC-32 is wrong: a letter was mistaken or lost");
      }
    }
    return new Secret(HashFunction.of(form.group(2).charAt(0) - '0'), Arrays.copyOf(raw, bytes));
  }

  /** Shows nothing of the secret. */
  @Override
  public String toString() {
    return "Secret[" + hash + ", " + key.length + " bytes]";
  }
}
