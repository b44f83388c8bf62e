/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Table;

/** Prints a {@link MemoryReport} for people. */
final class MemoryPrinter {
  private final MemoryReport report;
  private final PrintWriter out;

  MemoryPrinter(MemoryReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  void print() {
    Table table =
        new Table("", ">threads", "side", ">qps", ">p50_us", ">p99_us", ">ratio", ">ratio_p99");
    for (MemoryReport.Row row : report.rows()) {
      table.add(
          Integer.toString(row.threads()),
          row.side(),
          BenchPrinter.decimal(row.qps(), 1),
          BenchPrinter.decimal(row.p50Us(), 1),
          BenchPrinter.decimal(row.p99Us(), 1),
          row.ratio() == null ? "" : BenchPrinter.decimal(row.ratio(), 2),
          row.ratioP99() == null ? "" : BenchPrinter.decimal(row.ratioP99(), 2));
    }
    table.print(out);
    out.println();
    report.setting().print(BenchPrinter.queries(report.queries()), out);
    out.printf(
        Locale.ROOT,
        "Measured: %s; %s, log of %s, %s; %s.%n",
        report.method(),
        Figures.bytes(report.memoryBytes()),
        Figures.count(report.log()),
        Figures.count(report.rounds(), "round"),
        Figures.count(report.differences(), "difference"));
    out.println("ratio: against Lucene's fastest directory with as many threads.");
  }
}
