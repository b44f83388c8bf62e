/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.tables.EngineStudy.Answer;

/** The paper's queries on the production engine: answers and pages. */
class TestEngineStudy {
  @Test
  void answersAreThoseOfTheRowsAndColumnsStandApart() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    var profile = Profiles.load(Papers.profileOf(Papers.TABLES));
    List<Answer> selections;
    List<Answer> sums;
    try (EngineTable engine = new EngineTable()) {
      selections = engine.answers(profile, false);
      sums = engine.answers(profile, true);
    }
    long[] matches = new long[3];
    long[] sum = new long[3];
    SplittableRandom random = new SplittableRandom(1);
    for (long row = 0; row < TableLab.ROWS / 2048; row++) {
      int a = random.nextInt(Query.RANGE);
      int b = random.nextInt(Query.RANGE);
      for (int i = 0; i < 3; i++) {
        if (a < Query.ofPpm(TableLab.SELECTIVITIES.get(i), false).bound()) {
          matches[i]++;
          sum[i] += b;
        }
      }
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(matches[i], selections.get(i).matches());
      assertEquals(matches[i], sums.get(i).matches());
      assertEquals(sum[i], sums.get(i).sum());
      assertTrue(sums.get(i).device().seconds() > 0);
      assertTrue(sums.get(i).host().seconds() > 0);
    }
    // A selection of all rows need not look at a value; one of some reads a column, 20 bits a row.
    long column = TableLab.ROWS / 2048 * 20 / 8 / 4096;
    assertEquals(column, selections.get(1).pages(), 0.2 * column);
    assertTrue(sums.get(1).pages() > 1.8 * column);
  }

  private static EngineSessions.Outcome sessions(
      DeviceProfile profile, List<EventLog> logs, int sessions, int memoryMb) throws Exception {
    long bytes = (long) memoryMb * EngineSessions.GRANT_BYTES;
    return EngineSessions.play(profile.wireArray(), logs, sessions, bytes);
  }

  /** The engine refuses as many OPENs as its memory does not hold; those wait, none is lost. */
  @Test
  void sessionsCompeteForMemoryAndCores() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    var profile = Profiles.load(Papers.profileOf(Papers.TABLES));
    var fast = profile.with("device.core_hz", 4 * profile.get("device.core_hz"), "a test");
    var more = profile.with("device.core_count", 4, "a test");
    List<EventLog> logs;
    try (EngineTable engine = new EngineTable()) {
      logs = EngineSessions.logs(engine.answers(profile, true));
    }
    try {
      var all = sessions(profile, logs, 6, 6);
      assertEquals(0, all.refused());
      assertEquals(0, all.waitMs());
      var two = sessions(profile, logs, 6, 2);
      assertEquals(4, two.refused());
      var one = sessions(profile, logs, 6, 1);
      assertEquals(5, one.refused());
      assertTrue(one.waitMs() > two.waitMs() && two.waitMs() > 0, one + ", " + two);
      assertTrue(one.lastMs() >= two.lastMs() && two.lastMs() >= all.lastMs(), one + ", " + two);
      assertTrue(one.firstMs() <= all.firstMs(), "a session alone is not disturbed");
      assertTrue(sessions(fast, logs, 6, 6).meanMs() < all.meanMs());
      assertTrue(sessions(more, logs, 6, 6).meanMs() < all.meanMs());
      assertEquals(two, sessions(profile, logs, 6, 2));
    } finally {
      logs.forEach(EventLog::close);
    }
  }
}
