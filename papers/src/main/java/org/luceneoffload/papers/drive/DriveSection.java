/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.model.ProfileFields;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Table;

/** The section of a report on a drive that {@code calibrate-host} has measured. */
public final class DriveSection {
  private DriveSection() {}

  /**
   * Reads what {@code calibrate-host --out} wrote.
   *
   * @throws IOException if the file cannot be read, or is none of these
   */
  public static PaperReport read(Path file) throws IOException {
    return of(HostReport.read(file));
  }

  static PaperReport of(HostReport report) {
    List<Calibrated> numbers =
        report.shown().entrySet().stream()
            .map(
                n ->
                    new Calibrated(
                        n.getKey(), n.getValue(), ProfileFields.of(n.getKey()).unit(), "measured"))
            .toList();
    return new PaperReport(
        "drive",
        "A measured drive, and how far the model is from it",
        report.profile(),
        "made by calibrate-host on " + report.machine(),
        false,
        List.of(
            String.format(
                Locale.ROOT,
                "Here times are measured on that machine, and predicted from the profile. Fits have"
                    + " seen the reads and other queries, not these. An error of %.0f %% is aimed"
                    + " at; %d of %d rows miss it.",
                report.boundPct(),
                report.missed(),
                report.queries().size())),
        numbers,
        List.of(),
        List.of(),
        List.of(queries(report), reads(report)),
        List.of(queryPlot(report), readPlot(report)));
  }

  private static Table queries(HostReport report) {
    Table table =
        Table.of(
                "Queries, measured and predicted",
                "Geometric means of the times of queries that no fit has seen, by where they ran"
                    + " and by shape.")
            .text("where")
            .text("queries")
            .number("pages", "")
            .number("measured", "us")
            .number("predicted", "us")
            .number("error", "%")
            .text("");
    for (HostReport.Row row : report.queries()) {
      table.row(
          row.where(),
          row.shape(),
          row.pages(),
          row.measuredUs(),
          row.predictedUs(),
          row.errorPct(),
          row.missed(report.boundPct()) ? "MISS" : "pass");
    }
    return table;
  }

  private static Table reads(HostReport report) {
    Table table =
        Table.of(
                "Reads, measured and played",
                "The time of a read at random, with so many under way at once.")
            .number("size", "KiB")
            .number("at once", "")
            .number("measured", "us")
            .number("modelled", "us")
            .number("error", "%");
    for (HostReport.Read read : report.reads()) {
      table.row(
          read.bytes() / 1024, read.depth(), read.measuredUs(), read.modelledUs(), read.errorPct());
    }
    return table;
  }

  private static Plot queryPlot(HostReport report) {
    Plot plot =
        Plot.of(
            "Queries: predicted over measured",
            "A point is a shape of queries. On the line, prediction and measurement agree.",
            new Axis("measured", "us", true),
            new Axis("predicted", "us", true));
    List<Double> all = report.queries().stream().map(HostReport.Row::measuredUs).sorted().toList();
    plot.add(new Series("equal", Mark.LINE, false, all, all));
    Map<String, List<HostReport.Row>> places = new LinkedHashMap<>();
    for (HostReport.Row row : report.queries()) {
      places.computeIfAbsent(row.where(), any -> new ArrayList<>()).add(row);
    }
    places.forEach(
        (where, rows) ->
            plot.add(
                new Series(
                    where,
                    Mark.POINTS,
                    false,
                    rows.stream().map(HostReport.Row::measuredUs).toList(),
                    rows.stream().map(HostReport.Row::predictedUs).toList())));
    return plot;
  }

  private static Plot readPlot(HostReport report) {
    Plot plot =
        Plot.of(
            "Reads: error of the model",
            "By how much a played read takes longer than a measured one.",
            new Axis("reads at once", "", true),
            new Axis("error", "%", false));
    for (int bytes :
        report.reads().stream().mapToInt(HostReport.Read::bytes).distinct().toArray()) {
      List<HostReport.Read> reads =
          report.reads().stream().filter(read -> read.bytes() == bytes).toList();
      if (reads.size() > 1) {
        plot.add(
            new Series(
                bytes / 1024 + " KiB",
                Mark.LINE,
                false,
                reads.stream().map(read -> (double) read.depth()).toList(),
                reads.stream().map(HostReport.Read::errorPct).toList()));
      }
    }
    return plot;
  }
}
