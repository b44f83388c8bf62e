/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.Header;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Published.Kind;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.TrendLine;

/** The report as a page. */
final class HtmlReport {
  private final PaperReport paper;
  private final PaperReport beside;
  private final Html html;

  private HtmlReport(PaperReport paper, PaperReport beside, Html html) {
    this.paper = paper;
    this.beside = beside;
    this.html = html;
  }

  /** Returns the whole page, which opens without a network. */
  static String page(Report report) throws IOException {
    Html html = new Html();
    header(report.header(), html);
    for (PaperReport paper : report.sections()) {
      new HtmlReport(paper, report.besides(paper), html).add();
    }
    return html.page("Papers on computational SSDs on the device model");
  }

  private static void header(Header header, Html html) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("version", header.version() + ", commit " + header.commit()));
    rows.add(List.of("wire", "version " + header.wireVersion()));
    rows.add(List.of("command", header.command()));
    header
        .profiles()
        .forEach(p -> rows.add(List.of("profile", p.name() + ", SHA-256 " + p.sha256())));
    header.seeds().forEach(s -> rows.add(List.of("seeds", s.paper() + ": " + s.seeds())));
    html.table(List.of("made by", ""), rows);
  }

  private void add() throws IOException {
    html.heading(1, paper.title());
    html.paragraph(
        "Profile "
            + paper.profile()
            + ": "
            + paper.profileTitle()
            + ". Modelled times and energies are simulated under that profile.");
    if (beside != null) {
      html.paragraph("Beside it " + beside.profile() + ": " + beside.profileTitle() + ".");
    }
    paper.notes().forEach(html::note);
    if (!paper.figures().isEmpty()) {
      sets();
    }
    for (Kind kind : Kind.values()) {
      figures(kind);
    }
    trends();
    calibrated();
    results(paper);
    if (beside != null) {
      results(beside);
    }
  }

  private void sets() {
    if (!paper.ofItsDevice()) {
      html.note("This is not the paper's device: its figures are no targets here.");
    } else {
      html.table(
          List.of("set", ">pass", ">miss"),
          Stream.of(Kind.values())
              .map(k -> List.of(k.text(), "" + paper.count(k, "pass"), "" + paper.count(k, "MISS")))
              .toList());
    }
  }

  private static String heading(Kind kind) {
    return switch (kind) {
      case COUNT -> "Counted: no time of the model is in it";
      case FITTED -> "Fitted: what the fit was allowed to see";
      case PREDICTED -> "Predicted: with nothing changed";
      case DERIVED -> "Derived: inputs, quotients of inputs, identities";
    };
  }

  private void figures(Kind kind) {
    List<Figure> all = paper.figures().stream().filter(f -> f.published().kind() == kind).toList();
    if (all.isEmpty()) {
      return;
    }
    List<String> headings = new ArrayList<>(List.of("figure", ">published", ">modelled"));
    if (beside != null) {
      headings.add(">on " + beside.profile());
    }
    headings.addAll(List.of(">deviation", "target", "", "source"));
    html.heading(2, heading(kind));
    html.table(headings, all.stream().map(this::row).toList());
    all.stream()
        .filter(f -> f.verdict().equals("MISS"))
        .forEach(f -> missed(f.published().text(), f.reason()));
  }

  private List<String> row(Figure figure) {
    Published p = figure.published();
    List<String> row = new ArrayList<>();
    row.add(p.text());
    row.add(number(p.value()) + " " + p.unit());
    row.add(number(figure.modelled()) + " " + p.unit());
    if (beside != null) {
      row.add(number(beside.modelled(p.id())) + " " + p.unit());
    }
    row.add(String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()));
    row.add(
        (Boolean.TRUE.equals(p.most()) ? "at most, or " : "")
            + String.format(Locale.ROOT, "within %.0f %%", p.tolerancePct()));
    row.add(figure.verdict().equals("shown") ? "" : figure.verdict());
    row.add(p.source());
    return row;
  }

  private void missed(String text, String reason) {
    html.note("Missed: " + text + ". " + (reason == null ? "The reason is not known." : reason));
  }

  private void trends() {
    if (paper.trends().isEmpty()) {
      return;
    }
    List<String> headings = new ArrayList<>(List.of("the paper says", "set", "", "modelled"));
    if (beside != null) {
      headings.add("on " + beside.profile());
    }
    headings.add("source");
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < paper.trends().size(); i++) {
      TrendLine t = paper.trends().get(i);
      List<String> row = new ArrayList<>();
      row.addAll(List.of(t.text(), t.fitted() ? "fitted" : "predicted", t.verdict(), t.seen()));
      if (beside != null) {
        row.add(beside.trends().get(i).seen());
      }
      row.add(t.source());
      rows.add(row);
    }
    html.heading(2, "Trends");
    html.table(headings, rows);
    paper.trends().stream()
        .filter(t -> t.verdict().equals("MISS"))
        .forEach(t -> missed(t.text(), t.reason()));
  }

  private void calibrated() {
    if (paper.calibrated().isEmpty()) {
      return;
    }
    html.heading(2, "Fitted numbers");
    html.table(
        List.of("number", ">value", "fitted to"),
        paper.calibrated().stream()
            .map(c -> List.of(c.path(), cell(c.value()) + " " + c.unit(), c.source()))
            .toList());
  }

  private void results(PaperReport of) throws IOException {
    if (of.plots().isEmpty() && of.tables().isEmpty()) {
      return;
    }
    html.heading(2, "Every experiment, profile " + of.profile());
    for (Plot plot : of.plots()) {
      html.plot(plot);
    }
    for (Table table : of.tables()) {
      html.heading(3, table.title());
      html.note(table.note());
      html.table(headings(table), cells(table));
    }
  }

  private static List<String> headings(Table table) {
    return table.columns().stream()
        .map(c -> (c.number() ? ">" : "") + c.name() + (c.unit().isEmpty() ? "" : ", " + c.unit()))
        .toList();
  }

  private static List<List<String>> cells(Table table) {
    return table.rows().stream().map(row -> row.stream().map(HtmlReport::cell).toList()).toList();
  }

  /** Returns what stands in a cell; nothing if it is null. */
  static String cell(Object cell) {
    if (cell == null) {
      return "";
    }
    return switch (cell) {
      case Double value -> number(value);
      case Number value -> String.format(Locale.ROOT, "%,d", value.longValue());
      default -> cell.toString();
    };
  }

  /** Formats a number with three figures or more; a whole one has no fraction. */
  private static String number(double value) {
    double size = Math.abs(value);
    boolean whole = value == Math.rint(value) && size < 1e15;
    return String.format(
        Locale.ROOT,
        whole || size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3g",
        value);
  }
}
