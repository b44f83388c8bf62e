/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Published.Kind;
import org.luceneoffload.papers.study.ReproReport;
import org.luceneoffload.papers.study.TrendLine;

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
    summary(paper::count, paper.profile(), out);
  }

  private interface Counts {
    long of(Kind kind, String verdict);
  }

  private static void summary(Counts counts, String profile, PrintWriter out) {
    List<String> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kinds.add(
          String.format(
              Locale.ROOT,
              "%s: %d pass, %d miss",
              kind.text(),
              counts.of(kind, "pass"),
              counts.of(kind, "MISS")));
    }
    out.println(String.join("; ", kinds) + ". Simulated times, profile " + profile + ".");
  }

  private static void figures(List<Figure> figures, PrintWriter out) {
    TextTable table = new TextTable("", "", ">published", ">modelled", ">deviation", "", "set");
    for (Figure figure : figures) {
      Published p = figure.published();
      table.add(
          (p.group().equals("real") ? "real data, " : "") + p.text(),
          number(p.value()) + " " + p.unit(),
          number(figure.modelled()) + " " + p.unit(),
          String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()),
          figure.verdict().equals("shown") ? "" : figure.verdict(),
          p.kind().text());
    }
    table.print(out);
    out.println();
  }

  private static void trends(List<TrendLine> lines, PrintWriter out) {
    TextTable trends = new TextTable("", "", "", "");
    for (TrendLine trend : lines) {
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
    summary(report::count, report.profile(), out);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
