/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import org.luceneoffload.cli.output.Columns;
import org.luceneoffload.cli.output.Figures;

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
    new Columns<ShapesReport.Row>()
        .text("group", ShapesReport.Row::group)
        .text("shape", ShapesReport.Row::shape)
        .decimal("lucene_us", 1, ShapesReport.Row::luceneUs)
        .decimal("offload_us", 1, ShapesReport.Row::offloadUs)
        .decimal("ratio_geomean", 2, ShapesReport.Row::ratioGeomean)
        .decimal("ratio_worst", 2, ShapesReport.Row::ratioWorst)
        .decimal("ratio_median", 2, ShapesReport.Row::ratioMedian)
        .quartiles(ShapesReport.Row::ratioQ1, ShapesReport.Row::ratioQ3)
        .count("differences", ShapesReport.Row::differences)
        .text(
            ">on device",
            row -> report.setting().onDevice(row.leavesOffloaded(), row.leavesOnHost()))
        .print(report.rows(), out);
  }
}
