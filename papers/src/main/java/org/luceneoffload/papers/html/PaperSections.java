/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published.Kind;
import org.luceneoffload.papers.study.Table;

/** A section of the page for each paper beside the first. */
final class PaperSections {
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
          Stream.of(Kind.values())
              .map(k -> List.of(k.text(), "" + paper.count(k, "pass"), "" + paper.count(k, "MISS")))
              .toList());
    }
    for (Kind kind : Kind.values()) {
      figures(kind);
    }
    trends();
    calibrated();
    for (Table table : paper.tables()) {
      html.heading(3, table.title());
      html.note(table.note());
      html.table(headings(table), cells(table));
    }
  }

  static String heading(Kind kind) {
    return switch (kind) {
      case COUNT -> "Counted: no time of the model is in it";
      case FITTED -> "Fitted: what the fit was allowed to see";
      case PREDICTED -> "Predicted: with nothing changed";
      case DERIVED -> "Derived: inputs, quotients of inputs, identities";
    };
  }

  private void figures(Kind kind) {
    List<List<String>> rows = new ArrayList<>();
    List<Figure> missed = new ArrayList<>();
    for (Figure figure : paper.figures()) {
      if (figure.published().kind() == kind) {
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

  private static List<String> headings(Table table) {
    return table.columns().stream()
        .map(c -> (c.number() ? ">" : "") + c.name() + (c.unit().isEmpty() ? "" : ", " + c.unit()))
        .toList();
  }

  private static List<List<String>> cells(Table table) {
    return table.rows().stream()
        .map(row -> row.stream().map(PaperSections::cell).toList())
        .toList();
  }

  private static String cell(Object cell) {
    if (cell == null) {
      return "";
    }
    return switch (cell) {
      case Double value -> HtmlReport.number(value);
      case Number value -> String.format(Locale.ROOT, "%,d", value.longValue());
      default -> cell.toString();
    };
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
  static void fitted(Html html, List<Calibrated> numbers) {
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
