/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;

/** The fit finds the constants of drives, and of costs, that are scripted. */
class TestDriveFit {
  private static final double MEMORY = 10e9;
  private static final DeviceProfile OTHER = other();

  private static DeviceProfile other() {
    try {
      return Profiles.load("pcie5-csd");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Drives that the model plays: what is measured of them is what the player says. */
  private static final List<DriveFit.Drive> DRIVES =
      List.of(
          new DriveFit.Drive(4000, 9000, 50_000, 24, 2.4e9, 6e9), // flash behind PCIe
          new DriveFit.Drive(4000, 30_000, 70_000, 8, 0.5e9, 5.4e8)); // flash behind SATA

  private static byte[] wire(DriveFit.Drive drive) {
    return profile(drive).wireArray();
  }

  private static List<DriveReader.Point> points(DriveFit.Drive drive) throws IOException {
    byte[] profile = wire(drive);
    return DriveFit.measure(
        (bytes, depth) ->
            new DriveReader.Point(
                bytes,
                depth,
                depth * 1e9 / ReadPlay.latencyNs(profile, bytes, depth),
                depth == 1 ? drive.cpuNs() : 0),
        Progress.NONE);
  }

  private static DriveFit.Drive fit(List<DriveReader.Point> points) {
    return DriveFit.fit(points, MEMORY, TestDriveFit::wire);
  }

  @Test
  void theModelPlaysTheReadsOfADriveThatItWasFittedTo() throws IOException {
    QuickRun.skipLong();
    for (DriveFit.Drive drive : QuickRun.drawn(1, DRIVES)) {
      List<DriveReader.Point> points = points(drive);
      DriveFit.Drive found = fit(points);
      assertEquals(drive.cpuNs(), found.cpuNs(), 1);
      for (HostReport.Read read : HostCalibration.reads(points, profile(found))) {
        assertEquals(0, read.errorPct(), 15, drive + ": " + found + ": " + read);
      }
    }
  }

  /**
   * Reads of such a drive take twice of what its most reads and its most bytes a second say, where
   * both are near: that is played, too.
   */
  @Test
  void aDriveThatWorksOnOneReadAfterTheOtherIsOneDie() throws IOException {
    QuickRun.skipLong();
    List<DriveReader.Point> points =
        DriveFit.measure(
            (bytes, depth) -> {
              double busy = 7000 + 0.55 * bytes;
              double alone = 20_000 + busy + bytes * 1e9 / MEMORY;
              double rate = 1e9 / Math.max(busy, alone / depth);
              return new DriveReader.Point(bytes, depth, rate, depth == 1 ? 5000 : 0);
            },
            Progress.NONE);
    DriveFit.Drive found = fit(points);
    assertEquals(1, found.dies(), "" + found);
    for (HostReport.Read read : HostCalibration.reads(points, profile(found))) {
      assertEquals(0, read.errorPct(), 12, found + ": " + read);
    }
  }

  private static DeviceProfile profile(DriveFit.Drive drive) {
    double[] costs = MeasuredProfile.expectations(OTHER);
    return MeasuredProfile.of(OTHER, "a script, today", drive, MEMORY, costs, 30_000);
  }

  @Test
  void theProfileLoadsAgainAndSaysWhatWasMeasured() throws IOException {
    DriveFit.Drive drive = DRIVES.get(0);
    DeviceProfile made = profile(drive);
    DeviceProfile read = Profiles.read(Profiles.write(made), "mine.json");
    assertTrue(Arrays.equals(made.wireArray(), read.wireArray()));
    assertEquals(made.values().keySet(), read.values().keySet());
    assertEquals(Math.round(drive.readNs()), read.get("device.flash_read_ns.page0"));
    assertTrue(read.values().get("host.read_wait_ns").calibrated());
    String source = read.values().get("host.read_wait_ns").source();
    assertTrue(source.startsWith("measured on a script, today: reads of"), source);
    source = read.values().get("device.session_open_ns").source();
    assertTrue(source.startsWith("not measured, as pcie5-csd: "), source);
    assertEquals(null, read.missing("s3", List.of("host.work.tuple_read")));
  }

  private static List<CostFit.Program> programs(double[] costs, int count, boolean alike) {
    SplittableRandom random = new SplittableRandom(7);
    List<CostFit.Program> programs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] units = new double[costs.length];
      double length = Math.pow(10, 2 + 2 * random.nextDouble());
      for (int kind = 0; kind < units.length; kind++) {
        units[kind] = Math.round(length * (alike ? 1 : random.nextDouble()));
      }
      units[units.length - 1] = 1;
      programs.add(new CostFit.Program(units, CostFit.time(units, costs)));
    }
    return programs;
  }

  @Test
  void theCostsOfScriptedProgramsAreFound() {
    double[] costs = {3, 0.5, 12, 0, 9000};
    double[] found = CostFit.fit(programs(costs, 200, false), new double[] {1, 1, 1, 1, 20_000});
    for (int i = 0; i < costs.length; i++) {
      assertEquals(costs[i], found[i], 0.02 * costs[i] + 0.1, "kind " + i);
    }
  }

  @Test
  void whereProgramsAreAlikeTheExpectedProportionHolds() {
    double[] costs = {2, 4, 1000};
    double[] found = CostFit.fit(programs(costs, 50, true), new double[] {10, 20, 5000});
    assertEquals(6, found[0] + found[1], 0.1);
    assertEquals(2, found[1] / found[0], 0.2);
  }
}
