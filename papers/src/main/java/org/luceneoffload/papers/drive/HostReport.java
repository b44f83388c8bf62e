/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;

/**
 * What was measured, and how far the model is from it.
 *
 * @param machine where and when
 * @param profile name of the profile
 * @param file where it was written; null: nowhere
 * @param measured its measured numbers, by their places
 * @param reads the drive, measured and played by the model
 * @param queries by their shape, measured and predicted; empty without --check
 * @param missed rows of queries whose error is above the bound
 * @param boundPct the bound
 */
record HostReport(
    String machine,
    String profile,
    String file,
    Map<String, Long> measured,
    List<Read> reads,
    List<Row> queries,
    long missed,
    double boundPct) {
  /**
   * A point of the drive.
   *
   * @param bytes of a read
   * @param depth reads at once
   * @param measuredUs time of a read
   * @param modelledUs the same, played
   * @param errorPct deviation of the second
   */
  record Read(int bytes, int depth, double measuredUs, double modelledUs, double errorPct) {}

  /**
   * Queries of a shape.
   *
   * @param shape and what was asked
   * @param queries how many
   * @param pages that one loads, the mean
   * @param warmUs measured, all pages in memory; geometric mean
   * @param warmPredictedUs predicted
   * @param warmErrorPct deviation of the prediction
   * @param coldUs measured, nothing in memory
   * @param coldPredictedUs predicted
   * @param coldErrorPct deviation of the prediction
   */
  record Row(
      String shape,
      int queries,
      double pages,
      double warmUs,
      double warmPredictedUs,
      double warmErrorPct,
      double coldUs,
      double coldPredictedUs,
      double coldErrorPct) {}

  /** Prints the report. */
  void print(PrintWriter out) {
    out.println("measured on " + machine);
    if (!reads.isEmpty()) {
      TextTable table =
          new TextTable("  ", ">KiB", ">at once", ">measured us", ">modelled us", ">error");
      reads.forEach(
          r ->
              table.add(
                  "" + r.bytes / 1024,
                  "" + r.depth,
                  number(r.measuredUs),
                  number(r.modelledUs),
                  percent(r.errorPct)));
      table.print(out);
    }
    TextTable numbers = new TextTable("  ", "number", ">measured");
    measured.forEach(
        (path, value) -> {
          if (!path.startsWith("device.work.")) { // as the host's
            numbers.add(path, Figures.count(value));
          }
        });
    numbers.print(out);
    if (!queries.isEmpty()) {
      TextTable table =
          new TextTable(
              "  ",
              "queries",
              ">pages",
              ">in memory us",
              ">predicted",
              ">error",
              ">cold us",
              ">predicted",
              ">error",
              "");
      queries.forEach(
          r ->
              table.add(
                  r.shape,
                  number(r.pages),
                  number(r.warmUs),
                  number(r.warmPredictedUs),
                  percent(r.warmErrorPct),
                  number(r.coldUs),
                  number(r.coldPredictedUs),
                  percent(r.coldErrorPct),
                  Math.abs(r.coldErrorPct) <= boundPct ? "pass" : "MISS"));
      table.print(out);
      out.println(
          missed == 0
              ? "every shape is predicted within " + Math.round(boundPct) + " %"
              : missed
                  + " of "
                  + queries.size()
                  + " shapes are not predicted within "
                  + Math.round(boundPct)
                  + " %");
    }
    if (file != null) {
      out.println("profile " + profile + " written to " + file);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%+.1f %%", value);
  }
}
