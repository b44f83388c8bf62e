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
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;

/** The fit finds the constants of drives, and of costs, that are scripted. */
class TestDriveFit {
  private static final double MEMORY = 10e9;

  /**
   * A drive whose reads take a time and a time for each byte alone, and many at once so many a
   * second, and so many bytes a second.
   */
  private record Scripted(double ns, double nsPerByte, double rate, double bandwidth)
      implements DriveReader {
    @Override
    public Point measure(int bytes, int depth) {
      double alone = 1e9 / (ns + nsPerByte * bytes);
      double most = Math.min(rate, bandwidth / bytes);
      return new Point(bytes, depth, Math.min(depth * alone, most), depth == 1 ? 4000 : 0);
    }
  }

  private static final List<Scripted> DRIVES =
      List.of(
          new Scripted(60_000, 0.5, 400_000, 6e9), // flash behind PCIe
          new Scripted(50_000, 1.3, 80_000, 1e9), // a disk of a virtual machine
          new Scripted(110_000, 2.5, 90_000, 5.4e8)); // flash behind SATA

  @Test
  void theConstantsOfAScriptedDriveAreFound() throws IOException {
    for (Scripted drive : DRIVES) {
      DriveFit.Drive found = DriveFit.fit(DriveFit.measure(drive, text -> {}), MEMORY);
      assertEquals(4000, found.cpuNs(), 1);
      assertEquals(drive.ns, found.cpuNs() + found.waitNs() + found.readNs(), 0.01 * drive.ns);
      assertEquals(drive.bandwidth, found.linkBytesPerS(), 0.01 * drive.bandwidth);
      double busy = found.readNs() + 4096e9 / found.channelBytesPerS();
      assertEquals(drive.rate, found.dies() * 1e9 / busy, 0.02 * drive.rate, "" + found);
      double aByte = 1e9 / found.channelBytesPerS() + 1e9 / found.linkBytesPerS() + 1e9 / MEMORY;
      assertEquals(drive.nsPerByte, aByte, 0.02 * drive.nsPerByte);
    }
  }

  @Test
  void theModelPlaysTheReadsOfTheDriveThatItWasFittedTo() throws IOException {
    Scripted drive = DRIVES.get(1);
    List<DriveReader.Point> points = DriveFit.measure(drive, text -> {});
    List<HostReport.Read> reads =
        HostCalibration.reads(points, profile(DriveFit.fit(points, MEMORY)));
    int close = 0;
    for (HostReport.Read read : reads) {
      boolean alone = read.depth() == 1 && read.bytes() <= DriveFit.FLASH_PAGE_BYTES;
      if (alone || read.depth() == 256) {
        assertEquals(0, read.errorPct(), alone ? 3 : 12, "" + read);
      }
      close += Math.abs(read.errorPct()) <= 20 ? 1 : 0;
    }
    assertTrue(close >= 0.6 * reads.size(), close + " of " + reads.size());
  }

  private static DeviceProfile profile(DriveFit.Drive drive) throws IOException {
    DeviceProfile other = Profiles.load("pcie5-csd");
    double[] costs = MeasuredProfile.expectations(other);
    return MeasuredProfile.of(other, "a script, today", drive, MEMORY, costs, 30_000);
  }

  @Test
  void theProfileLoadsAgainAndSaysWhatWasMeasured() throws IOException {
    DriveFit.Drive drive = DriveFit.fit(DriveFit.measure(DRIVES.get(0), text -> {}), MEMORY);
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
