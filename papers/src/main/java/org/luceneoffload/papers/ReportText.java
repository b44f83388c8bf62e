/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.output.Table;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.ReproReport;

/** Prints the findings as text. */
final class ReportText {
  private ReportText() {}

  static void print(ReproReport report, Path file, PrintWriter out) {
    if (report.profile() != null) {
      figures(report.figures(), out);
      trends(report.trends(), out);
      summary(report, out);
    }
    if (report.papers() != null) {
      report.papers().forEach(paper -> print(paper, out));
    }
    if (file != null) {
      out.println("Report: " + file);
    }
  }

  private static void print(PaperReport paper, PrintWriter out) {
    out.println();
    out.println(paper.title());
    figures(paper.figures(), out);
    trends(paper.trends(), out);
    if (!paper.ofItsDevice()) {
      out.println("Not the paper's device: its figures are no targets here. Simulated times.");
      return;
    }
    out.printf(
        Locale.ROOT,
        "counts: %d pass, %d miss; fitted: %d pass, %d miss; predicted: %d pass, %d miss."
            + " Simulated times, profile %s.%n",
        paper.count("count", "pass"),
        paper.count("count", "MISS"),
        paper.count("fitted", "pass"),
        paper.count("fitted", "MISS"),
        paper.count("predicted", "pass"),
        paper.count("predicted", "MISS"),
        paper.profile());
  }

  private static void figures(List<ReproReport.Figure> figures, PrintWriter out) {
    Table table = new Table("", "", ">published", ">modelled", ">deviation", "", "set");
    for (ReproReport.Figure figure : figures) {
      Published p = figure.published();
      table.add(
          (p.group().equals("real") ? "real data, " : "") + p.text(),
          number(p.value()) + " " + p.unit(),
          number(figure.modelled()) + " " + p.unit(),
          String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()),
          figure.verdict().equals("shown") ? "" : figure.verdict(),
          p.kind());
    }
    table.print(out);
    out.println();
  }

  private static void trends(List<ReproReport.TrendLine> lines, PrintWriter out) {
    Table trends = new Table("", "", "", "");
    for (ReproReport.TrendLine trend : lines) {
      trends.add(trend.text(), trend.verdict(), trend.fitted() ? "fitted" : "predicted");
    }
    trends.print(out);
    out.println();
  }

  private static void summary(ReproReport report, PrintWriter out) {
    if (report.trends().stream().anyMatch(t -> t.verdict().equals("holds"))) {
      out.println("Not the paper's device: its figures are no targets here. Simulated times.");
      return;
    }
    out.printf(
        Locale.ROOT,
        "fitted: %d pass, %d miss; predicted: %d pass, %d miss. Simulated times, profile %s.%n",
        report.count(true, "pass"),
        report.count(true, "MISS"),
        report.count(false, "pass"),
        report.count(false, "MISS"),
        report.profile());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
