/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.wire.OffloadWire;

/** What {@code calibrate-host} refuses, and what it counts and predicts over its own index. */
class TestCalibrateHost {
  private static final HostCalibration.Size SMALL = new HostCalibration.Size(3000, 1, 1);

  @TempDir private Path dir;

  private static void fails(int code, String words, String... args) {
    CliRun run = CliRun.of((Object[]) args);
    assertEquals(code, run.code(), run.err());
    assertTrue(run.err().contains(words), run.err());
  }

  @Test
  void aFolderThatIsMissingOrFullIsNamed() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "x");
    fails(1, "there is no such folder", "calibrate-host", "--folder", dir + "/none");
    fails(1, "a file, not a folder", "calibrate-host", "--folder", file.toString());
    String tooMuch = Integer.toString(Integer.MAX_VALUE); // two petabytes
    fails(1, "MiB left", "calibrate-host", "--folder", dir.toString(), "--file-size", tooMuch);
    fails(2, ".json", "calibrate-host", "--folder", dir.toString(), "--write", "mine");
    fails(2, "--folder", "calibrate-host");
    try (Stream<Path> left = Files.list(dir)) {
      assertEquals(List.of(file), left.toList());
    }
  }

  @Test
  void theWorkOfQueriesIsCountedAndPredicted() throws IOException {
    DeviceProfile any = Profiles.load("pcie5-csd");
    HostCalibration calibration = new HostCalibration(any, SMALL, Progress.NONE);
    HostLab lab = calibration.index(dir);
    List<LabIndex.Task> tasks = LabIndex.tasks(4, 3);
    List<HostLab.Work> works = lab.count(tasks, any);
    assertEquals(tasks.size(), works.size());
    double[] sum = new double[ModelNames.WORK.size()];
    for (int i = 0; i < works.size(); i++) {
      HostLab.Work work = works.get(i);
      assertTrue(work.pages() > 0, tasks.get(i) + " read no page");
      for (int kind = 0; kind < sum.length; kind++) {
        sum[kind] += work.units()[kind];
      }
      double micros = ColdPrediction.micros(tasks.get(i), work, any);
      HostLab.Work none = new HostLab.Work(new double[sum.length], work.pages());
      double reads = ColdPrediction.micros(tasks.get(i), none, any);
      assertTrue(micros > reads && micros < 1e6, tasks.get(i) + ": " + micros);
    }
    for (String kind : List.of("page_open", "posting_decode", "posting_score", "result_take")) {
      assertTrue(sum[ModelNames.WORK.indexOf(kind)] > 0, kind);
    }
    assertEquals(works.get(5).pages(), lab.count(tasks, any).get(5).pages());
  }

  @Test
  void aSlowerDriveMakesColdQueriesSlower() throws IOException {
    DeviceProfile fast = Profiles.load("pcie5-csd");
    DeviceProfile slow = fast;
    for (int kind = 0; kind < 3; kind++) {
      slow = slow.with("device.flash_read_ns.page" + kind, 900_000, "slower");
    }
    LabIndex.Task task = LabIndex.tasks(1, 1).get(0);
    HostLab.Work work = new HostLab.Work(new double[ModelNames.WORK.size()], 40);
    double more = ColdPrediction.micros(task, work, slow) - ColdPrediction.micros(task, work, fast);
    assertTrue(more > 3 * 800, "three waves of reads, each 860 us longer: " + more);
  }

  /** What the processor does is predicted to take so many times as long, a session is not. */
  @Test
  void slowedCoresTakeTheirTime() throws IOException {
    DeviceProfile any = Profiles.load("pcie5-csd");
    HostLab lab = new HostCalibration(any, SMALL, Progress.NONE).index(dir);
    List<LabIndex.Task> tasks = LabIndex.tasks(1, 3);
    List<HostLab.Work> works = lab.count(tasks, any);
    int slow = 1000;
    long hz = any.get(MeasuredProfile.CORES);
    DeviceProfile one = any.with(MeasuredProfile.SESSION, 0, "none");
    DeviceProfile two = one.with(MeasuredProfile.CORES, hz / 2, "slowed");
    DeviceProfile opened = two.with(MeasuredProfile.SESSION, 10_000, "10 us");
    double[] micros = lab.withSlowerCores(slow).warm(tasks, 1);
    for (int i = 0; i < micros.length; i++) {
      assertTrue(micros[i] >= slow, tasks.get(i) + " took a microsecond, which became a thousand");
      HostLab.Work work = works.get(i);
      double fast = SessionPrediction.micros(work, one);
      double slower = SessionPrediction.micros(work, two);
      assertTrue(slower > fast && slower <= 2 * fast + 1, fast + ", then " + slower);
      assertEquals(10, SessionPrediction.micros(work, opened) - slower, 1e-3);
    }
  }

  /** Queries that all do the same: only cores of two speeds tell its cost from their own time. */
  @Test
  void aQuerysOwnTimeIsToldFromItsWork() throws IOException {
    double[] units = new double[ModelNames.WORK.size()];
    units[ModelNames.WORK.indexOf("posting_decode")] = 20_000;
    List<HostLab.Work> works = Collections.nCopies(5, new HostLab.Work(units, 0));
    double[] micros = {17, 17, 17, 17, 17}; // 10 of them work
    double[] slower = {27, 27, 27, 27, 27};
    List<CostFit.Program> programs = new ArrayList<>(MeasuredProfile.programs(works, micros, 1));
    programs.addAll(MeasuredProfile.programs(works, slower, 2));
    double[] expected = MeasuredProfile.expectations(Profiles.load("pcie5-csd"));
    double[] costs = CostFit.fit(programs, expected);
    assertEquals(0.5, costs[MeasuredProfile.MEASURED_WORK.indexOf("posting_decode")], 0.05);
    assertEquals(7000, costs[costs.length - 1], 700);
  }

  /** Pages of a slowed drive pass one after the other. */
  @Test
  void aSlowedDriveTakesAtLeastItsTime() throws IOException {
    try {
      DirectReader.check(dir, 1 << 20);
    } catch (Failure e) {
      assumeTrue(false, e.getMessage());
    }
    DeviceProfile any = Profiles.load("pcie5-csd");
    HostLab lab = new HostCalibration(any, SMALL, Progress.NONE).index(dir);
    List<LabIndex.Task> tasks = LabIndex.tasks(1, 3);
    List<HostLab.Work> works = lab.count(tasks, any);
    int rate = 1_000_000;
    double[] micros = lab.withDrive(rate).cold(tasks);
    for (int i = 0; i < micros.length; i++) {
      double least = 1e6 * OffloadWire.PAGE_BYTES * works.get(i).pages() / rate;
      assertTrue(micros[i] >= least, tasks.get(i) + ": " + micros[i] + " of " + least);
    }
  }
}
