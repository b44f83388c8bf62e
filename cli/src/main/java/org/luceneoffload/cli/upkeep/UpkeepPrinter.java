/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.output.Figures;

/** Prints the outcome of an import or a repair for people. */
final class UpkeepPrinter {
  private UpkeepPrinter() {}

  static void print(UpkeepReport report, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %s of %d of %s written, %d had theirs%n",
        report.index(),
        written(report),
        report.segmentsWritten(),
        Figures.count(report.segments(), "segment"),
        report.segmentsPresent());
    if (report.lists() > 0) {
      out.printf(
          Locale.ROOT,
          "%s with %s%s, %s on %s in %.1f s (%,.0f postings/s)%n",
          Figures.count(report.lists(), "list"),
          Figures.count(report.postings(), "posting"),
          report.columns() > 0 ? " and " + Figures.count(report.columns(), "column") : "",
          Figures.bytes(report.bytes()),
          report.device(),
          report.seconds(),
          report.postingsPerS());
    } else if (report.columns() > 0) {
      out.printf(
          Locale.ROOT,
          "%s, %s on %s in %.1f s%n",
          Figures.count(report.columns(), "column"),
          Figures.bytes(report.bytes()),
          report.device(),
          report.seconds());
    }
    report.leftOut().forEach(reason -> out.println("  left out: " + reason));
  }

  /** Tells what was written. */
  private static String written(UpkeepReport report) {
    List<String> kinds = new ArrayList<>();
    if (report.lists() > 0 || report.hashes() + report.columns() == 0) {
      kinds.add("lists");
    }
    if (report.hashes() > 0) {
      kinds.add("term hash");
    }
    if (report.columns() > 0) {
      kinds.add("columns");
    }
    return String.join(" or ", kinds);
  }
}
