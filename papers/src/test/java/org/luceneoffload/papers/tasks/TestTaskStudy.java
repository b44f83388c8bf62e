/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.classic.ProductionLists;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Verdicts;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire;

/** Summarizer, on fewer pages than the report's, and a drawn text. */
class TestTaskStudy {
  private static final int PAGES = 1_000;

  @BeforeEach
  void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static DeviceProfile profile() throws IOException {
    return Profiles.load(Papers.profileOf(Papers.TASKS));
  }

  /** Records of ten to fourteen words, few of them frequent. */
  private static TaskText text() {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder();
      for (int words = 10 + random.nextInt(5); words > 0; words--) {
        line.append(" w").append((int) Math.exp(random.nextDouble() * 10));
      }
      lines.add(line.toString());
    }
    return new TaskText("a drawn text", lines);
  }

  private static PaperReport run(DeviceProfile profile) throws IOException {
    return new TaskStudy(profile, text(), line -> {}, PAGES, PAGES).run();
  }

  @Test
  void everyFigureAndStatementIsMetOrHasItsReason() throws IOException {
    Verdicts.check(run(profile()), TaskReasons.KNOWN);
  }

  @Test
  void aSecondRunGivesTheSame() throws IOException {
    Workload query = new Workload("Q6", LineItemQuery.Q6.run(PAGES / 2).pages());
    for (Mode mode : List.of(Mode.DYNAMIC, Mode.fixed(150_000), Mode.HAND_CODED.overlapped())) {
      try (TaskLab one = new TaskLab(PAGES);
          TaskLab two = new TaskLab(PAGES)) {
        assertEquals(one.steady(profile(), query, mode), two.steady(profile(), query, mode));
      }
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
  void fittingGivesTheProfilesNumbersAgain() throws IOException {
    DeviceProfile profile = profile();
    DeviceProfile off = profile;
    for (String path : TaskFit.paths()) {
      off = off.with(path, 77_000_000, "far off");
    }
    TaskFit.fit(off, text -> {})
        .forEach((path, value) -> assertEquals(profile.get(path), value, path));
  }

  /** While the link is the bottleneck, the device does 1 / (1 + s r) and gains 1 / (s r). */
  @Test
  void closedFormulasHoldInTheSteadyState() throws IOException {
    DeviceProfile wide =
        profile().with("device.channel_bytes_per_s", 400_000_000, "wider than any need");
    try (TaskLab lab = new TaskLab(PAGES)) {
      for (int tokens : new int[] {20_000, 40_000, 80_000}) {
        Work work = new Work(0, 0, tokens);
        Workload workload =
            new Workload("w" + tokens, List.of(new TaskPage(work, work, Work.NONE, 0)));
        Outcome host = lab.steady(wide, workload, Mode.HOST);
        Outcome device = lab.steady(wide, workload, Mode.DEVICE);
        Outcome dynamic = lab.steady(wide, workload, Mode.DYNAMIC);
        double product = device.ms() / host.deviceMs();
        assertEquals(1 / (1 + product), dynamic.onDevice(), 0.005, workload.name());
        assertEquals(100 / product, dynamic.gainPct(host), 0.7, workload.name());
        // A static share takes the longer of link and core, then the host its part.
        Outcome third = lab.steady(wide, workload, Mode.fixed(300_000));
        double longer = Math.max(0.7 * host.deviceMs(), 0.3 * device.ms());
        assertEquals(longer + 0.7 * host.hostMs(), third.ms(), 0.02 * third.ms());
      }
    }
  }

  @Test
  void aProfileWithoutTheCostsIsRefused() throws IOException {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> run(Profiles.load("pcie5-csd")));
    assertTrue(e.getMessage().contains("host.work.tuple_read"), e.getMessage());
    assertTrue(e.getMessage().contains("pcie5-csd"), e.getMessage());
  }
}
