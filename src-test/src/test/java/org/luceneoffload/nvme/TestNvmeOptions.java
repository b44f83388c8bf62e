/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.luceneoffload.device.Device.Claim;

/** Names of NVMe devices. */
class TestNvmeOptions {
  @Test
  void defaults() {
    NvmeOptions options = NvmeOptions.parse("/dev/ng99n1");
    assertEquals(Path.of("/dev/ng99n1"), options.path());
    assertEquals(Claim.NONE, options.access().claim());
    assertEquals(Opcodes.WIRE, options.access().opcodes());
    assertTrue(options.access().timeoutMillis() > 0);
  }

  @Test
  void everyOption() {
    assertEquals(
        new NvmeOptions(
            Path.of("/dev/ng99n1"),
            new Access(
                Claim.OVERWRITE, false, 250, new Opcodes(0xC0), true, Access.Commands.VENDOR)),
        NvmeOptions.parse("/dev/ng99n1,claim=overwrite,timeout=250,opcodes=c0,force=true"));
    assertTrue(NvmeOptions.parse("/dev/ng99n1,readonly=true").readOnly());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|names its namespace",
        "claim=empty|names its namespace",
        "ng0n1|must be absolute",
        "/|must be absolute",
        "/dev/nvme0n1p1|partition",
        "/dev/ng0n1,|has no value",
        "/dev/ng0n1,claim|has no value",
        "/dev/ng0n1,claim=all|'all' of nvme option 'claim'",
        "/dev/ng0n1,timeout=0|'0' of nvme option 'timeout'",
        "/dev/ng0n1,timeout=1s|'1s' of nvme option 'timeout'",
        "/dev/ng0n1,timeout=9999999999|'9999999999' of nvme option 'timeout'",
        "/dev/ng0n1,opcodes=81|got 81h",
        "/dev/ng0n1,opcodes=70|got 70h",
        "/dev/ng0n1,opcodes=100|'100' of nvme option 'opcodes'",
        "/dev/ng0n1,force=yes|'yes' of nvme option 'force'",
        "/dev/ng0n1,force=true,force=true|given twice",
        "/dev/ng0n1,colour=red|unknown nvme option 'colour'",
        "/dev/ng0n1,readonly=true,claim=empty|exclude each other",
      })
  void whatIsWrongIsNamed(String rest, String expected) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> NvmeOptions.parse(rest));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }

  @Test
  void aNamespaceHasOneName(@TempDir Path dev) throws Exception {
    Files.createFile(dev.resolve("ng3n2"));
    assertEquals(dev.resolve("ng3n2"), NvmeOptions.parse(dev.resolve("nvme3n2") + "").path());
    assertEquals(dev.resolve("nvme4n1"), NvmeOptions.parse(dev.resolve("nvme4n1") + "").path());
  }

  @Test
  void opcodesMoveAsOne() {
    assertEquals(0x82, Opcodes.WIRE.of(0x82));
    assertEquals(0xC2, new Opcodes(0xC0).of(0x82));
    assertEquals(0x02, new Opcodes(0xC0).of(0x02));
  }
}
