/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.papers.study.Load;
import org.luceneoffload.papers.study.Production;
import org.luceneoffload.papers.study.RawReads;
import org.luceneoffload.papers.study.Regret;
import org.luceneoffload.papers.study.ReproReport;

/** The sections of the report beyond the paper's own experiments. */
final class MoreSections {
  private final ReproReport report;
  private final Html html;

  MoreSections(ReproReport report, Html html) {
    this.report = report;
    this.html = html;
  }

  void add() {
    production();
    regret();
    loads();
    reads();
  }

  private void production() {
    if (report.production() == null) {
      return;
    }
    html.heading(2, "The programs of Lucene queries on the same lists");
    html.paragraph(
        "Compressed posting pages, block maxima, pruned top ten: the programs that answer Lucene's"
            + " queries here, on the lists above. The gain is the time of the regular SSD, that is of"
            + " the classic program on the host, over that of the production program on the device;"
            + " the last column has the production program on the host in place of the regular SSD,"
            + " which is the best that a host can do with the same pages.");
    for (Production production : report.production()) {
      html.heading(3, "Profile " + production.profile());
      List<List<String>> rows = new ArrayList<>();
      production.rows().forEach(row -> row.each().forEach(p -> rows.add(row(row.id(), p))));
      if (!production.targets().isEmpty()) {
        html.table(
            List.of("target", ">at least", ">modelled", ""),
            production.targets().stream()
                .map(t -> List.of(t.text(), times(t.least()), times(t.modelled()), t.verdict()))
                .toList());
      }
      html.table(
          List.of(
              "experiment",
              "value",
              ">regular SSD, ms",
              ">classic, ms",
              ">production, ms",
              ">production on the host, ms",
              ">gain",
              ">in energy",
              ">against the best host"),
          rows);
    }
  }

  private static List<String> row(String id, Production.Point point) {
    return List.of(
        id,
        point.label(),
        HtmlReport.number(point.regularMs()),
        HtmlReport.number(point.classicMs()),
        HtmlReport.number(point.deviceMs()),
        HtmlReport.number(point.hostMs()),
        times(point.regularMs() / point.deviceMs()),
        times(point.regularMj() / point.deviceMj()),
        times(point.hostMs() / point.deviceMs()));
  }

  private static String times(double gain) {
    return String.format(Locale.ROOT, "%.2fx", gain);
  }

  private void regret() {
    Regret regret = report.regret();
    if (regret == null) {
      return;
    }
    html.heading(2, "Choosing a side before running");
    html.paragraph(
        String.format(
            Locale.ROOT,
            "From the lengths of the lists and the profile alone, device or host is chosen for each"
                + " of %d experiments. %d choices were wrong; the time lost is %.2f %% on average and"
                + " %.1f %% at most (target: 5 %%). Wrong choices are in capitals.",
            regret.experiments(),
            regret.wrong(),
            regret.meanPct(),
            regret.worstPct()));
    html.table(
        List.of(
            "experiment",
            "chosen",
            ">error of the device's estimate",
            ">error of the host's",
            ">mean regret",
            ">worst"),
        regret.rows().stream()
            .map(
                row ->
                    List.of(
                        row.id(),
                        row.choices(),
                        percent(row.deviceErrorPct()),
                        percent(row.hostErrorPct()),
                        percent(row.meanPct()),
                        percent(row.worstPct())))
            .toList());
  }

  private void loads() {
    if (report.loads() == null) {
      return;
    }
    html.heading(2, "Several requests at once");
    html.paragraph(
        "The default intersection (10 MB, skew 100), 64 times at a steady rate. The paper's device"
            + " could run one at a time; the model lets one load its pages while another computes. Where"
            + " less is done than comes, requests pile up.");
    for (Load load : report.loads()) {
      List<String> rates = load.points().stream().map(p -> HtmlReport.number(p.perS())).toList();
      html.heading(3, "Profile " + load.profile());
      html.figures(
          "Requests that come in a simulated second.",
          List.of(
              plot("(a) mean latency", "simulated ms", rates, load, true),
              plot("(b) throughput", "done in a simulated second", rates, load, false)));
      html.table(
          List.of(
              ">requests/s that come",
              ">device, ms",
              ">host, ms",
              ">device, done/s",
              ">host, done/s"),
          load.points().stream()
              .map(
                  p ->
                      List.of(
                          HtmlReport.number(p.perS()),
                          HtmlReport.number(p.deviceMs()),
                          HtmlReport.number(p.hostMs()),
                          HtmlReport.number(p.devicePerS()),
                          HtmlReport.number(p.hostPerS())))
              .toList());
    }
  }

  private static String plot(
      String title, String unit, List<String> rates, Load load, boolean latency) {
    List<Double> device = new ArrayList<>();
    List<Double> host = new ArrayList<>();
    for (Load.Point p : load.points()) {
      device.add(latency ? p.deviceMs() : p.devicePerS());
      host.add(latency ? p.hostMs() : p.hostPerS());
    }
    return Svg.draw(
        new Svg.Plot(
            title,
            "requests a simulated second",
            unit,
            rates,
            List.of(new Svg.Bars("with programs", device), new Svg.Bars("regular", host)),
            List.of()));
  }

  private void reads() {
    if (report.reads() == null) {
      return;
    }
    html.heading(2, "Plain reads");
    html.paragraph(
        "Reads of whole flash pages without any program, beside what follows by hand: a single read"
            + " is controller, command, mean tR, channel, error correction and DRAM, and on the host"
            + " system call, command, link and completion too. Many at once cannot exceed as many"
            + " times a single one, nor the narrowest of channels, DRAM and link.");
    List<List<String>> rows = new ArrayList<>();
    for (RawReads side : report.reads()) {
      rows.add(
          List.of(
              side.side() + ", single random read of " + side.pageBytes() + " B",
              HtmlReport.number(side.latencyUs()) + " us",
              HtmlReport.number(side.handUs()) + " us",
              percent(100 * (side.latencyUs() / side.handUs() - 1))));
      for (RawReads.Depth depth : side.depths()) {
        rows.add(
            List.of(
                side.side() + ", in order, " + depth.depth() + " at a time",
                HtmlReport.number(depth.mbPerS()) + " MB/s",
                "at most " + HtmlReport.number(depth.boundMbPerS()) + " MB/s",
                percent(100 * (depth.mbPerS() / depth.boundMbPerS() - 1))));
      }
    }
    html.table(List.of("reads", ">modelled", ">by hand", ">deviation"), rows);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }
}
