/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** A storage node by the standard's own commands: memory range sets and programs. */
class TestCsdProgramsContract extends TestCsdDeviceContract {
  @Override
  public List<String> nodeOptions(Path home) throws IOException {
    return List.of("--programs", "256M");
  }

  @Override
  public String options() {
    return super.options() + ",commands=programs";
  }

  private static Device open(CsdTarget node, String commands) throws IOException {
    return new CsdDeviceProvider().open(node.node() + ",timeout=60000,commands=" + commands, null);
  }

  /** The node's vendor commands begin elsewhere than this host is told. */
  @Test
  void programsAreTakenWhereTheVendorsCommandsAreNotListed(@TempDir Path folder)
      throws IOException {
    Path home = Files.createDirectory(folder.resolve("other"));
    try (CsdTarget node =
        new CsdTarget(home, "--capacity", "4M", "--programs", "64M", "--opcode-base", "0xC0")) {
      try (Device automatic = open(node, "auto");
          DeviceSession session = automatic.openSession()) {
        assertTrue(session.isUsable());
      }
      assertRefused("opcode 80h", () -> open(node, "vendor"));
    }
  }

  @Test
  void aNodeWithoutProgramsIsRefused(@TempDir Path folder) throws IOException {
    Path home = Files.createDirectory(folder.resolve("without"));
    try (CsdTarget node = new CsdTarget(home, "--capacity", "4M")) {
      assertRefused("no memory namespace", () -> open(node, "programs"));
      open(node, "auto").close();
    }
  }

  private static void assertRefused(String why, Executable opening) {
    OffloadException refusal = assertThrows(OffloadException.class, opening);
    assertEquals(OffloadWire.Status.INVALID_OPCODE, refusal.status());
    assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
  }
}
