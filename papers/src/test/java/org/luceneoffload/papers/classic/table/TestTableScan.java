/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Query.Found;
import org.luceneoffload.wire.OffloadWire.ModelSide;

class TestTableScan {
  /** The shape is the engine's; pages made in Java have the same. */
  @Test
  void pagesHoldAsManyRowsAsThePaperSays() {
    assertEquals(323, TableScan.rowsOf(4));
    assertEquals(109, TableScan.rowsOf(16));
    assertEquals(29, TableScan.rowsOf(64));
    for (int columns = 2; columns <= 64; columns++) {
      assertEquals(TablePage.rowsOf(columns), TableScan.rowsOf(columns));
    }
  }

  /** Answers are those of pages made and scanned in Java, on both sides, in both layouts. */
  @Test
  void answersAreThoseOfPagesInJava() throws Exception {
    List<Query> queries = List.of(Query.ofPpm(1000, false), Query.ofPpm(100_000, true));
    try (TableStore store = new TableStore()) {
      for (Layout layout : Layout.values()) {
        TableScan scan = new TableScan(16, 10_000, layout);
        for (int side : new int[] {ModelSide.DEVICE, ModelSide.HOST}) {
          List<TableScan.Recorded> all = scan.run(store, side, queries);
          for (int i = 0; i < queries.size(); i++) {
            Found expected = inJava(scan, queries.get(i));
            assertTrue(expected.matches() > 0);
            assertEquals(expected, all.get(i).found());
            all.get(i).log().close();
          }
        }
      }
    }
  }

  private static Found inJava(TableScan scan, Query query) {
    TablePage page = new TablePage(scan.columns(), scan.layout());
    long matches = 0;
    long sum = 0;
    for (long number = 0; number < scan.pages(); number++) {
      page.fill(number * page.rows());
      for (int row = 0; row < page.rows(); row++) {
        if (page.value(row, 0) < query.bound()) {
          matches++;
          sum += page.value(row, 1);
        }
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
    try (TableStore store = new TableStore()) {
      for (int side : new int[] {ModelSide.DEVICE, ModelSide.HOST}) {
        TableScan.Recorded recorded = scan.run(store, side, one).get(0);
        ModelReport report = ModelReport.read(recorded.log().play(profile, side));
        recorded.log().close();
        assertEquals(scan.pages(), report.flashReads());
        assertEquals(scan.bytes(), report.bytesRead());
        assertEquals(scan.pages() * 29, report.work().get("tuple_read"));
      }
    }
  }

  @Test
  void whatIsWrongIsNamed() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> TableScan.rowsOf(1));
    try (TableStore store = new TableStore()) {
      TableScan none = new TableScan(4, 0, Layout.NSM);
      List<Query> one = List.of(Query.ofPpm(1000, true));
      String message =
          assertThrows(IllegalArgumentException.class, () -> none.onHost(store, one)).getMessage();
      assertTrue(message.contains("rows is 0"), message);
      List<Query> nine = Collections.nCopies(9, one.get(0));
      assertThrows(IllegalArgumentException.class, () -> none.onHost(store, nine));
    }
  }
}
