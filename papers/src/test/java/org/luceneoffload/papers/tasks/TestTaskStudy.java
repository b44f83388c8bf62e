/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.classic.ProductionLists;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.TrendLine;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire;

/** Summarizer, on fewer pages than the report's. */
class TestTaskStudy {
  private static final int PAGES = 1_000;
  private static final int PAGES_OF_REPORT = QuickRun.times(400, PAGES);
  private static final double SCALE = 0.03;

  private static TaskLab lab;
  private static TaskRuns runs;

  @BeforeAll
  static void runTheWorkloads() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    lab = new TaskLab(PAGES);
    runs = new TaskRuns(profile(), new TaskWorkloads(TaskText.drawn().titles(), SCALE), lab);
  }

  @AfterAll
  static void close() {
    if (lab != null) {
      lab.close();
    }
  }

  private static DeviceProfile profile() throws IOException {
    return Profiles.load(Papers.profileOf(Papers.TASKS));
  }

  @Test
  void whatIsMissedHasItsReason() throws IOException {
    QuickRun.skipLong();
    TaskStudy study = new TaskStudy(TaskText.drawn(), PAGES_OF_REPORT, SCALE);
    PaperReport report = study.run(profile(), Progress.NONE);
    assertEquals(Published.of(Papers.TASKS).size(), report.figures().size());
    Set<String> missed = new TreeSet<>();
    for (Figure figure : report.figures()) {
      if (figure.verdict().equals("MISS")) {
        missed.add(figure.published().id());
        assertTrue(figure.reason() != null, figure::toString);
      }
    }
    for (TrendLine trend : report.trends()) {
      if (trend.verdict().equals("MISS")) {
        missed.add(trend.text());
        assertTrue(trend.reason() != null, trend::toString);
      }
    }
    assertTrue(TaskReasons.KNOWN.keySet().containsAll(missed), missed::toString);
    assertTrue(missed.contains("s3.slack"), missed::toString);
    assertTrue(missed.contains(TaskReasons.OVER_BASELINE), missed::toString);
    assertEquals(4 + 3, report.plots().size());
  }

  /** The table of queue lengths has the main result where it has as many places. */
  @Test
  void eightPlacesAreTheMainResult() throws IOException {
    for (Workload workload : runs.all()) {
      assertEquals(
          runs.gain(workload),
          TaskSweeps.ofPlaces(runs, workload, TaskLab.SLOTS),
          0.6,
          workload.name());
    }
  }

  /** A filter costs the device less than the program, where there is something to aggregate. */
  @Test
  void aFilterSavesWhatItDoesNotAggregate() throws IOException {
    Workload one = runs.workloads().of(TpchQuery.Q1);
    double filter = runs.handCoded(one).deviceMs();
    assertTrue(filter < 0.7 * runs.device(one).ms(), filter + " ms");
  }

  private static void moves(DeviceProfile to, boolean more) throws IOException {
    TaskRuns changed = runs.on(to);
    for (Workload workload : runs.all()) {
      double before = runs.gain(workload);
      double after = changed.dynamic(workload).gainPct(changed.host(workload));
      assertTrue(more ? after > before : after < before, before + " and " + after);
    }
  }

  @Test
  void afterFourTimesTheClockDynamicPlacementGainsMore() throws IOException {
    DeviceProfile profile = profile();
    moves(profile.with("device.core_hz", 4 * profile.get("device.core_hz"), "a test"), true);
  }

  /** A slower core of the host has more to do of each page, which the device takes from it. */
  @Test
  void aSlowerHostGainsMoreMilliseconds() throws IOException {
    DeviceProfile profile = profile();
    TaskRuns slow = runs.on(profile.with("host.core_hz", profile.get("host.core_hz") / 4, "test"));
    for (Workload workload : runs.all()) {
      double before = runs.host(workload).ms() - runs.dynamic(workload).ms();
      double after = slow.host(workload).ms() - slow.dynamic(workload).ms();
      assertTrue(after > before, workload.name() + ": " + after + " for " + before);
      assertEquals(runs.device(workload).ms(), slow.device(workload).ms(), 0.01);
    }
  }

  @Test
  void aWiderLinkIsLessOfABottleneck() throws IOException {
    DeviceProfile profile = profile();
    String link = "device.link_bytes_per_s";
    moves(profile.with(link, 2 * profile.get(link), "a test"), false);
  }

  /** More flash bandwidth leaves more for the device to do while the link is full. */
  @Test
  void moreChannelsAreNoLoss() throws IOException {
    DeviceProfile profile = profile();
    String channels = "device.flash_channels";
    DeviceProfile wide = profile.with(channels, 2 * profile.get(channels), "a test");
    for (Workload workload : runs.all()) {
      assertTrue(
          runs.on(wide).dynamic(workload).ms() <= 1.01 * runs.dynamic(workload).ms(),
          workload.name());
    }
    // Of more work, more pages find the queue full, and the host has them to do in the end.
    for (TpchQuery query : List.of(TpchQuery.Q6, TpchQuery.Q14)) {
      Workload workload = runs.workloads().of(query);
      TaskRuns fast = runs.on(TaskFit.faster(profile, 16));
      TaskRuns both = runs.on(TaskFit.faster(wide, 16));
      assertTrue(both.dynamic(workload).ms() < fast.dynamic(workload).ms(), workload.name());
    }
  }

  /** Half the time to read a page helps where few reads are under way, and harms nowhere. */
  @Test
  void quickerFlashIsNoLoss() throws IOException {
    DeviceProfile quick = profile();
    for (String page : List.of("page0", "page1")) {
      String path = "device.flash_read_ns." + page;
      quick = quick.with(path, quick.get(path) / 2, "a test");
    }
    TaskRuns changed = runs.on(quick);
    DeviceProfile one = profile().with("device.link_queue_depth", 1, "a test");
    DeviceProfile quickOne = quick.with("device.link_queue_depth", 1, "a test");
    for (Workload workload : runs.all()) {
      assertTrue(changed.dynamic(workload).ms() <= 1.01 * runs.dynamic(workload).ms());
      assertTrue(runs.on(quickOne).host(workload).ms() < runs.on(one).host(workload).ms());
    }
  }

  /** Commands that take ten times as long cost both sides, where they do not overlap. */
  @Test
  void slowerCommandsAreNoGain() throws IOException {
    DeviceProfile slow = profile();
    for (String path : List.of("device.link_command_ns", "device.link_completion_ns")) {
      slow = slow.with(path, 10 * slow.get(path), "a test");
    }
    DeviceProfile one = profile().with("device.link_queue_depth", 1, "a test");
    for (Workload workload : runs.all()) {
      assertTrue(runs.on(slow).dynamic(workload).ms() >= 0.99 * runs.dynamic(workload).ms());
      assertTrue(
          runs.on(slow.with("device.link_queue_depth", 1, "a test")).dynamic(workload).ms()
              > runs.on(one).dynamic(workload).ms());
    }
  }

  @Test
  void aSecondRunGivesTheSame() throws IOException {
    Workload query = runs.workloads().of(TpchQuery.Q14);
    for (Mode mode : List.of(Mode.DYNAMIC, Mode.fixed(150_000), Mode.HAND_CODED.overlapped())) {
      try (TaskLab one = new TaskLab(PAGES);
          TaskLab two = new TaskLab(PAGES)) {
        assertEquals(one.steady(profile(), query, mode), two.steady(profile(), query, mode));
      }
    }
  }

  /** The device builds the hash table if it does all; else the host does. */
  @Test
  void theBuildPhaseIsCharged() throws IOException {
    Workload joins = runs.workloads().of(TpchQuery.Q14);
    Workload without = new Workload("Q14 without", joins.pages());
    for (Mode mode : List.of(Mode.HOST, Mode.DEVICE, Mode.DYNAMIC, Mode.HAND_CODED)) {
      Outcome all = runs.of(joins, mode);
      Outcome probe = runs.of(without, mode);
      double device = all.busyMs().get("core") - probe.busyMs().get("core");
      double host = all.hostMs() - probe.hostMs();
      boolean builds = mode == Mode.DEVICE;
      assertEquals(builds, device > 1, mode::name); // ms; a session takes less
      assertEquals(mode != Mode.DEVICE, host > 1e-6, mode::name);
      assertTrue(all.ms() > probe.ms(), mode::name);
    }
  }

  /**
   * What windows of lists count together is what the plan counts, and the same work but for ends.
   */
  @Test
  void windowsOfListsAreThePlanInParts() throws IOException {
    try (ProductionLab lists = new ProductionLab(profile())) {
      for (Operation operation : List.of(Operation.INTERSECTION, Operation.UNION)) {
        ProductionLists.Windows whole =
            lists.windows(ListWindows.LISTS, operation, false, Integer.MAX_VALUE);
        ProductionLists.Windows parts = lists.windows(ListWindows.LISTS, operation, false, 64);
        assertEquals(1, whole.reports().size());
        assertTrue(parts.reports().size() > 4);
        assertEquals(whole.matches(), parts.matches());
        long pages = whole.reports().getFirst().pageLoads();
        Workload windows = ListWindows.workload("parts", parts.reports());
        long bytes = windows.pages().stream().mapToLong(TaskPage::bytes).sum();
        assertTrue(bytes >= pages * OffloadWire.PAGE_BYTES, bytes + " bytes");
        // Each end of a window is in a page of each list, which both its windows read.
        long ends = 2L * parts.reports().size();
        assertTrue(bytes <= (pages + ends) * OffloadWire.PAGE_BYTES, bytes + " bytes");
      }
    }
  }

  @Test
  void fittingGivesTheNumbersAgain() throws IOException {
    QuickRun.skipLong();
    TaskStudy study = new TaskStudy(TaskText.drawn());
    DeviceProfile off = profile();
    for (String path : TaskFit.profilePaths()) {
      off = off.with(path, 77_000_000, "far off");
    }
    study
        .fit(off, Progress.NONE)
        .forEach(
            (path, value) -> {
              try {
                assertEquals(study.inUse(profile(), path), value, path);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
  }

  /** While the link is the bottleneck, the device does 1 / (1 + s r) and gains 1 / (s r). */
  @Test
  void closedFormulasHoldInTheSteadyState() throws IOException {
    DeviceProfile wide =
        profile().with("device.channel_bytes_per_s", 400_000_000, "wider than any need");
    for (int tokens : new int[] {20_000, 40_000, 80_000}) {
      Work work = new Work(0, 0, tokens);
      Workload workload =
          new Workload("w" + tokens, List.of(new TaskPage(work, work, Work.NONE, 0)));
      TaskRuns one = runs.on(wide);
      Outcome host = one.host(workload);
      double product = one.device(workload).ms() / host.deviceMs();
      assertEquals(1 / (1 + product), one.dynamic(workload).onDevice(), 0.005, workload.name());
      assertEquals(100 / product, one.gain(workload), 0.7, workload.name());
      // A static share takes the longer of link and core, then the host its part.
      Outcome third = one.of(workload, Mode.fixed(300_000));
      double longer = Math.max(0.7 * host.deviceMs(), 0.3 * one.device(workload).ms());
      assertEquals(longer + 0.7 * host.hostMs(), third.ms(), 0.02 * third.ms());
    }
  }

  @Test
  void aProfileWithoutTheCostsIsRefused() throws IOException {
    DeviceProfile lacking = profile().with("host.work.tuple_read.core_millicycles", 0, "a test");
    TaskStudy study = new TaskStudy(TaskText.drawn(), PAGES, SCALE);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> study.run(lacking, Progress.NONE));
    assertTrue(e.getMessage().contains("host.work.tuple_read"), e.getMessage());
    assertTrue(e.getMessage().contains(lacking.name()), e.getMessage());
    assertEquals(null, study.missing(profile()));
  }

  /** Sixteen times the power is that of any profile, whatever clock it begins with. */
  @Test
  void everyDeviceGetsFaster() throws IOException {
    for (String name : Profiles.names()) {
      DeviceProfile own = Profiles.load(name);
      DeviceProfile fast = TaskFit.faster(own, 16);
      fast.wireArray();
      assertEquals(16 * power(own), power(fast), name);
    }
  }

  private static long power(DeviceProfile profile) {
    return profile.get("device.core_hz") * profile.get("device.core_count");
  }
}
