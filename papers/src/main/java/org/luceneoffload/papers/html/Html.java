/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.luceneoffload.papers.study.Plot;

/** A page of HTML that needs no network: style, scripts and data are in it. */
final class Html {
  /** The library that draws, see NOTICE. */
  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.4.1/";

  private final StringBuilder body = new StringBuilder();
  private boolean draws;

  /** Escapes a text for HTML. */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  void heading(int level, String text) {
    body.append("<h" + level + ">" + escape(text) + "</h" + level + ">\n");
  }

  void paragraph(String text) {
    body.append("<p>" + escape(text) + "</p>\n");
  }

  void note(String text) {
    if (!text.isEmpty()) {
      body.append("<p class=\"note\">" + escape(text) + "</p>\n");
    }
  }

  /** Adds a plot, and its data as a table that is hidden where scripts run. */
  void plot(Plot plot) throws IOException {
    draws = true;
    body.append("<figure><canvas width=\"480\" height=\"300\" role=\"img\" aria-label=\"");
    body.append(escape(plot.title())).append("\"></canvas>");
    body.append("<script type=\"application/json\">");
    body.append(ReportFiles.mapper().writeValueAsString(plot).replace("<", "\\u003c"));
    body.append("</script>\n<div class=\"data\" hidden=\"hidden\">");
    heading(3, plot.title());
    List<String> headings = new ArrayList<>(List.of(plot.x().title() + unit(plot.x())));
    plot.series().forEach(s -> headings.add(">" + s.name() + unit(plot.y())));
    table(headings, data(plot));
    body.append("</div><figcaption>" + escape(plot.note()) + "</figcaption></figure>\n");
  }

  private static String unit(Plot.Axis axis) {
    return axis.unit().isEmpty() ? "" : ", " + axis.unit();
  }

  private static List<List<String>> data(Plot plot) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < plot.categories().size(); i++) {
      List<String> row = new ArrayList<>(List.of(plot.categories().get(i)));
      for (Plot.Series series : plot.series()) {
        row.add(HtmlReport.cell(series.y().get(i)));
      }
      rows.add(row);
    }
    TreeSet<Double> xs = new TreeSet<>();
    plot.series().forEach(series -> xs.addAll(series.x()));
    for (Double x : xs) {
      List<String> row = new ArrayList<>(List.of(HtmlReport.cell(x)));
      for (Plot.Series series : plot.series()) {
        int at = series.x().indexOf(x);
        row.add(HtmlReport.cell(at < 0 ? null : series.y().get(at)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Adds a table; headings that start with {@code >} are those of numbers. */
  void table(List<String> headings, List<List<String>> rows) {
    body.append("<table tabindex=\"0\"><tr>"); // a wide one is scrolled by keys
    for (String heading : headings) {
      boolean number = heading.startsWith(">");
      String text = number ? heading.substring(1) : heading;
      String cell = text.isEmpty() ? "td" : "th";
      body.append("<" + cell + (number ? " class=\"r\"" : "") + ">");
      body.append(escape(text) + "</" + cell + ">");
    }
    body.append("</tr>\n");
    for (List<String> row : rows) {
      body.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String style = headings.get(i).startsWith(">") ? "r" : style(row.get(i));
        body.append("<td" + (style.isEmpty() ? "" : " class=\"" + style + "\"") + ">");
        body.append(escape(row.get(i)) + "</td>");
      }
      body.append("</tr>\n");
    }
    body.append("</table>\n");
  }

  private static String style(String cell) {
    return cell.equals("pass") ? "pass" : cell.equals("MISS") ? "miss" : "";
  }

  /** Returns the whole page. */
  String page(String title) throws IOException {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>"
        + escape(title)
        + "</title>\n<style>\n"
        + resource("report.css")
        + "</style>\n"
        + "<noscript><style>.data { display: block; }</style></noscript></head><body><main>\n"
        + body
        + "</main>\n"
        + (draws ? scripts() : "")
        + "</body></html>\n";
  }

  private static String scripts() throws IOException {
    // The map of the source is not in the page.
    String charts =
        resource(CHARTS + "dist/chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*\\R?", "");
    String licence = "/*\n" + resource(CHARTS + "LICENSE.md").strip() + "\n*/\n";
    return "<script>\n"
        + licence
        + charts
        + "</script>\n<script>\n"
        + resource("report.js")
        + "</script>\n";
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Html.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
