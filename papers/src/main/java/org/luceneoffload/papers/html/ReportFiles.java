/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.ReproReport;
import org.luceneoffload.papers.study.TrendLine;

/** Writes a report: HTML for people, JSON and CSV for programs. */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Makes the folder of a report if it is missing, and tries to make a file in it.
   *
   * @throws IOException if a report cannot be written there
   */
  public static void prepare(Path dir) throws IOException {
    Files.createDirectories(dir);
    Files.delete(Files.createTempFile(dir, "report", ".tmp"));
  }

  /**
   * Writes all files into a folder, which is made if it is missing.
   *
   * @return the files
   */
  public static List<Path> write(ReproReport report, Path dir) throws IOException {
    Files.createDirectories(dir);
    return List.of(
        write(dir, "report.html", HtmlReport.page(report)),
        write(dir, "report.json", json(report)),
        write(dir, "published.csv", published(report)),
        write(dir, "trends.csv", trends(report)),
        write(dir, "experiments.csv", experiments(report)));
  }

  private static Path write(Path dir, String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  private static String json(ReproReport report) throws IOException {
    return JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(report)
        + "\n";
  }

  private static String published(ReproReport report) {
    StringBuilder out =
        new StringBuilder(
            "id,set,text,source,unit,published,modelled,deviation_pct,tolerance_pct,verdict,paper\n");
    for (Figure f : all(report, report.figures(), PaperReport::figures)) {
      Published p = f.published();
      out.append(
          row(
              p.id(),
              p.kind().text(),
              p.text(),
              p.source(),
              p.unit(),
              number(p.value()),
              number(f.modelled()),
              number(f.deviationPct()),
              number(p.tolerancePct()),
              f.verdict(),
              p.paper()));
    }
    return out.toString();
  }

  /** Collects what the first paper has, and then the others. */
  private static <T> List<T> all(
      ReproReport report, List<T> first, Function<PaperReport, List<T>> others) {
    List<PaperReport> papers = report.papers() == null ? List.of() : report.papers();
    return Stream.concat(first.stream(), papers.stream().flatMap(p -> others.apply(p).stream()))
        .toList();
  }

  private static String trends(ReproReport report) {
    StringBuilder out = new StringBuilder("set,text,source,verdict,seen\n");
    for (TrendLine t : all(report, report.trends(), PaperReport::trends)) {
      String set = t.fitted() ? "fitted" : "predicted";
      out.append(row(set, t.text(), t.source(), t.verdict(), t.seen()));
    }
    return out.toString();
  }

  private static String experiments(ReproReport report) {
    StringBuilder out =
        new StringBuilder(
            "experiment,parameter,value,side,elapsed_ms,active_mj,latency_gain,energy_gain,results,"
                + "list_accesses,pages,"
                + ModelNames.PARTS.stream().map(p -> p + "_ms").collect(Collectors.joining(","))
                + "\n");
    for (ReproReport.SweepResult sweep : report.sweeps()) {
      for (ReproReport.PointResult point : sweep.points()) {
        out.append(side(sweep, point, "device", point.device()));
        out.append(side(sweep, point, "host", point.host()));
      }
    }
    return out.toString();
  }

  private static String side(
      ReproReport.SweepResult sweep,
      ReproReport.PointResult point,
      String name,
      ReproReport.SideResult side) {
    return row(
        Stream.concat(
                Stream.of(
                    sweep.id(),
                    sweep.parameter(),
                    point.label(),
                    name,
                    number(side.elapsedMs()),
                    number(side.activeMj()),
                    number(point.latencyGain()),
                    number(point.energyGain()),
                    "" + point.results(),
                    "" + point.listAccesses(),
                    "" + point.pages()),
                ModelNames.PARTS.stream().map(part -> number(side.partsMs().get(part))))
            .toArray(String[]::new));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }

  /** Returns a line of CSV as RFC 4180 has it. */
  static String row(String... cells) {
    return Stream.of(cells)
            .map(
                cell ->
                    cell.chars().anyMatch(c -> ",\"\n\r".indexOf(c) >= 0)
                        ? '"' + cell.replace("\"", "\"\"") + '"'
                        : cell)
            .collect(Collectors.joining(","))
        + "\n";
  }
}
