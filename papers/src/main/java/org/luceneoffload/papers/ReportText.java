/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.Header;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Published.Kind;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.TrendLine;

/** Prints the findings as text. */
public final class ReportText {
  private ReportText() {}

  /** Prints figures and trends; the tables of what has no figures. */
  public static void print(Report report, Path file, PrintWriter out) {
    header(report.header(), out);
    for (PaperReport paper : report.sections()) {
      out.println(paper.title());
      print(paper, report.besides(paper), out);
      out.println();
    }
    if (file != null) {
      out.println("Report: " + file);
    }
  }

  private static void header(Header header, PrintWriter out) {
    out.println(header.command());
    out.println("  version " + header.version() + ", commit " + header.commit());
    header
        .profiles()
        .forEach(
            p -> out.println("  profile " + p.name() + ", SHA-256 " + p.sha256().substring(0, 12)));
    out.println();
  }

  private static void print(PaperReport paper, PaperReport beside, PrintWriter out) {
    if (paper.figures().isEmpty()) {
      paper.tables().forEach(table -> print(table, out));
      return;
    }
    figures(paper, beside, out);
    trends(paper.trends(), out);
    if (paper.ofItsDevice()) {
      summary(paper, out);
    } else {
      out.println("Not the paper's device: its figures are no targets here. Simulated times.");
    }
  }

  private static void summary(PaperReport paper, PrintWriter out) {
    List<String> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kinds.add(
          String.format(
              Locale.ROOT,
              "%s: %d pass, %d miss",
              kind.text(),
              paper.count(kind, "pass"),
              paper.count(kind, "MISS")));
    }
    out.println(String.join("; ", kinds) + ". Simulated times, profile " + paper.profile() + ".");
  }

  private static void figures(PaperReport paper, PaperReport beside, PrintWriter out) {
    List<String> headings = new ArrayList<>(List.of("", ">published", ">modelled", ">deviation"));
    if (beside != null) {
      headings.set(2, ">" + paper.profile());
      headings.add(3, ">" + beside.profile());
    }
    headings.addAll(List.of("", "set"));
    TextTable table = new TextTable("", headings.toArray(String[]::new));
    for (Figure figure : paper.figures()) {
      Published p = figure.published();
      List<String> row = new ArrayList<>();
      row.add((p.group().equals("real") ? "real data, " : "") + p.text());
      row.add(number(p.value()) + " " + p.unit());
      row.add(number(figure.modelled()) + " " + p.unit());
      if (beside != null) {
        row.add(number(beside.modelled(p.id())) + " " + p.unit());
      }
      row.add(String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()));
      row.add(figure.verdict().equals("shown") ? "" : figure.verdict());
      row.add(p.kind().text());
      table.add(row.toArray(String[]::new));
    }
    table.print(out);
    out.println();
  }

  private static void print(Table of, PrintWriter out) {
    out.println(of.title() + ". " + of.note());
    TextTable table =
        new TextTable(
            "",
            of.columns().stream()
                .map(c -> (c.number() ? ">" : "") + c.name())
                .toArray(String[]::new));
    for (List<Object> row : of.rows()) {
      table.add(
          row.stream()
              .map(
                  cell -> cell instanceof Double value ? number(value) : Objects.toString(cell, ""))
              .toArray(String[]::new));
    }
    table.print(out);
  }

  private static void trends(List<TrendLine> lines, PrintWriter out) {
    TextTable trends = new TextTable("", "", "", "");
    for (TrendLine trend : lines) {
      trends.add(trend.text(), trend.verdict(), trend.fitted() ? "fitted" : "predicted");
    }
    trends.print(out);
    out.println();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
