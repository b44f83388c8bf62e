/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.tables.EngineStudy.Answer;

/** The paper's queries on the production engine: answers and pages. */
class TestEngineStudy {
  @Test
  void answersAreThoseOfTheRowsAndColumnsStandApart() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    var profile = Profiles.load(Papers.profileOf(Papers.TABLES));
    List<Answer> selections = EngineStudy.answers(profile, false);
    List<Answer> sums = EngineStudy.answers(profile, true);
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
}
