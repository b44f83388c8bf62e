/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Table;

/** Prints a {@link ShapesReport} as text. */
final class ShapesPrinter {
  private final ShapesReport report;
  private final PrintWriter out;

  ShapesPrinter(ShapesReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  void print() {
    printRows();
    out.println();
    report.setting().print(BenchPrinter.queries(report.queries()), out);
    out.printf(
        Locale.ROOT,
        "Measured: %s; %s.%n",
        report.method(),
        Figures.count(report.rounds(), "round"));
    out.printf(
        Locale.ROOT,
        "Slower than Lucene (ratio_geomean below %.2f): %d of %s.%n",
        report.slowerBelow(),
        report.slower(),
        Figures.count(report.rows().size(), "shape"));
    out.println("on device: segments that the device answered, of those searched, in one round.");
  }

  private void printRows() {
    Table table =
        new Table(
            "",
            "group",
            "shape",
            ">lucene_us",
            ">offload_us",
            ">ratio_geomean",
            ">ratio_worst",
            ">ratio_median",
            ">quartiles",
            ">differences",
            ">on device");
    for (ShapesReport.Row row : report.rows()) {
      table.add(
          row.group(),
          row.shape(),
          BenchPrinter.decimal(row.luceneUs(), 1),
          BenchPrinter.decimal(row.offloadUs(), 1),
          BenchPrinter.decimal(row.ratioGeomean(), 2),
          BenchPrinter.decimal(row.ratioWorst(), 2),
          BenchPrinter.decimal(row.ratioMedian(), 2),
          BenchPrinter.quartiles(row.ratioQ1(), row.ratioQ3()),
          Integer.toString(row.differences()),
          report.setting().hostOnly() == null
              ? row.leavesOffloaded() + "/" + (row.leavesOffloaded() + row.leavesOnHost())
              : "none");
    }
    table.print(out);
  }
}
