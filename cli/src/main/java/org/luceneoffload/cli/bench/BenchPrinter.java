/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.luceneoffload.cli.output.Columns;
import org.luceneoffload.cli.output.Figures;

/** Prints a {@link BenchReport} as text. */
final class BenchPrinter {
  private static final double MAX_SPREAD = 2; // between the quartiles of a row's ratios

  private final BenchReport report;
  private final PrintWriter out;

  BenchPrinter(BenchReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  /** Prints everything; rows by class only if {@code byClass}. */
  void print(boolean byClass) {
    printRows();
    if (byClass) {
      out.println();
      printClasses();
    }
    if (report.directories() != null) {
      out.println();
      printDirectories();
      out.println();
      printDrive();
    }
    if (report.throughput() != null) {
      out.println();
      printThroughput();
    }
    out.println();
    printNotes();
  }

  private void printRows() {
    new Columns<BenchReport.Row>()
        .text("kind", BenchReport.Row::kind)
        .text("shape", BenchReport.Row::shape)
        .count("queries", BenchReport.Row::queries)
        .decimal("lucene_us", 1, BenchReport.Row::luceneUs)
        .decimal("offload_us", 1, BenchReport.Row::offloadUs)
        .decimal("ratio_geomean", 2, BenchReport.Row::ratioGeomean)
        .decimal("ratio_median", 2, BenchReport.Row::ratioMedian)
        .quartiles(BenchReport.Row::ratioQ1, BenchReport.Row::ratioQ3)
        .decimal("ratio_total", 2, BenchReport.Row::ratioTotal)
        .count("differences", BenchReport.Row::differences)
        .text(
            ">on device",
            row -> report.setting().onDevice(row.leavesOffloaded(), row.leavesOnHost()))
        .print(report.rows(), out);
  }

  private void printClasses() {
    new Columns<BenchReport.ClassRow>()
        .text("kind", BenchReport.ClassRow::kind)
        .text("shape", BenchReport.ClassRow::shape)
        .text("class", BenchReport.ClassRow::name)
        .count("queries", BenchReport.ClassRow::queries)
        .decimal("lucene_us", 1, BenchReport.ClassRow::luceneUs)
        .decimal("offload_us", 1, BenchReport.ClassRow::offloadUs)
        .decimal("ratio_geomean", 2, BenchReport.ClassRow::ratioGeomean)
        .decimal("ratio_median", 2, BenchReport.ClassRow::ratioMedian)
        .decimal("ratio_total", 2, BenchReport.ClassRow::ratioTotal)
        .print(report.classes(), out);
    out.println("Letters, one for each of two terms: R is in less than 0.1 % of the documents,");
    out.println("M in less than 2 %, F in more.");
  }

  private void printDirectories() {
    new Columns<BenchReport.DirectoryRow>()
        .text("directory", BenchReport.DirectoryRow::directory)
        .text("shape", BenchReport.DirectoryRow::shape)
        .count("queries", BenchReport.DirectoryRow::queries)
        .decimal("lucene_us", 1, BenchReport.DirectoryRow::luceneUs)
        .decimal("ratio_geomean", 2, BenchReport.DirectoryRow::ratioGeomean)
        .decimal("ratio_total", 2, BenchReport.DirectoryRow::ratioTotal)
        .print(report.directories(), out);
  }

  private void printDrive() {
    new Columns<BenchReport.DriveRow>()
        .text("drive alone", BenchReport.DriveRow::shape)
        .count("queries", BenchReport.DriveRow::queries)
        .decimal("pages", 1, BenchReport.DriveRow::pages)
        .decimal("drive_us", 1, BenchReport.DriveRow::driveUs)
        .decimal("ours_over_drive", 2, BenchReport.DriveRow::oursOverDrive)
        .print(report.drive(), out);
    out.println(
        "drive alone: the pages that our side read, read again, " + DriveLimit.DEPTH + " at once.");
  }

  private void printThroughput() {
    int threads = report.threads();
    new Columns<BenchReport.ThreadsRow>()
        .text("kind", BenchReport.ThreadsRow::kind)
        .text("shape", BenchReport.ThreadsRow::shape)
        .decimal("lucene 1", 0, BenchReport.ThreadsRow::luceneOneQps)
        .decimal("offload 1", 0, BenchReport.ThreadsRow::offloadOneQps)
        .decimal("ratio 1", 2, BenchReport.ThreadsRow::ratioOne)
        .decimal("lucene " + threads, 0, BenchReport.ThreadsRow::luceneQps)
        .decimal("offload " + threads, 0, BenchReport.ThreadsRow::offloadQps)
        .decimal("ratio " + threads, 2, BenchReport.ThreadsRow::ratio)
        .decimal("median", 2, BenchReport.ThreadsRow::ratioMedian)
        .quartiles(BenchReport.ThreadsRow::ratioQ1, BenchReport.ThreadsRow::ratioQ3)
        .decimal("lucene scales", 2, BenchReport.ThreadsRow::luceneScaling)
        .decimal("offload scales", 2, BenchReport.ThreadsRow::offloadScaling)
        .count("differences", BenchReport.ThreadsRow::differences)
        .print(report.throughput(), out);
    out.printf(
        Locale.ROOT,
        "Queries a second of 1 and of %d threads at once, on %s; best round;"
            + " median and quartiles are those of the ratio of %d.%n",
        threads,
        Figures.count(report.processors(), "processor"),
        threads);
  }

  private void printNotes() {
    report.setting().print(queries(report.queries()), out);
    out.printf(
        Locale.ROOT,
        "Measured: %s; %s after %s to warm up (%s runs a side and kind after %s).%n",
        report.method(),
        Figures.count(report.rounds(), "round"),
        Figures.count(report.warmupRounds()),
        Figures.count(report.executions()),
        Figures.count(report.warmupExecutions()));
    switch (report.entry()) {
      case OWN -> {}
      case MANAGERS -> out.println("Our searcher was asked by Lucene's collector managers.");
      case QUERY ->
          out.println(
              "A stock searcher was asked on our side, by Lucene's collector managers, with queries"
                  + " in OffloadQuery.");
    }
    String limited =
        report.warmup().stream()
            .filter(BenchReport.Warmup::limited)
            .map(BenchReport.Warmup::kind)
            .collect(Collectors.joining(", "));
    if (!limited.isEmpty()) {
      out.println("Perhaps not warm, as --warmup-seconds ended the warm-up: " + limited + ".");
    }
    long wide =
        report.rows().stream().filter(row -> row.ratioQ3() > MAX_SPREAD * row.ratioQ1()).count();
    if (wide > 0) {
      out.println(
          "Quartiles of "
              + Figures.count(wide, "row")
              + " are more than a factor of "
              + (int) MAX_SPREAD
              + " apart: this machine was busy, or there were too few rounds.");
    }
    BenchReport.ClassRow slowest = report.slowestClass();
    out.printf(
        Locale.ROOT,
        "Slowest class against Lucene, of these queries: %s %s, %s (%s): %.2f;"
            + " below 1: %d of their %s.%n",
        slowest.kind(),
        slowest.shape(),
        slowest.name(),
        queries(slowest.queries()),
        slowest.ratioGeomean(),
        report.classes().stream().filter(row -> row.ratioGeomean() < 1).count(),
        Figures.count(report.classes().size())
            + (report.classes().size() == 1 ? " class" : " classes"));
    out.println("on device: segments that the device answered, of those searched, in one round.");
  }

  static String queries(int number) {
    return Figures.count(number) + (number == 1 ? " query" : " queries");
  }
}
