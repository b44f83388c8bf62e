/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Verdicts;
import org.luceneoffload.papers.tables.SessionStudy.Together;

/** The paper of 2013, on smaller tables than the report's. */
class TestTableStudy {
  private static final int SMALL = QuickRun.times(1024, 512);

  @BeforeEach
  void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static DeviceProfile profile() throws Exception {
    return Profiles.load(Papers.profileOf(Papers.TABLES));
  }

  @Test
  void everyFigureAndStatementIsMetOrHasItsReason() throws Exception {
    PaperReport report = new TableStudy(SMALL).run(profile(), Progress.NONE);
    Verdicts.check(report, TableReasons.KNOWN);
    assertEquals(4, report.trends().size());
    assertEquals(6, report.count(Published.Kind.COUNT, "pass"));
    assertEquals(10, report.tables().size());
    assertEquals(8, report.plots().size());
    // Published points are drawn where the text gives them.
    long drawn =
        report.plots().stream()
            .flatMap(plot -> plot.series().stream())
            .filter(Plot.Series::published)
            .count();
    assertEquals(7, drawn);
  }

  @Test
  void fittingGivesTheProfilesNumbersAgain() throws Exception {
    QuickRun.skipLong();
    DeviceProfile profile = profile();
    TableFit.fit(profile, Progress.NONE)
        .forEach((path, value) -> assertEquals(profile.get(path), value, path));
  }

  /** On another device nothing is a target. */
  @Test
  void otherDevicesHaveNoTargets() throws Exception {
    PaperReport report = new TableStudy(8 * SMALL).run(Profiles.load("pcie5-csd"), Progress.NONE);
    report.figures().forEach(figure -> assertEquals("shown", figure.verdict(), figure::toString));
    assertEquals(0, report.count(Published.Kind.PREDICTED, "pass"));
  }

  /** A scan is in a steady state: a smaller table gives the same time of the whole one. */
  @Test
  void timesDoNotDependOnTheScale() throws Exception {
    List<Query> query = List.of(Query.ofPpm(1000, false));
    try (TableStore store = new TableStore()) {
      for (int side : new int[] {1, 2}) {
        List<Double> seconds = new ArrayList<>();
        for (int scale : new int[] {256, 1024}) {
          seconds.add(
              TableLab.run(store, profile(), side, 64, Layout.NSM, query, scale).get(0).seconds());
        }
        assertEquals(seconds.get(0), seconds.get(1), 0.02 * seconds.get(0));
      }
    }
  }

  @Test
  void memoryAndQuantaShareTheDevice() throws Exception {
    byte[] bytes = profile().wireArray();
    List<Query> query = List.of(Query.ofPpm(1000, true));
    try (TableStore store = new TableStore();
        EventLog log = TableLab.table(64, Layout.NSM, 8192).onDevice(store, query).get(0).log()) {
      List<EventLog> logs = List.of(log);
      EventLog.Runtime one = EventLog.Runtime.quantum(4).memory(128, 128);
      EventLog.Runtime all = EventLog.Runtime.quantum(4).memory(1024, 128);
      EventLog.Runtime whole = EventLog.Runtime.quantum(0).memory(1024, 128);
      Together inTurn = SessionStudy.play(bytes, logs, 8, one);
      Together shared = SessionStudy.play(bytes, logs, 8, all);
      Together kept = SessionStudy.play(bytes, logs, 8, whole);
      assertTrue(inTurn.firstMs() < shared.firstMs(), inTurn + ", " + shared);
      assertTrue(kept.firstMs() < shared.firstMs(), kept + ", " + shared);
      assertEquals(inTurn.pages(), shared.pages());
      // Adaptive polls ask in vain less often.
      Together later = SessionStudy.play(bytes, logs, 8, all.polls(100_000_000L, 80_000_000_000L));
      assertTrue(later.polls() < shared.polls(), later + ", " + shared);
    }
  }
}
