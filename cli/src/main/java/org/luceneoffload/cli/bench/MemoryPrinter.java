/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import org.luceneoffload.cli.output.Columns;
import org.luceneoffload.cli.output.Figures;

/** Prints a {@link MemoryReport} for people. */
final class MemoryPrinter {
  private final MemoryReport report;
  private final PrintWriter out;

  MemoryPrinter(MemoryReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  void print() {
    new Columns<MemoryReport.Row>()
        .count("threads", MemoryReport.Row::threads)
        .text("side", MemoryReport.Row::side)
        .decimal("qps", 1, MemoryReport.Row::qps)
        .decimal("p50_us", 1, MemoryReport.Row::p50Us)
        .decimal("p99_us", 1, MemoryReport.Row::p99Us)
        .decimal("ratio", 2, MemoryReport.Row::ratio)
        .decimal("ratio_p99", 2, MemoryReport.Row::ratioP99)
        .print(report.rows(), out);
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
