/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.volume.Volume;

/** Namespaces that are looked for and looked at, and left as they are. */
class TestNvmeNamespaces {
  private static final int LBAS = 4096;

  @TempDir Path home;
  private Device store;
  private FakeController controller;

  @BeforeEach
  void make() throws IOException {
    store = new SimDeviceProvider().openForWriting("capacity=" + LBAS * 4 + "k,dram=1m", home);
    controller = new FakeController(store);
  }

  @AfterEach
  void end() {
    controller.close();
  }

  @Test
  void namespacesAreLookedAtWithoutWriting() throws IOException {
    DeviceProvider.Found found = look();
    assertEquals("nvme:/dev/ng0n1", found.name());
    assertNull(found.reason());
    assertEquals(LBAS, found.info().lbaCount());
    assertEquals("SERIAL", found.facts().get("serial number"));
    assertTrue(found.facts().get("holds").startsWith("no volume"), found.facts().toString());
    Volume.openForWriting(store).close();
    assertTrue(found.facts().get("commands").startsWith("the vendor's"));
    assertEquals("a volume of posting images", look().facts().get("holds"));
    controller.effectsOpcodes = 3;
    int vendorCommands = controller.vendorCommands.get();
    found = look();
    assertNull(found.info());
    assertTrue(found.reason().contains("does not list opcode"), found.reason());
    assertEquals(vendorCommands, controller.vendorCommands.get());
    assertEquals(0, controller.writes.get());
  }

  private DeviceProvider.Found look() throws IOException {
    return NvmeNamespaces.look(
        controller,
        NvmeOptions.parse("/dev/ng0n1,readonly=true").access(),
        new LinkedHashMap<>(),
        Volume::describe);
  }

  @Test
  void aFolderWithoutNamespacesHasNone() throws IOException {
    assertEquals(List.of(), NvmeNamespaces.find(home.resolve("none"), Volume::describe));
    Files.createFile(home.resolve("ng0n1"));
    Files.createFile(home.resolve("nvme0n1"));
    List<DeviceProvider.Found> found = NvmeNamespaces.find(home, Volume::describe);
    assertEquals(1, found.size());
    assertTrue(found.get(0).reason().contains("ENOTTY"), found.get(0).reason());
  }
}
