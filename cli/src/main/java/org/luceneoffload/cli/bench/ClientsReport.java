/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.output.Columns;
import org.luceneoffload.cli.output.Figures;

/**
 * What clients of a device with threads of its own get done.
 *
 * @param setting what was measured
 * @param device name of the device
 * @param kind of work that each query asks for
 * @param queries that a client runs in a round
 * @param rounds measured rounds
 * @param rows by the number of clients
 * @param differences answers that differ from stock Lucene's
 */
record ClientsReport(
    BenchSetting setting,
    String device,
    String kind,
    int queries,
    int rounds,
    List<Row> rows,
    int differences) {

  /**
   * Throughput in queries a second and 99th percentiles in microseconds, medians of rounds.
   *
   * @param clients that search at once
   * @param stockRate of stock Lucene
   * @param hostRate of the engine on the clients' threads
   * @param deviceRate of the engine on the device's threads
   * @param dynamicRate of both, with split plans
   * @param ratio dynamicRate to the better of hostRate and deviceRate, round by round
   * @param stockP99 as stockRate
   * @param hostP99 as hostRate
   * @param deviceP99 as deviceRate
   * @param dynamicP99 as dynamicRate
   * @param tailRatio dynamicP99 to deviceP99, round by round
   */
  record Row(
      int clients,
      double stockRate,
      double hostRate,
      double deviceRate,
      double dynamicRate,
      Spread ratio,
      double stockP99,
      double hostP99,
      double deviceP99,
      double dynamicP99,
      Spread tailRatio) {}

  void print(PrintWriter out) {
    new Columns<Row>()
        .count("clients", Row::clients)
        .decimal("stock/s", 0, Row::stockRate)
        .decimal("host/s", 0, Row::hostRate)
        .decimal("device/s", 0, Row::deviceRate)
        .decimal("dynamic/s", 0, Row::dynamicRate)
        .decimal("to better", 2, row -> row.ratio.median())
        .quartiles(row -> row.ratio.q1(), row -> row.ratio.q3())
        .decimal("p99 host", 0, Row::hostP99)
        .decimal("p99 device", 0, Row::deviceP99)
        .decimal("p99 dynamic", 0, Row::dynamicP99)
        .decimal("to device", 2, row -> row.tailRatio.median())
        .quartiles(row -> row.tailRatio.q1(), row -> row.tailRatio.q3())
        .print(rows, out);
    out.println();
    setting.print(BenchPrinter.queries(queries), out);
    out.printf(
        Locale.ROOT,
        "Measured: queries a second of all clients together, and 99th percentiles in microseconds,"
            + " %s, medians of %s in which the sides take turns; device is %s, host the"
            + " same engine on the clients' threads, dynamic both; to better: to the better of"
            + " host/s and device/s; to device: 99th percentiles of dynamic.%n",
        kind,
        Figures.count(rounds, "round"),
        device);
    out.printf(Locale.ROOT, "Answers that differ from stock Lucene's: %d.%n", differences);
  }
}
