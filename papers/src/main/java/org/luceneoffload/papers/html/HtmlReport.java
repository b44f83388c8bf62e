/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.ReproReport;
import org.luceneoffload.papers.study.TrendLine;

/** The report as a page. */
final class HtmlReport {
  /** Headings of {@link #row(Figure)}. */
  static final List<String> FIGURE_HEADINGS =
      List.of("figure", ">published", ">modelled", ">deviation", "target", "", "source");

  private static final Map<String, String> GROUPS = groups();

  private final ReproReport report;
  private final Html html = new Html();

  private HtmlReport(ReproReport report) {
    this.report = report;
  }

  /** Returns the whole page, which opens without a network. */
  static String page(ReproReport report) {
    HtmlReport page = new HtmlReport(report);
    if (report.profile() != null) {
      page.firstPaper();
    }
    List<PaperReport> others = report.papers() == null ? List.of() : report.papers();
    others.forEach(paper -> new PaperSections(paper, page.html).add());
    return page.html.page(
        others.isEmpty()
            ? "The Smart SSD paper on " + report.profile()
            : "Papers on computational SSDs on the device model");
  }

  private void firstPaper() {
    head();
    for (Published.Kind kind : Published.Kind.values()) {
      figures(kind);
    }
    calibration();
    workload();
    new MoreSections(report, html).add();
    sweeps();
  }

  private static Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    groups.put("query", "One query: lists of 2,938 and 65,057 entries");
    groups.put("results", "Sending and ranking results");
    groups.put("means", "Mean gains on synthetic lists");
    groups.put("dram", "DRAM accesses");
    groups.put("real", "Real data: lists drawn to the published statistics");
    return groups;
  }

  private void head() {
    html.heading(1, "Smart SSD for search engines, reproduced on the device model");
    html.paragraph(
        "Profile "
            + report.profile()
            + ": "
            + report.profileTitle()
            + ". Every time and energy on this page is simulated, from counted work under that"
            + " profile; none is measured. A gain is the regular SSD's figure over the Smart SSD's:"
            + " above 1 the Smart SSD is better. Energy is over idle, as in the paper.");
    if (!report.profile().equals(Papers.profileOf(Papers.SEARCH))) {
      html.note(
          "This is not the paper's device: its figures stand here for comparison, and are no"
              + " targets. What was fitted was fitted on the paper's device.");
      return;
    }
    html.table(
        List.of("set", ">pass", ">miss"),
        Stream.of(Published.Kind.values()).map(this::counts).toList());
  }

  private List<String> counts(Published.Kind kind) {
    return List.of(kind.text(), "" + report.count(kind, "pass"), "" + report.count(kind, "MISS"));
  }

  private void figures(Published.Kind kind) {
    html.heading(2, PaperSections.heading(kind));
    GROUPS.forEach(
        (group, title) -> {
          List<List<String>> rows = new ArrayList<>();
          for (Figure figure : report.figures()) {
            Published p = figure.published();
            if (p.kind() == kind && p.group().equals(group)) {
              rows.add(row(figure));
            }
          }
          if (!rows.isEmpty()) {
            html.heading(3, title);
            html.table(FIGURE_HEADINGS, rows);
          }
        });
    reasons(kind);
    if (kind == Published.Kind.FITTED || kind == Published.Kind.PREDICTED) {
      trends(kind == Published.Kind.FITTED);
    }
  }

  static List<String> row(Figure figure) {
    Published p = figure.published();
    return List.of(
        p.text(),
        number(p.value()) + " " + p.unit(),
        number(figure.modelled()) + " " + p.unit(),
        String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()),
        (Boolean.TRUE.equals(p.most()) ? "at most, or " : "")
            + String.format(Locale.ROOT, "within %.0f %%", p.tolerancePct()),
        figure.verdict().equals("shown") ? "" : figure.verdict(),
        p.source());
  }

  private void reasons(Published.Kind kind) {
    for (Figure figure : report.figures()) {
      if (figure.published().kind() == kind && figure.reason() != null) {
        html.note("Missed: " + figure.published().text() + ". " + figure.reason());
      }
    }
  }

  private void trends(boolean fitted) {
    List<List<String>> rows = new ArrayList<>();
    for (TrendLine t : report.trends()) {
      if (t.fitted() == fitted) {
        rows.add(List.of(t.text(), t.verdict(), t.seen(), t.source()));
      }
    }
    if (!rows.isEmpty()) {
      html.heading(3, "Trends");
      html.table(List.of("the paper says", "", "modelled", "source"), rows);
    }
    for (TrendLine t : report.trends()) {
      if (t.fitted() == fitted && t.reason() != null) {
        html.note("Missed: " + t.text() + ". " + t.reason());
      }
    }
  }

  private void calibration() {
    if (report.calibrated().isEmpty()) {
      return;
    }
    html.heading(2, "Calibrated numbers of the profile");
    html.paragraph(
        "These were fitted to the intersection experiments; all other numbers of the profile come"
            + " from documents or are typical of the parts.");
    PaperSections.fitted(html, report.calibrated());
  }

  private void workload() {
    if (report.realWorkload() == null) {
      return;
    }
    html.heading(2, "Lists of the real-data rows");
    html.paragraph(
        "The real lists are not published, only their statistics: 3.8 lists a query, a skew of"
            + " 3,672 on average and of 75 without the highest fifth. The drawn ones have:");
    html.table(
        List.of("statistic", ">drawn"),
        report.realWorkload().entrySet().stream()
            .map(e -> List.of(e.getKey().replace('_', ' '), number(e.getValue())))
            .toList());
  }

  private void sweeps() {
    html.heading(2, "Every experiment");
    for (ReproReport.SweepResult sweep : report.sweeps()) {
      html.heading(3, sweep.title());
      html.figures(
          sweep.id()
              + "; in the paper: "
              + sweep.paper()
              + "; "
              + (sweep.fitted() ? "fitted set" : "predicted")
              + ". Above the bars: gain.",
          List.of(plot(sweep, true), plot(sweep, false)));
      html.table(
          List.of(
              sweep.parameter(),
              ">Smart SSD, ms",
              ">load",
              ">memory",
              ">compute",
              ">send, rank",
              ">regular SSD, ms",
              ">load",
              ">gain",
              ">Smart SSD, mJ",
              ">regular SSD, mJ",
              ">gain",
              ">results",
              ">DRAM accesses a page"),
          sweep.points().stream().map(HtmlReport::row).toList());
    }
  }

  private static List<String> row(ReproReport.PointResult point) {
    Map<String, Double> device = point.device().partsMs();
    return List.of(
        point.label(),
        number(point.device().elapsedMs()),
        number(device.get("io")),
        number(device.get("dram")),
        number(device.get("compute")),
        number(device.get("send") + device.get("rank")),
        number(point.host().elapsedMs()),
        number(point.host().partsMs().get("io")),
        gain(point.latencyGain()),
        number(point.device().activeMj()),
        number(point.host().activeMj()),
        gain(point.energyGain()),
        String.format(Locale.ROOT, "%,d", point.results()),
        number((double) point.listAccesses() / Math.max(1, point.pages())));
  }

  private static String plot(ReproReport.SweepResult sweep, boolean latency) {
    List<Double> device = new ArrayList<>();
    List<Double> host = new ArrayList<>();
    List<String> gains = new ArrayList<>();
    for (ReproReport.PointResult point : sweep.points()) {
      device.add(latency ? point.device().elapsedMs() : point.device().activeMj());
      host.add(latency ? point.host().elapsedMs() : point.host().activeMj());
      gains.add(gain(latency ? point.latencyGain() : point.energyGain()));
    }
    return Svg.draw(
        new Svg.Plot(
            latency ? "(a) query latency" : "(b) energy",
            sweep.parameter(),
            latency ? "simulated ms" : "simulated mJ over idle",
            sweep.points().stream().map(ReproReport.PointResult::label).toList(),
            List.of(new Svg.Bars("Smart SSD", device), new Svg.Bars("regular SSD", host)),
            gains));
  }

  private static String gain(double gain) {
    return String.format(Locale.ROOT, "%.2fx", gain);
  }

  /** Formats a number with three figures or more. */
  static String number(double value) {
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }
}
