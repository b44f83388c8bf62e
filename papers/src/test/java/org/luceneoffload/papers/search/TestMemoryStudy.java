/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.model.Profiles;

/** Lists longer than device memory: what is loaded, and what reading ahead and DMA change. */
class TestMemoryStudy {
  @Test
  void lessMemoryLoadsMoreAndReadAheadHelps() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    MemoryStudy study = MemoryStudy.run(Profiles.load("smart-ssd-sas"));
    List<List<Object>> rows = study.table().rows();
    assertEquals(21, rows.size());
    // 4 MB in 1 MB of memory: eight chunks of half of it; for each the 16 MB up to its last
    // document.
    assertEquals("solution 2: chunks", rows.get(0).get(2));
    assertEquals(512 + 2048 * (1 + 8) / 2.0, (Long) rows.get(0).get(3), 200);
    assertEquals("solution 1: streamed", rows.get(3).get(2));
    assertEquals(2560, (Long) rows.get(3).get(3), 5);
    assertEquals("all in memory", rows.get(5).get(2));
    assertEquals(2560L, rows.get(5).get(3));
    for (List<Object> row : rows) {
      double plain = (Double) row.get(4);
      double ahead = (Double) row.get(5);
      double dma = (Double) row.get(6);
      // Of a union, which sends page by page, the host's polls take all that is gained.
      boolean union = row.get(0).equals("union");
      assertTrue(union ? ahead <= plain + 1 : ahead < plain, row.toString());
      assertTrue(union ? dma <= ahead + 1 : dma < ahead, row.toString());
    }
    for (int i = 1; i < 7; i++) {
      assertTrue((Long) rows.get(i).get(3) <= (Long) rows.get(i - 1).get(3));
    }
    assertEquals(4, study.plot().series().size());
  }
}
