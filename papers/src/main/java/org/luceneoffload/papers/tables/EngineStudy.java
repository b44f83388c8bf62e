/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.classic.Recording;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.papers.tables.TableScans.Where;

/**
 * The paper's queries as plans of the production engine, over an index that the project's codec
 * wrote: a column range, counted, and a column range with an aggregate. A column stands in pages of
 * its own, so the number of columns does not matter; the engine's recorder times the plans.
 */
final class EngineStudy {
  private EngineStudy() {}

  /**
   * What a query took at full size.
   *
   * @param device on the device
   * @param host the same plan on the host
   * @param pages of columns that it loaded of the scaled table
   * @param matches rows of the scaled table
   * @param sum of their second column; 0 if it was not asked for
   * @param recording of its plan
   * @param openedBytes of the plan
   */
  record Answer(
      Full device,
      Full host,
      long pages,
      long matches,
      long sum,
      Recording recording,
      long openedBytes) {}

  /**
   * Runs the queries, and returns their table beside the paper's scans of 64 columns, and that of
   * several at once.
   */
  static List<Table> run(DeviceProfile profile, TableScans scans) throws IOException {
    try (EngineTable engine = new EngineTable()) {
      List<Answer> selections = engine.answers(profile, false);
      List<Answer> sums = engine.answers(profile, true);
      return List.of(alone(scans, selections, sums), EngineSessions.run(profile, selections, sums));
    }
  }

  private static Table alone(TableScans scans, List<Answer> selections, List<Answer> totals) {
    Table table =
        Table.of(
                "The same queries on the production engine",
                "400 million rows, two columns of an index that this project's codec wrote; plans"
                    + " of a column range, counted, and of a column range with an aggregate, under"
                    + " the engine's recorder, 1/"
                    + EngineTable.SCALE
                    + " of the rows. A column has pages of its own, packed, so a query reads those"
                    + " of two columns whatever the table has. Beside it the best of the paper's"
                    + " scans of Synthetic64. Not in the paper.")
            .text("query")
            .number("rows that match", "%")
            .number("pages of 4 KB", "")
            .number("engine on the device", "s")
            .number("engine on the host", "s")
            .number("gain", "x")
            .number("Smart SSD, PAX", "s")
            .number("regular SSD", "s");
    for (boolean sums : new boolean[] {false, true}) {
      List<Answer> answers = sums ? totals : selections;
      for (int i = 0; i < answers.size(); i++) {
        int ppm = TableLab.SELECTIVITIES.get(i);
        Answer answer = answers.get(i);
        table.row(
            sums ? "aggregation" : "selection",
            ppm / 1e4,
            answer.pages() * EngineTable.SCALE,
            answer.device().seconds(),
            answer.host().seconds(),
            answer.host().seconds() / answer.device().seconds(),
            scans.of(Where.PAX, TableLab.WIDEST, sums, ppm).seconds(),
            scans.of(Where.SSD, TableLab.WIDEST, sums, ppm).seconds());
      }
    }
    return table;
  }
}
