/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/**
 * What host and controller answer to a challenge of DH-HMAC-CHAP.
 *
 * @param hash of the transaction
 * @param session shared secret of Diffie-Hellman; null without a group
 * @param transaction its number
 * @param host NQN of the host
 * @param subsystem NQN that it connects to
 */
record ChapResponses(
    HashFunction hash, byte[] session, int transaction, String host, String subsystem) {
  private static final byte[] TRANSFORMATION = ascii("NVMe-over-Fabrics");
  private static final byte[] ZERO = {0};

  /** Returns the host's response. */
  byte[] ofHost(Secret secret, byte[] challenge, int sequence) throws GeneralSecurityException {
    return respond(secret, challenge, sequence, "HostHost", host, subsystem);
  }

  /** Returns the controller's response. */
  byte[] ofController(Secret secret, byte[] challenge, int sequence)
      throws GeneralSecurityException {
    return respond(secret, challenge, sequence, "Controller", subsystem, host);
  }

  private byte[] respond(
      Secret secret, byte[] challenge, int sequence, String role, String first, String second)
      throws GeneralSecurityException {
    byte[] key = secret.key();
    if (secret.hash() != null) {
      key = secret.hash().mac(key, ascii(first), TRANSFORMATION);
    }
    byte[] augmented = session == null ? challenge : hash.mac(hash.digest(session), challenge);
    ByteBuffer numbers = ByteBuffer.allocate(7).order(ByteOrder.LITTLE_ENDIAN);
    numbers.putInt(sequence).putShort((short) transaction);
    return hash.mac(
        key, augmented, numbers.array(), ascii(role), ascii(first), ZERO, ascii(second));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
