/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.PrintWriter;
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
        report.hashes() == 0 ? "lists" : report.lists() == 0 ? "term hash" : "lists or term hash",
        report.segmentsWritten(),
        Figures.count(report.segments(), "segment"),
        report.segmentsPresent());
    if (report.lists() > 0) {
      out.printf(
          Locale.ROOT,
          "%s with %s, %s on %s in %.1f s (%,.0f postings/s)%n",
          Figures.count(report.lists(), "list"),
          Figures.count(report.postings(), "posting"),
          Figures.bytes(report.bytes()),
          report.device(),
          report.seconds(),
          report.postingsPerS());
    }
    report.leftOut().forEach(reason -> out.println("  left out: " + reason));
  }
}
