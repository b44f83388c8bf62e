/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * DH-HMAC-CHAP (NVMe Base Specification 2.x), the host's side of one transaction: {@link
 * #negotiate}, {@link #reply}, {@link #finish}. It knows messages only, not how they are carried.
 */
public final class Chap {
  /** Bytes of the longest message. */
  public static final int MAX_MESSAGE = 16 + 2 * 64 + 1024;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int CHAP_TYPE = 1;
  private static final int CHALLENGE = 0x01;
  private static final int REPLY = 0x02;
  private static final int SUCCESS1 = 0x03;
  private static final int SUCCESS2 = 0x04;
  private static final int FAILURE2 = 0xF0;
  private static final int FAILURE1 = 0xF1;
  private static final int TRANSACTION = 4;
  private static final int HASH_BYTES = 6;
  private static final int VALID = 8;
  private static final int DH_BYTES = 10;
  private static final int SEQUENCE = 12;
  private static final int VALUES = 16;
  private static final int NEGOTIATE_BYTES = 72;
  private static final int HASHES = 12;
  private static final int GROUPS = 42;

  private final HostKeys keys;
  private final String subsystem;
  private final DhGroup least;
  private final int transaction = RANDOM.nextInt(1 << 16);
  private HashFunction hash;
  private byte[] expected; // of the controller; null: it was not asked

  /** What a controller says or does that ends a transaction. */
  public static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean ours;

    private Refusal(boolean ours, String message, Exception cause) {
      super(message, cause);
      this.ours = ours;
    }

    Refusal(String message) {
      this(true, message, null);
    }

    /** Returns whether this host refuses, so that the controller is to be told. */
    public boolean isOurs() {
      return ours;
    }
  }

  /**
   * Begins a transaction.
   *
   * @param subsystem NQN that Connect named
   * @param least smallest group that is offered
   */
  public Chap(HostKeys keys, String subsystem, DhGroup least) {
    this.keys = keys;
    this.subsystem = subsystem;
    this.least = least;
  }

  /** Returns AUTH_Negotiate: all hashes, and the groups from the smallest on. */
  public byte[] negotiate() {
    ByteBuffer m = message(NEGOTIATE_BYTES);
    m.put(7, (byte) 1).put(8, (byte) CHAP_TYPE);
    int hashes = 0;
    for (HashFunction one : HashFunction.values()) {
      m.put(HASHES + hashes++, (byte) one.id());
    }
    int groups = 0;
    for (DhGroup one : DhGroup.values()) {
      if (one.compareTo(least) >= 0) {
        m.put(GROUPS + groups++, (byte) one.id());
      }
    }
    return m.put(10, (byte) hashes).put(11, (byte) groups).array();
  }

  private ByteBuffer message(int bytes) {
    return ByteBuffer.allocate(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort(TRANSACTION, (short) transaction);
  }

  private ByteBuffer message(int id, int bytes) {
    return message(bytes).put(0, (byte) CHAP_TYPE).put(1, (byte) id);
  }

  /** Checks that a message of the controller is the expected one. */
  private ByteBuffer expect(int id, byte[] bytes) throws Refusal {
    ByteBuffer m = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (m.get(0) == CHAP_TYPE && m.get(1) == (byte) FAILURE1) {
      throw new Refusal(false, explain(m.get(7) & 0xFF), null);
    }
    if (m.get(0) != CHAP_TYPE || m.get(1) != (byte) id) {
      throw new Refusal("a message of it is not the one that is due");
    }
    if ((m.getShort(TRANSACTION) & 0xFFFF) != transaction) {
      throw new Refusal("a message of it is of another transaction");
    }
    return m;
  }

  private static String explain(int explanation) {
    return switch (explanation) {
      case 1 -> "it does not accept this host's secret, or has none of its own to prove";
      case 2 -> "it does not take DH-HMAC-CHAP";
      case 3 -> "it wants a secure channel made of authentication, which this host has not";
      case 4 -> "it takes no hash that this host offers";
      case 5 -> "it takes no Diffie-Hellman group that this host offers: see dh-group=";
      default -> "it finds a message wrong, explanation " + explanation;
    };
  }

  /**
   * Answers a Challenge.
   *
   * @param bytes of it, at least {@link #MAX_MESSAGE}; those after its end are of no interest
   */
  public byte[] reply(byte[] bytes) throws Refusal {
    ByteBuffer m = expect(CHALLENGE, bytes);
    hash = HashFunction.of(m.get(8) & 0xFF);
    DhGroup group = DhGroup.of(m.get(9) & 0xFF);
    if (hash == null || group == null || group.compareTo(least) < 0) {
      throw new Refusal("it chose a hash or a group that was not offered");
    }
    int size = hash.bytes();
    int sequence = m.getInt(SEQUENCE);
    if ((m.get(HASH_BYTES) & 0xFF) != size
        || (m.getShort(DH_BYTES) & 0xFFFF) != group.bytes()
        || sequence == 0) {
      throw new Refusal("its Challenge has wrong lengths");
    }
    byte[] challenge = part(m, VALUES, size);
    ByteBuffer reply = message(REPLY, VALUES + 2 * size + group.bytes());
    reply.put(HASH_BYTES, (byte) size).putShort(DH_BYTES, (short) group.bytes());
    try {
      byte[] session = null;
      if (group != DhGroup.NULL) {
        KeyPair pair = group.newPair();
        session = group.agree(pair.getPrivate(), part(m, VALUES + size, group.bytes()));
        reply.put(VALUES + 2 * size, group.publicValue(pair));
      }
      ChapResponses responses =
          new ChapResponses(hash, session, transaction, keys.host(), subsystem);
      reply.put(VALUES, responses.ofHost(keys.secret(), challenge, sequence));
      if (keys.controller() != null) {
        byte[] own = new byte[size];
        RANDOM.nextBytes(own);
        int number = RANDOM.nextInt() | 1; // 0 would say that nothing is asked
        reply.put(VALID, (byte) 1).putInt(SEQUENCE, number).put(VALUES + size, own);
        expected = responses.ofController(keys.controller(), own, number);
      }
      return reply.array();
    } catch (GeneralSecurityException e) {
      throw new Refusal(true, "its Challenge cannot be answered: " + e.getMessage(), e);
    }
  }

  private static byte[] part(ByteBuffer m, int from, int count) {
    byte[] bytes = new byte[count];
    m.get(from, bytes);
    return bytes;
  }

  /**
   * Takes Success1.
   *
   * @return the message that is still to be sent; null: none, as the controller was not asked
   * @throws Refusal if it is none, or the controller has not proved who it is
   */
  public byte[] finish(byte[] bytes) throws Refusal {
    ByteBuffer m = expect(SUCCESS1, bytes);
    if ((m.get(HASH_BYTES) & 0xFF) != hash.bytes()) {
      throw new Refusal("its Success1 has wrong lengths");
    }
    if (expected == null) {
      return null;
    }
    if (m.get(VALID) != 1 || !MessageDigest.isEqual(expected, part(m, VALUES, hash.bytes()))) {
      throw new Refusal(
          "it is not the node that it says: it does not know the controller's secret");
    }
    return message(SUCCESS2, VALUES).array();
  }

  /** Returns AUTH_Failure2, which tells a controller that it is not accepted. */
  public byte[] failure() {
    return message(FAILURE2, 8).put(6, (byte) 1).put(7, (byte) 1).array();
  }
}
