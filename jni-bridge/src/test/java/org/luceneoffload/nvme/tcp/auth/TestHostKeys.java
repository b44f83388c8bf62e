/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.wire.OffloadException;

class TestHostKeys {
  private static final String SECRET =
      "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:";
  private static final String OTHER = "DHHC-1:01:ochi59xCNLIBIv9yZUKUEv6+VhoigrofC8vel9vPr7VUG9hA:";

  @TempDir Path home;

  private Path file(String text) throws IOException {
    Path file = Files.writeString(home.resolve("keys"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private void refused(String text, String host, String said) throws IOException {
    Path file = file(text);
    OffloadException e =
        assertThrows(OffloadException.class, () -> HostKeys.forChap(file, host), said);
    assertTrue(e.getMessage().contains(said), e.getMessage());
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
  }

  @Test
  void lines() throws IOException {
    String text = "# hosts\n\nnqn.a " + SECRET + "\n nqn.b\t" + OTHER + " " + SECRET + " # b\n";
    assertEquals("nqn.b", HostKeys.forChap(file(text), "nqn.b").host());
    assertNotNull(HostKeys.forChap(file(text), "nqn.b").controller());
    assertNull(HostKeys.forChap(file(text), "nqn.a").controller());
    assertEquals("nqn.c", HostKeys.forChap(file("nqn.c " + SECRET), "").host());
    refused(text, "", "it has 2 hosts");
    refused(text, "nqn.x", "it has 0 lines for host nqn.x");
  }

  private static boolean isOpen(String permissions, boolean roots, boolean secret) {
    return HostKeys.areOpen(PosixFilePermissions.fromString(permissions), roots, secret);
  }

  /** As csd-target's tests have it. */
  @Test
  void permissions() throws IOException {
    assertFalse(isOpen("rw-------", false, false));
    assertTrue(isOpen("r--r-----", false, false));
    assertTrue(isOpen("r--r--r--", true, false));
    assertFalse(isOpen("r--r-----", true, false)); // systemd 254 and later, Kubernetes
    assertFalse(isOpen("r--r--r--", false, true)); // podman
    assertTrue(isOpen("r--rw----", true, true));
    Path file = file("nqn.a " + SECRET);
    assertTrue(HostKeys.liesIn(file, home.toString()));
    assertFalse(HostKeys.liesIn(file, home.resolve("none").toString()));
    assertFalse(HostKeys.liesIn(file, null));
  }

  @Test
  void mistakes() throws IOException {
    refused("nqn.a\n", "", "line 1: it is not HOSTNQN SECRET");
    refused("\nhost " + SECRET, "", "line 2: it is not HOSTNQN SECRET");
    refused("nqn.a " + SECRET.replace('G', 'H'), "", "line 1: its CRC-32 is wrong");
    refused("nqn.a " + SECRET + " " + OTHER + " " + OTHER, "", "something after the secrets");
    refused("nqn.a " + SECRET + "\nnqn.a " + OTHER, "nqn.a", "2 lines for host nqn.a");
    Path open = file("nqn.a " + SECRET);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw----"));
    OffloadException e = assertThrows(OffloadException.class, () -> HostKeys.forChap(open, ""));
    assertTrue(e.getMessage().contains("chmod 600"), e.getMessage());
    assertThrows(OffloadException.class, () -> HostKeys.forChap(home.resolve("none"), ""));
  }
}
