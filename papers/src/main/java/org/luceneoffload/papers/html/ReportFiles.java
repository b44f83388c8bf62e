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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.papers.study.Table;
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
  public static List<Path> write(Report report, Path dir) throws IOException {
    Files.createDirectories(dir);
    return List.of(
        write(dir, "report.html", HtmlReport.page(report)),
        write(dir, "report.json", json(report)),
        write(dir, "figures.csv", figures(report)),
        write(dir, "trends.csv", trends(report)),
        write(dir, "tables.csv", tables(report)));
  }

  private static Path write(Path dir, String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  /** Returns what writes records as JSON of the report. */
  static JsonMapper mapper() {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
        .build();
  }

  private static String json(Report report) throws IOException {
    return mapper().writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report) + "\n";
  }

  private static String figures(Report report) {
    StringBuilder out =
        new StringBuilder(
            row(
                "paper",
                "profile",
                "id",
                "kind",
                "text",
                "source",
                "unit",
                "published",
                "modelled",
                "deviation_pct",
                "tolerance_pct",
                "verdict"));
    for (PaperReport paper : report.all()) {
      for (Figure f : paper.figures()) {
        Published p = f.published();
        out.append(
            row(
                paper.paper(),
                paper.profile(),
                p.id(),
                p.kind().text(),
                p.text(),
                p.source(),
                p.unit(),
                value(p.value()),
                value(f.modelled()),
                value(f.deviationPct()),
                value(p.tolerancePct()),
                f.verdict()));
      }
    }
    return out.toString();
  }

  private static String trends(Report report) {
    StringBuilder out =
        new StringBuilder(row("paper", "profile", "kind", "text", "source", "verdict", "seen"));
    for (PaperReport paper : report.all()) {
      for (TrendLine t : paper.trends()) {
        out.append(
            row(
                paper.paper(),
                paper.profile(),
                t.fitted() ? "fitted" : "predicted",
                t.text(),
                t.source(),
                t.verdict(),
                t.seen()));
      }
    }
    return out.toString();
  }

  /** Returns all cells of all tables that are numbers, a line each. */
  private static String tables(Report report) {
    StringBuilder out =
        new StringBuilder(
            row("paper", "profile", "table", "row", "label", "column", "unit", "value"));
    for (PaperReport paper : report.all()) {
      for (Table table : paper.tables()) {
        for (int i = 0; i < table.rows().size(); i++) {
          cells(paper, table, i, out);
        }
      }
    }
    return out.toString();
  }

  private static void cells(PaperReport paper, Table table, int at, StringBuilder out) {
    List<Object> cells = table.rows().get(at);
    String label = label(table, cells);
    for (int i = 0; i < cells.size(); i++) {
      Table.Column column = table.columns().get(i);
      if (column.number() && cells.get(i) != null) {
        out.append(
            row(
                paper.paper(),
                paper.profile(),
                table.title(),
                "" + (at + 1),
                label,
                column.name(),
                column.unit(),
                value(cells.get(i))));
      }
    }
  }

  /** Returns the texts of a row and its first number. */
  private static String label(Table table, List<Object> cells) {
    boolean numbered = false;
    StringBuilder label = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      boolean number = table.columns().get(i).number();
      if (cells.get(i) != null && !(number && numbered)) {
        label.append(label.isEmpty() ? "" : ", ").append(value(cells.get(i)));
      }
      numbered |= number;
    }
    return label.toString();
  }

  private static String value(Object cell) {
    return cell instanceof Double number
        ? number == Math.rint(number) && Math.abs(number) < 1e15
            ? String.format(Locale.ROOT, "%.0f", number)
            : String.format(Locale.ROOT, "%.6g", number)
        : cell.toString();
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
