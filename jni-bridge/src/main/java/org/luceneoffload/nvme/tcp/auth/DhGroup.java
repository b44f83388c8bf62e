/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import javax.crypto.KeyAgreement;
import javax.crypto.interfaces.DHPublicKey;
import javax.crypto.spec.DHParameterSpec;
import javax.crypto.spec.DHPublicKeySpec;

/** Groups for Diffie-Hellman, with NVMe's numbers for them: none, and those of RFC 7919. */
public enum DhGroup {
  NULL(0, 0),
  FFDHE2048(2048, 560316),
  FFDHE3072(3072, 2625351),
  FFDHE4096(4096, 5736041),
  FFDHE6144(6144, 15705020),
  FFDHE8192(8192, 10965728);

  private final int bits;
  private final int x; // of the RFC's formula

  DhGroup(int bits, int x) {
    this.bits = bits;
    this.x = x;
  }

  /** Returns the group of a number; null: there is none. */
  static DhGroup of(int id) {
    return id < 0 || id >= values().length ? null : values()[id];
  }

  int id() {
    return ordinal();
  }

  /** Returns how many bytes its values have; 0 without a group. */
  int bytes() {
    return bits / 8;
  }

  /** Returns the prime of RFC 7919: 2^b - 2^(b-64) + {[2^(b-130) e] + X} * 2^64 - 1. */
  BigInteger prime() {
    BigInteger scaled = scaledE(bits - 130).add(BigInteger.valueOf(x));
    return BigInteger.ONE
        .shiftLeft(bits)
        .subtract(BigInteger.ONE.shiftLeft(bits - 64))
        .add(scaled.shiftLeft(64))
        .subtract(BigInteger.ONE);
  }

  /** Returns the whole part of e times a power of 2: the sum of 1/k!, with bits to spare. */
  private static BigInteger scaledE(int power) {
    int spare = 64;
    BigInteger term = BigInteger.ONE.shiftLeft(power + spare);
    BigInteger sum = term;
    for (int k = 1; term.signum() != 0; k++) {
      term = term.divide(BigInteger.valueOf(k));
      sum = sum.add(term);
    }
    return sum.shiftRight(spare);
  }

  DHParameterSpec parameters() {
    return new DHParameterSpec(prime(), BigInteger.TWO);
  }

  KeyPair newPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("DH");
    generator.initialize(parameters());
    return generator.generateKeyPair();
  }

  /** Returns the public value of a pair, as long as the group's values. */
  byte[] publicValue(KeyPair pair) {
    return padded(((DHPublicKey) pair.getPublic()).getY().toByteArray());
  }

  /**
   * Returns the shared secret, as long as the group's values.
   *
   * @throws GeneralSecurityException if the other's is no public value of the group
   */
  byte[] agree(PrivateKey mine, byte[] others) throws GeneralSecurityException {
    BigInteger y = new BigInteger(1, others);
    BigInteger p = prime();
    if (y.compareTo(BigInteger.TWO) < 0 || y.compareTo(p.subtract(BigInteger.TWO)) > 0) {
      throw new GeneralSecurityException("it is no public value of the group");
    }
    KeyAgreement agreement = KeyAgreement.getInstance("DH");
    agreement.init(mine);
    agreement.doPhase(
        KeyFactory.getInstance("DH").generatePublic(new DHPublicKeySpec(y, p, BigInteger.TWO)),
        true);
    return padded(agreement.generateSecret());
  }

  private byte[] padded(byte[] number) {
    byte[] whole = new byte[bytes()];
    int from = Math.max(0, number.length - whole.length); // a zero byte for the sign
    int count = number.length - from;
    System.arraycopy(number, from, whole, whole.length - count, count);
    return whole;
  }
}
