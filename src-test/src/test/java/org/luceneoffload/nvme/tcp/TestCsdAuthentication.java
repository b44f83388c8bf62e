/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.wire.OffloadException;

/** Hosts with right, wrong and without keys, before nodes that ask for them and that do not. */
class TestCsdAuthentication {
  @TempDir Path home;

  @BeforeAll
  static void isThere() {
    assumeTrue(CsdTarget.says("DH-HMAC-CHAP"), "csd-target was built without OpenSSL");
  }

  private Path keys(String name, String... words) throws IOException {
    return CsdKeys.write(home.resolve(name), words);
  }

  private static void open(CsdTarget target, String options) throws IOException {
    try (Device device =
        new CsdDeviceProvider()
            .open(target.node() + ",claim=empty,timeout=60000" + options, Path.of("."))) {
      assertTrue(device.info().lbaCount() > 0);
    }
  }

  private static void refused(CsdTarget target, String options, String said) {
    OffloadException e = assertThrows(OffloadException.class, () -> open(target, options));
    assertTrue(e.getMessage().contains(said), e.getMessage());
  }

  @Test
  void keysOfAllKinds() throws IOException {
    Path node = keys("node", CsdKeys.HOST, CsdKeys.SECRET, CsdKeys.CONTROLLER);
    try (CsdTarget target = new CsdTarget(home, "--auth-key-file", node.toString())) {
      Path both = keys("both", CsdKeys.HOST, CsdKeys.SECRET, CsdKeys.CONTROLLER);
      open(target, ",key-file=" + both);
      open(target, ",dh-group=null,key-file=" + both);
      open(target, ",dh-group=ffdhe3072,digests=both,key-file=" + both);
      open(target, ",key-file=" + keys("one", CsdKeys.HOST, CsdKeys.SECRET));
      refused(target, "", "which has no key: key-file= names one");
      refused(target, ",hostnqn=" + CsdKeys.HOST, "which has no key: key-file= names one");
      Path wrong = keys("wrong", CsdKeys.HOST, CsdKeys.OTHER_SECRET);
      refused(target, ",key-file=" + wrong, "it does not accept this host's secret");
      Path stranger = keys("stranger", "nqn.2026-11.org.example:stranger", CsdKeys.SECRET);
      refused(target, ",key-file=" + stranger, "it does not accept this host's secret");
      Path impostor = keys("impostor", CsdKeys.HOST, CsdKeys.SECRET, CsdKeys.OTHER_SECRET);
      refused(target, ",key-file=" + impostor, "it is not the node that it says");
      open(target, ",key-file=" + both); // others are none the worse for it
    }
  }

  @Test
  void weakerThanTheOtherWants() throws IOException {
    Path node = keys("node", CsdKeys.HOST, CsdKeys.SECRET);
    try (CsdTarget target =
        new CsdTarget(home, "--auth-key-file", node.toString(), "--auth-dh-group", "ffdhe4096")) {
      open(target, ",dh-group=ffdhe2048,key-file=" + node); // and all above
      open(target, ",dh-group=ffdhe6144,key-file=" + node);
    }
  }

  @Test
  void tls() throws IOException {
    Path node =
        CsdKeys.write(
            home.resolve("tls"),
            CsdKeys.HOST,
            CsdKeys.TLS_KEY,
            "\nnqn.2026-11.org.example:other",
            CsdKeys.OTHER_TLS_KEY);
    try (CsdTarget target = new CsdTarget(home, "--tls-key-file", node.toString())) {
      open(target, ",tls-key-file=" + node + ",hostnqn=" + CsdKeys.HOST);
      open(target, ",tls-key-file=" + node + ",hostnqn=nqn.2026-11.org.example:other");
      refused(target, ",tls-key-file=" + node, "it has 2 hosts; hostnqn= says which");
      Path wrong = keys("wrong", CsdKeys.HOST, CsdKeys.OTHER_TLS_KEY);
      refused(target, ",tls-key-file=" + wrong, "has no or another key for this host");
      refused(target, "", "if it speaks TLS alone, tls-key-file= names this host's key");
    }
    try (CsdTarget plain = new CsdTarget(home)) {
      Path one = keys("one", CsdKeys.HOST, CsdKeys.TLS_KEY);
      refused(plain, ",tls-key-file=" + one, "TLS: the handshake fails");
    }
  }

  @Test
  void nodeThatDoesNotAsk() throws IOException {
    Path file = keys("host", CsdKeys.HOST, CsdKeys.SECRET);
    try (CsdTarget target = new CsdTarget(home)) {
      refused(target, ",key-file=" + file, "does not ask who this host is");
      refused(target, ",key-file=" + home.resolve("nowhere"), "there is no such file");
      open(target, "");
    }
  }
}
