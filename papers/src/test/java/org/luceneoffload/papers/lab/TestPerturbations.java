/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;

/** Figures of the first paper move as physics says when one number of the device changes. */
class TestPerturbations {
  private static final String WHY = "a test";

  @BeforeEach
  void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static DeviceProfile profile() throws Exception {
    return Profiles.load("smart-ssd-sas");
  }

  private static DeviceProfile times(DeviceProfile profile, String path, double factor) {
    return profile.with(path, (long) (factor * profile.get(path)), WHY);
  }

  private static Modelled query(DeviceProfile profile) throws Exception {
    return run(profile, Formulas.QUERY);
  }

  private static Modelled run(DeviceProfile profile, ClassicExperiment experiment)
      throws Exception {
    try (ModelLab lab = new ModelLab(profile, false)) {
      return lab.run(experiment);
    }
  }

  @Test
  void fasterCoresHelpTheDeviceAlone() throws Exception {
    Modelled before = query(profile());
    Modelled after = query(times(profile(), "device.core_hz", 4));
    double compute = before.device().partMs("compute");
    assertEquals(compute / 4, after.device().partMs("compute"), 0.01 * compute);
    assertEquals(before.device().partMs("io"), after.device().partMs("io"), 1e-9);
    assertEquals(before.host().elapsedMs(), after.host().elapsedMs(), 1e-9);
    // Memory still bounds a difference whose first list is the longer one: it loses on.
    ClassicExperiment loses =
        new ClassicExperiment(
            Operation.DIFFERENCE, false, Workload.of(2, Workload.MB, 100, 10_000, 1).swapped());
    Modelled slow = run(profile(), loses);
    Modelled fast = run(times(profile(), "device.core_hz", 4), loses);
    assertTrue(fast.latencyGain() > slow.latencyGain());
  }

  @Test
  void slowerCommandsHurtTheHostMore() throws Exception {
    DeviceProfile slow =
        times(times(profile(), "device.link_command_ns", 10), "device.link_completion_ns", 10);
    Modelled before = query(profile());
    Modelled after = query(slow);
    double host = after.host().elapsedMs() - before.host().elapsedMs();
    double device = after.device().elapsedMs() - before.device().elapsedMs();
    assertTrue(host > 10 * Math.max(device, 0), host + ", " + device);
    assertTrue(after.latencyGain() > before.latencyGain());
  }

  @Test
  void aFasterLinkHelpsTheHost() throws Exception {
    Modelled before = query(profile());
    Modelled after = query(times(profile(), "device.link_bytes_per_s", 2));
    assertTrue(after.host().elapsedMs() < before.host().elapsedMs());
    assertTrue(after.latencyGain() < before.latencyGain());
  }

  @Test
  void fasterFlashHelpsBoth() throws Exception {
    Modelled before = query(profile());
    for (DeviceProfile faster :
        new DeviceProfile[] {
          times(profile(), "device.flash_read_ns.page0", 0.5),
          times(profile(), "device.channel_bytes_per_s", 2)
        }) {
      Modelled after = query(faster);
      double device = before.device().partMs("io") - after.device().partMs("io");
      double host = before.host().partMs("io") - after.host().partMs("io");
      assertTrue(device > 0);
      assertEquals(device, host, 0.02 * device); // 267 pages, one after the other
    }
    // More channels do nothing for pages that are read one after the other, and all if not.
    DeviceProfile wide = times(profile(), "device.flash_channels", 2);
    assertEquals(before.device().partMs("io"), query(wide).device().partMs("io"), 0.1);
    DeviceProfile ahead = profile().with("device.program_read_ahead", 8, WHY);
    assertTrue(
        query(ahead).device().partMs("io") < before.device().partMs("io") / 2, "reads ahead");
  }

  @Test
  void pollsAndMemoryAreTheDevicesAlone() throws Exception {
    Modelled before = query(profile());
    Modelled polled = query(times(profile(), "device.link_poll_ns", 10));
    assertEquals(before.host().elapsedMs(), polled.host().elapsedMs(), 1e-9);
    double later = polled.device().elapsedMs() - before.device().elapsedMs();
    assertTrue(later > 0 && later < 10, later + " ms: less than a poll of 10 ms");
    DeviceProfile quick = profile();
    for (String work : List.of("list_read", "probe_read", "result_write", "page_open")) {
      quick = times(quick, "device.work." + work + ".access_ps", 0.25);
    }
    Modelled after = query(quick);
    double memory = before.device().partMs("dram");
    assertEquals(memory / 4, after.device().partMs("dram"), 0.15 * memory);
    assertEquals(before.host().elapsedMs(), after.host().elapsedMs(), 1e-9);
    assertTrue(after.latencyGain() > before.latencyGain());
  }

  @Test
  void slowerCoresOfTheHostHurtItAlone() throws Exception {
    Modelled before = query(profile());
    Modelled after = query(times(profile(), "host.core_hz", 0.25));
    assertTrue(after.host().elapsedMs() > before.host().elapsedMs());
    assertEquals(before.device().elapsedMs(), after.device().elapsedMs(), 1e-9);
  }

  /** Of a flash page twice as large the second half is still in the register. */
  @Test
  void largerFlashPagesSaveReadsOfTheArray() throws Exception {
    double before = query(profile()).device().partMs("io");
    double after = query(times(profile(), "device.flash_page_bytes", 2)).device().partMs("io");
    assertTrue(after < 0.95 * before && after > 0.5 * before, after + " for " + before);
  }
}
