/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.cli.output.TextTable;

/** Prints a report for people, or as the tables of a document. */
final class CoveragePrinter {
  private final CoverageReport report;
  private final PrintWriter out;

  CoveragePrinter(CoverageReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  void print() {
    out.println(
        Figures.count(report.requests(), "request")
            + " in "
            + Figures.count(report.lines(), "line")
            + " of "
            + (report.log() == null ? "the catalogue" : Printable.text(report.log()))
            + ", "
            + Figures.count(report.shapes().size(), "shape")
            + ", device "
            + report.device());
    out.println();
    TextTable places = new TextTable("  ", "where", ">requests", ">share", ">shapes");
    for (CoverageReport.Share share : report.places()) {
      if (share.shapes() > 0 || share.requests() > 0) {
        places.add(
            name(share.place()),
            Figures.count(share.requests()),
            String.format(Locale.ROOT, "%.1f %%", report.percent(share)),
            Figures.count(share.shapes()));
      }
    }
    places.print(out);
    out.println();
    TextTable shapes = new TextTable("  ", ">requests", "where", "shape", "why not on the device");
    for (CoverageReport.Shape shape : report.shapes()) {
      shapes.add(
          Figures.count(shape.requests()),
          name(shape.place()),
          Figures.cut(shape.shape(), 90),
          Figures.cut(String.join("; ", shape.reasons()), 120));
    }
    shapes.print(out);
  }

  /** Prints the tables of docs/SHAPES.md. */
  void printMarkdown() {
    out.println("| where | shapes | share of shapes | requests |");
    out.println("| --- | ---: | ---: | ---: |");
    for (CoverageReport.Share share : report.places()) {
      out.println(
          String.format(
              Locale.ROOT,
              "| %s | %d | %.0f %% | %d |",
              name(share.place()),
              share.shapes(),
              100.0 * share.shapes() / report.shapes().size(),
              share.requests()));
    }
    out.println();
    out.println(
        "| query | what is asked of it, by whom | requests | where | why not on the device |");
    out.println("| --- | --- | ---: | --- | --- |");
    Map<Asked, List<CoverageReport.Shape>> rows = new LinkedHashMap<>();
    report.shapes().stream()
        .collect(
            Collectors.groupingBy(
                shape -> List.of(query(shape), shape.place(), shape.reasons()),
                LinkedHashMap::new,
                Collectors.toList()))
        .values()
        .forEach(
            shapes ->
                rows.computeIfAbsent(Asked.of(shapes), row -> new ArrayList<>()).addAll(shapes));
    rows.forEach(this::printRow);
  }

  private void printRow(Asked row, List<CoverageReport.Shape> shapes) {
    out.println(
        String.format(
            Locale.ROOT,
            "| %s | %s | %d | %s | %s |",
            shapes.stream()
                .map(shape -> "`" + query(shape) + "`")
                .distinct()
                .collect(Collectors.joining(", ")),
            row.what(),
            shapes.stream().mapToLong(CoverageReport.Shape::requests).sum(),
            name(row.place()),
            String.join("; ", row.reasons())));
  }

  private static String query(CoverageReport.Shape shape) {
    return shape.shape().split("; ", 2)[0];
  }

  /** What is asked of a query, by whom and how often, and who answers. */
  private record Asked(String what, CoverageReport.Place place, List<String> reasons) {
    /** Returns what shapes of one query say, which have one place and the same reasons. */
    static Asked of(List<CoverageReport.Shape> shapes) {
      CoverageReport.Shape first = shapes.get(0);
      return new Asked(
          shapes.stream().map(Asked::of).collect(Collectors.joining("; ")),
          first.place(),
          first.reasons());
    }

    private static String of(CoverageReport.Shape shape) {
      String names =
          shape.names().entrySet().stream()
              .map(name -> name.getKey() + " " + name.getValue())
              .collect(Collectors.joining(", ", "(", ")"));
      int query = query(shape).length();
      return query == shape.shape().length()
          ? names
          : shape.shape().substring(query + 2).replace("; ", " and ") + " " + names;
    }
  }

  private static String name(CoverageReport.Place place) {
    return place.name().toLowerCase(Locale.ROOT);
  }
}
