/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Times of scans move as physics says when one number of the device changes. */
class TestTablePerturbations {
  private static final int SMALL = 2048;
  private static final String WHY = "a test";

  /**
   * Seconds of the widest table on the regular SSD, by rows, by columns; of the narrowest, rows.
   */
  private record Times(double ssd, double nsm, double pax, double narrow) {}

  @BeforeEach
  void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static DeviceProfile profile() throws Exception {
    return Profiles.load(Papers.profileOf(Papers.TABLES));
  }

  private static Times times(DeviceProfile profile) throws IOException {
    try (TableStore store = new TableStore()) {
      return new Times(
          seconds(store, profile, ModelSide.HOST, 64, Layout.NSM),
          seconds(store, profile, ModelSide.DEVICE, 64, Layout.NSM),
          seconds(store, profile, ModelSide.DEVICE, 64, Layout.PAX),
          seconds(store, profile, ModelSide.DEVICE, 4, Layout.NSM));
    }
  }

  private static double seconds(
      TableStore store, DeviceProfile profile, int side, int columns, Layout layout)
      throws IOException {
    List<Query> query = List.of(Query.ofPpm(1000, false));
    return TableLab.run(store, profile, side, columns, layout, query, SMALL).get(0).seconds();
  }

  private static DeviceProfile by(DeviceProfile profile, String path, double factor) {
    return profile.with(path, (long) (factor * profile.get(path)), WHY);
  }

  @Test
  void fasterCoresHelpUntilTheBusBounds() throws Exception {
    Times before = times(profile());
    DeviceProfile fast = by(profile(), "device.core_hz", 4);
    Times after = times(fast);
    assertEquals(before.ssd(), after.ssd(), 1e-6);
    // 113 GB at 1,560 MB/s are 72.4 s, whatever the layout.
    assertEquals(72.4, after.pax(), 1.5);
    assertEquals(after.pax(), after.nsm(), 0.5);
    assertTrue(after.narrow() < before.narrow() / 2);
    // Then a faster bus helps, which before it did not.
    assertTrue(times(by(fast, "device.dram_bytes_per_s", 2)).pax() < 0.9 * after.pax());
    assertEquals(before.pax(), times(by(profile(), "device.dram_bytes_per_s", 2)).pax(), 2);
  }

  @Test
  void theLinkIsTheHosts() throws Exception {
    Times before = times(profile());
    Times wide = times(by(profile(), "device.link_bytes_per_s", 2));
    assertTrue(wide.ssd() < 0.75 * before.ssd(), wide.toString());
    assertEquals(before.pax(), wide.pax(), 0.01 * before.pax());
    Times late =
        times(by(by(profile(), "device.link_command_ns", 10), "device.link_completion_ns", 10));
    assertTrue(late.ssd() >= before.ssd(), late.toString());
    assertEquals(before.pax(), late.pax(), 0.02 * before.pax());
    // Reads of the host that do not overlap wait for each command.
    DeviceProfile one = profile().with("device.link_queue_depth", 1, WHY);
    DeviceProfile slow = by(by(one, "device.link_command_ns", 10), "device.link_completion_ns", 10);
    assertTrue(times(slow).ssd() > 1.05 * times(one).ssd(), "commands");
  }

  @Test
  void fasterFlashIsNeverSlower() throws Exception {
    Times before = times(profile());
    for (DeviceProfile faster :
        List.of(
            by(profile(), "device.flash_channels", 2),
            by(profile(), "device.flash_read_ns.page0", 0.5))) {
      Times after = times(faster);
      assertTrue(after.ssd() <= 1.01 * before.ssd(), after.toString());
      assertTrue(after.nsm() <= 1.01 * before.nsm(), after.toString());
      assertTrue(after.pax() <= 1.01 * before.pax(), after.toString());
    }
    // Where a channel has less than the bus, two have twice as much.
    DeviceProfile narrow = profile().with("device.flash_channels", 1, WHY);
    assertTrue(times(by(narrow, "device.flash_channels", 2)).pax() < 0.6 * times(narrow).pax());
    // With one page under way, time follows the flash.
    DeviceProfile one = profile().with("device.program_read_ahead", 0, WHY);
    assertTrue(times(by(one, "device.flash_read_ns.page0", 0.5)).pax() < 0.9 * times(one).pax());
  }

  @Test
  void pollsAreTheDevicesAndDoNotGrowWithTheTable() throws Exception {
    Times before = times(profile());
    Times late = times(by(profile(), "device.link_poll_ns", 10));
    assertEquals(before.ssd(), late.ssd(), 1e-6);
    assertTrue(late.pax() >= before.pax() && late.pax() < before.pax() + 1, late.toString());
    Times slow = times(by(profile(), "host.core_hz", 0.25));
    assertTrue(slow.ssd() >= before.ssd(), slow.toString());
    assertEquals(before.pax(), slow.pax(), 1e-6);
  }
}
