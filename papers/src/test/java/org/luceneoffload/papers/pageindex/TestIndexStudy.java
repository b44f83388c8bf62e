/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Verdicts;

/** The paper on page indexes. */
class TestIndexStudy {
  private static void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  private static DeviceProfile profile() throws Exception {
    return Profiles.load(Papers.profileOf(Papers.PAGE_INDEX));
  }

  @Test
  void everyFigureAndStatementIsMetOrHasItsReason() throws Exception {
    assumeSimulator();
    PaperReport report = new IndexStudy(profile(), text -> {}).run();
    Verdicts.check(report, IndexReasons.KNOWN);
    assertEquals(6, report.trends().size());
  }

  @Test
  void fittingGivesTheNumbersAgain() throws Exception {
    assumeSimulator();
    DeviceProfile profile = profile();
    IndexFit.fit(profile, text -> {})
        .forEach((name, value) -> assertEquals(IndexFit.inUse(profile, name), value, name));
  }

  /**
   * No index loses a page with a match, and those of the host ask for all that the device finds.
   */
  @Test
  void noPageWithAMatchIsMissed() {
    PageTable table = new PageTable();
    for (int query = 0; query < 200; query++) {
      for (PageTable.Range range : PageTable.query(query)) {
        TreeSet<Integer> exact = table.exact(range);
        TreeSet<Integer> indexed = table.indexed(range);
        assertFalse(exact.isEmpty());
        assertTrue(indexed.containsAll(exact), range::toString);
        assertTrue(table.candidates(range).containsAll(indexed), range::toString);
        assertTrue(table.skipper(range).containsAll(indexed), range::toString);
      }
    }
  }

  /** Power is lost after every step of a write, and of several writes under way. */
  @Test
  void aCrashBuildsWhatWasNotMarked() {
    assertTrue(CrashCheck.holds());
    RedoIndex index = new RedoIndex(4);
    index.write(0, new int[] {5, 3});
    index.write(1, new int[] {7}, RedoIndex.Step.BUILT);
    index.write(2, new int[] {9, 1, 4}, RedoIndex.Step.PROGRAMMED);
    index.write(3, new int[] {8}, RedoIndex.Step.CLEARED);
    assertEquals(List.of(1, 2, 3), index.recover());
    assertEquals(List.of(), index.recover());
    assertEquals(1, index.least(2));
    assertEquals(9, index.greatest(2));
    assertTrue(index.mayMatch(0, 3, 4));
    assertFalse(index.mayMatch(0, 6, 100));
    assertFalse(index.mayMatch(3, Integer.MIN_VALUE, Integer.MAX_VALUE), "nothing was written");
  }
}
