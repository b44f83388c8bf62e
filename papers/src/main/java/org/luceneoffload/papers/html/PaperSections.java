/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.ReproReport;

/** A section of the page for each paper beside the first. */
final class PaperSections {
  private static final List<String> KINDS = List.of("count", "fitted", "predicted");

  private final PaperReport paper;
  private final Html html;

  PaperSections(PaperReport paper, Html html) {
    this.paper = paper;
    this.html = html;
  }

  void add() {
    html.heading(1, paper.title() + ", reproduced on the device model");
    html.paragraph(
        "Profile "
            + paper.profile()
            + ": "
            + paper.profileTitle()
            + ". Every time and energy is simulated under that profile; none is measured.");
    paper.notes().forEach(html::note);
    if (!paper.ofItsDevice()) {
      html.note("This is not the paper's device: its figures are no targets here.");
    } else {
      html.table(
          List.of("set", ">pass", ">miss"),
          KINDS.stream()
              .map(k -> List.of(k, "" + paper.count(k, "pass"), "" + paper.count(k, "MISS")))
              .toList());
    }
    for (String kind : KINDS) {
      figures(kind);
    }
    trends();
    calibrated();
    for (PaperReport.Section table : paper.tables()) {
      html.heading(3, table.title());
      html.note(table.note());
      html.table(table.headings(), table.rows());
    }
  }

  private static String heading(String kind) {
    return switch (kind) {
      case "count" -> "Counted: no time of the model is in it";
      case "fitted" -> "Fitted: what the fit was allowed to see";
      default -> "Predicted: with nothing changed";
    };
  }

  private void figures(String kind) {
    List<List<String>> rows = new ArrayList<>();
    List<ReproReport.Figure> missed = new ArrayList<>();
    for (ReproReport.Figure figure : paper.figures()) {
      if (figure.published().kind().equals(kind)) {
        rows.add(HtmlReport.row(figure));
        if (figure.verdict().equals("MISS")) {
          missed.add(figure);
        }
      }
    }
    if (!rows.isEmpty()) {
      html.heading(2, heading(kind));
      html.table(HtmlReport.FIGURE_HEADINGS, rows);
    }
    missed.forEach(f -> missed(f.published().text(), f.reason()));
  }

  private void missed(String text, String reason) {
    html.note("Missed: " + text + ". " + (reason == null ? "The reason is not known." : reason));
  }

  private void trends() {
    html.heading(2, "Trends");
    html.table(
        List.of("the paper says", "set", "", "modelled", "source"),
        paper.trends().stream()
            .map(
                t ->
                    List.of(
                        t.text(),
                        t.fitted() ? "fitted" : "predicted",
                        t.verdict(),
                        t.seen(),
                        t.source()))
            .toList());
    paper.trends().stream()
        .filter(t -> t.verdict().equals("MISS"))
        .forEach(t -> missed(t.text(), t.reason()));
  }

  private void calibrated() {
    if (paper.calibrated().isEmpty()) {
      return;
    }
    html.heading(2, "Fitted numbers");
    fitted(html, paper.calibrated());
  }

  /** Writes a table of numbers that were fitted. */
  static void fitted(Html html, List<ReproReport.Calibrated> numbers) {
    html.table(
        List.of("number", ">value", "fitted to"),
        numbers.stream()
            .map(
                c ->
                    List.of(
                        c.path(),
                        String.format(Locale.ROOT, "%,d ", c.value()) + c.unit(),
                        c.source()))
            .toList());
  }
}
