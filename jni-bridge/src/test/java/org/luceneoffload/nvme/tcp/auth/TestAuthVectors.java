/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.spec.DHPrivateKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden values that a script has computed independently, the same as the daemon's tests read. */
class TestAuthVectors {
  private static final Path FILE = Path.of("../device-sim/csd-target/tests/auth/auth_vectors.txt");
  @TempDir Path home;

  private static final HexFormat HEX = HexFormat.of();

  private static List<String[]> lines(String kind, int fields) throws IOException {
    List<String[]> found =
        Files.readAllLines(FILE).stream()
            .map(line -> line.split("\t"))
            .filter(line -> line[0].equals(kind))
            .toList();
    for (String[] line : found) {
      assertEquals(fields, line.length);
    }
    return found;
  }

  @Test
  void groups() throws IOException, GeneralSecurityException {
    List<String[]> lines = lines("group", 6);
    assertEquals(5, lines.size());
    for (String[] line : lines) {
      DhGroup group = DhGroup.of(Integer.parseInt(line[1]));
      BigInteger prime = group.prime();
      byte[] bytes = prime.toByteArray(); // a zero byte first
      byte[] unsigned = Arrays.copyOfRange(bytes, 1, bytes.length);
      assertEquals(group.bytes(), unsigned.length);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(unsigned);
      assertEquals(line[2], HEX.formatHex(digest), group.toString());
      PrivateKey mine =
          KeyFactory.getInstance("DH")
              .generatePrivate(
                  new DHPrivateKeySpec(new BigInteger(line[3], 16), prime, BigInteger.TWO));
      byte[] peer = HEX.parseHex(line[4]);
      assertEquals(line[5], HEX.formatHex(group.agree(mine, peer)), group.toString());
    }
    // The first secret begins with a zero byte, which has its place.
    assertEquals("00", lines.get(0)[5].substring(0, 2));
  }

  @Test
  void valuesThatAreNone() throws GeneralSecurityException {
    DhGroup group = DhGroup.FFDHE2048;
    KeyPair pair = group.newPair();
    assertEquals(group.bytes(), group.publicValue(pair).length);
    for (BigInteger value :
        List.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            group.prime().subtract(BigInteger.ONE),
            group.prime(),
            BigInteger.ONE.shiftLeft(2048).subtract(BigInteger.ONE))) {
      assertThrows(
          GeneralSecurityException.class,
          () -> group.agree(pair.getPrivate(), value.toByteArray()));
    }
  }

  @Test
  void responses() throws IOException, GeneralSecurityException {
    List<String[]> lines = lines("chap", 14);
    assertEquals(36, lines.size());
    for (String[] line : lines) {
      byte[] session = line[11].equals("-") ? null : HEX.parseHex(line[11]);
      HashFunction hash = HashFunction.of(Integer.parseInt(line[1]));
      ChapResponses responses =
          new ChapResponses(hash, session, Integer.parseInt(line[6]), line[4], line[5]);
      byte[] host =
          responses.ofHost(
              Secret.parse(Secret.CHAP, line[2]),
              HEX.parseHex(line[8]),
              Integer.parseUnsignedInt(line[7]));
      byte[] controller =
          responses.ofController(
              Secret.parse(Secret.CHAP, line[3]),
              HEX.parseHex(line[10]),
              Integer.parseUnsignedInt(line[9]));
      assertEquals(line[12], HEX.formatHex(host));
      assertEquals(line[13], HEX.formatHex(controller));
    }
  }

  @Test
  void keysOfTls() throws IOException, GeneralSecurityException {
    List<String[]> lines = lines("tls", 7);
    assertEquals(8, lines.size());
    for (String[] line : lines) {
      Path file = Files.writeString(home.resolve("keys"), line[2] + " " + line[1]);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      HostKeys keys = HostKeys.forTls(file, line[2]);
      Locale here = Locale.getDefault();
      for (Locale locale : new Locale[] {here, Locale.of("ar", "EG")}) { // it has digits of its own
        Locale.setDefault(locale);
        try {
          PskKey key = PskKey.derive(keys, line[3], Integer.parseInt(line[4]));
          assertEquals(line[5], key.identity());
          assertEquals(line[6], HEX.formatHex(key.key()));
        } finally {
          Locale.setDefault(here);
        }
      }
    }
  }

  @Test
  void secretsThatAreNone() throws IOException {
    String good = lines("chap", 14).get(0)[2];
    assertEquals(32, Secret.parse(Secret.CHAP, good).key().length);
    assertNull(Secret.parse(Secret.CHAP, good).hash());
    assertThrows(IllegalArgumentException.class, () -> Secret.parse(Secret.TLS, good));
    for (int at = 0; at < good.length(); at++) {
      if (at == "DHHC-1:0".length()) {
        continue; // the hash is not under the CRC
      }
      char other = good.charAt(at) == 'A' ? 'B' : 'A';
      String spoilt = good.substring(0, at) + other + good.substring(at + 1);
      String cut = good.substring(0, at);
      assertThrows(IllegalArgumentException.class, () -> Secret.parse(Secret.CHAP, spoilt), spoilt);
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> Secret.parse(Secret.CHAP, cut), cut);
      assertEquals(-1, e.getMessage().indexOf(good.substring(12, 20)), "the secret is not told");
    }
  }
}
