/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Table;

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
    Table table =
        new Table(
            "",
            "kind",
            "shape",
            ">queries",
            ">lucene_us",
            ">offload_us",
            ">ratio_geomean",
            ">ratio_median",
            ">quartiles",
            ">ratio_total",
            ">differences",
            ">on device");
    for (BenchReport.Row row : report.rows()) {
      table.add(
          row.kind(),
          row.shape(),
          Integer.toString(row.queries()),
          decimal(row.luceneUs(), 1),
          decimal(row.offloadUs(), 1),
          decimal(row.ratioGeomean(), 2),
          decimal(row.ratioMedian(), 2),
          quartiles(row.ratioQ1(), row.ratioQ3()),
          decimal(row.ratioTotal(), 2),
          Integer.toString(row.differences()),
          report.setting().hostOnly() == null
              ? row.leavesOffloaded() + "/" + (row.leavesOffloaded() + row.leavesOnHost())
              : "none");
    }
    table.print(out);
  }

  private void printClasses() {
    Table table =
        new Table(
            "",
            "kind",
            "shape",
            "class",
            ">queries",
            ">lucene_us",
            ">offload_us",
            ">ratio_geomean",
            ">ratio_median",
            ">ratio_total");
    for (BenchReport.ClassRow row : report.classes()) {
      table.add(
          row.kind(),
          row.shape(),
          row.name(),
          Integer.toString(row.queries()),
          decimal(row.luceneUs(), 1),
          decimal(row.offloadUs(), 1),
          decimal(row.ratioGeomean(), 2),
          decimal(row.ratioMedian(), 2),
          decimal(row.ratioTotal(), 2));
    }
    table.print(out);
    out.println("Letters, one for each of two terms: R is in less than 0.1 % of the documents,");
    out.println("M in less than 2 %, F in more.");
  }

  private void printDirectories() {
    Table table =
        new Table(
            "", "directory", "shape", ">queries", ">lucene_us", ">ratio_geomean", ">ratio_total");
    for (BenchReport.DirectoryRow row : report.directories()) {
      table.add(
          row.directory(),
          row.shape(),
          Integer.toString(row.queries()),
          decimal(row.luceneUs(), 1),
          decimal(row.ratioGeomean(), 2),
          decimal(row.ratioTotal(), 2));
    }
    table.print(out);
  }

  private void printDrive() {
    Table table =
        new Table("", "drive alone", ">queries", ">pages", ">drive_us", ">ours_over_drive");
    for (BenchReport.DriveRow row : report.drive()) {
      table.add(
          row.shape(),
          Integer.toString(row.queries()),
          decimal(row.pages(), 1),
          decimal(row.driveUs(), 1),
          decimal(row.oursOverDrive(), 2));
    }
    table.print(out);
    out.println(
        "drive alone: the pages that our side read, read again, " + DriveLimit.DEPTH + " at once.");
  }

  private void printThroughput() {
    Table table =
        new Table(
            "",
            "kind",
            "shape",
            ">lucene 1",
            ">offload 1",
            ">ratio 1",
            ">lucene " + report.threads(),
            ">offload " + report.threads(),
            ">ratio " + report.threads(),
            ">median",
            ">quartiles",
            ">lucene scales",
            ">offload scales",
            ">differences");
    for (BenchReport.ThreadsRow row : report.throughput()) {
      table.add(
          row.kind(),
          row.shape(),
          decimal(row.luceneOneQps(), 0),
          decimal(row.offloadOneQps(), 0),
          decimal(row.ratioOne(), 2),
          decimal(row.luceneQps(), 0),
          decimal(row.offloadQps(), 0),
          decimal(row.ratio(), 2),
          decimal(row.ratioMedian(), 2),
          quartiles(row.ratioQ1(), row.ratioQ3()),
          decimal(row.luceneScaling(), 2),
          decimal(row.offloadScaling(), 2),
          Integer.toString(row.differences()));
    }
    table.print(out);
    out.printf(
        Locale.ROOT,
        "Queries a second of 1 and of %d threads at once, on %s; best round;"
            + " median and quartiles are those of the ratio of %d.%n",
        report.threads(),
        Figures.count(report.processors(), "processor"),
        report.threads());
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

  /** Returns quartiles, such as {@code 2.31-2.58}. */
  static String quartiles(double q1, double q3) {
    return decimal(q1, 2) + "-" + decimal(q3, 2);
  }

  static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
