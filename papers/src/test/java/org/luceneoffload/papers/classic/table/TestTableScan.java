/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.table.Query.Found;
import org.luceneoffload.wire.OffloadWire.ModelSide;

class TestTableScan {
  /** The figures of section 4.2.1 of the paper of 2013, and the one between. */
  @Test
  void pagesHoldAsManyRowsAsThePaperSays() {
    assertEquals(323, TablePage.rowsOf(4));
    assertEquals(109, TablePage.rowsOf(16));
    assertEquals(29, TablePage.rowsOf(64));
  }

  @Test
  void bothLayoutsHoldTheSameValues() {
    for (int columns : new int[] {4, 16, 64}) {
      TablePage rows = new TablePage(columns, Layout.NSM);
      TablePage parts = new TablePage(columns, Layout.PAX);
      rows.fill(1000);
      parts.fill(1000);
      for (int row = 0; row < rows.rows(); row++) {
        for (int column = 0; column < columns; column++) {
          assertEquals(TablePage.valueOf(1000 + row, column), rows.value(row, column));
          assertEquals(rows.value(row, column), parts.value(row, column));
        }
      }
    }
  }

  /** Layout and side do not change an answer; it is that of all rows, one after the other. */
  @Test
  void answersAreThoseOfTheRows() {
    TableScan nsm = new TableScan(16, 10_000, Layout.NSM);
    TableScan pax = new TableScan(16, 10_000, Layout.PAX);
    List<Query> queries = List.of(Query.ofPpm(1000, false), Query.ofPpm(100_000, true));
    for (Query query : queries) {
      Found expected = brute(query, nsm.pages() * TablePage.rowsOf(16));
      assertTrue(expected.matches() > 0);
      for (TableScan scan : List.of(nsm, pax)) {
        for (TableScan.Recorded recorded :
            List.of(scan.onDevice(List.of(query)).get(0), scan.onHost(List.of(query)).get(0))) {
          assertEquals(expected, recorded.found());
          recorded.log().close();
        }
      }
    }
  }

  private static Found brute(Query query, long rows) {
    long matches = 0;
    long sum = 0;
    for (long row = 0; row < rows; row++) {
      if (TablePage.valueOf(row, 0) < query.bound()) {
        matches++;
        sum += TablePage.valueOf(row, 1);
      }
    }
    return new Found(matches, sum);
  }

  /** Every page is read once, on both sides, and every row is looked at once. */
  @Test
  void everyPageIsReadOnce() throws Exception {
    byte[] profile = Profiles.load("smart-ssd-sas-2013").wireArray();
    TableScan scan = new TableScan(64, 3000, Layout.NSM);
    List<Query> one = List.of(Query.ofPpm(1000, true));
    for (int side : new int[] {ModelSide.DEVICE, ModelSide.HOST}) {
      TableScan.Recorded recorded =
          (side == ModelSide.DEVICE ? scan.onDevice(one) : scan.onHost(one)).get(0);
      ModelReport report = ModelReport.read(recorded.log().play(profile, side));
      recorded.log().close();
      assertEquals(scan.pages(), report.flashReads());
      assertEquals(scan.bytes(), report.bytesRead());
      assertEquals(scan.pages() * 29, report.work().get("tuple_read"));
    }
  }
}
