/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.List;

/** A page of HTML that needs nothing else: no network, no script. */
final class Html {
  private static final String STYLE =
      """
      body { font: 15px/1.45 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; color: #222; }
      h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } h3 { font-size: 1em; }
      table { border-collapse: collapse; margin: .6em 0; font-size: 13px; }
      th, td { padding: .2em .7em; border-bottom: 1px solid #ddd; text-align: left; }
      td.r, th.r { text-align: right; font-variant-numeric: tabular-nums; }
      .pass { color: #1a7a2e; } .miss { color: #b3261e; font-weight: 600; }
      figure { display: inline-block; margin: .4em 0; } figcaption { font-size: 12px; color: #666; }
      svg text { font-family: system-ui, sans-serif; } svg .t { font-size: 13px; font-weight: 600; }
      svg .a { font-size: 11px; } svg .n { font-size: 10px; } svg .g { stroke: #ddd; }
      p.note { font-size: 13px; color: #555; }
      """;

  private final StringBuilder body = new StringBuilder();

  /** Escapes a text for HTML and SVG. */
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
    body.append("<p class=\"note\">" + escape(text) + "</p>\n");
  }

  /** Adds plots side by side. */
  void figures(String caption, List<String> svgs) {
    body.append("<figure>" + String.join("", svgs));
    body.append("<figcaption>" + escape(caption) + "</figcaption></figure>\n");
  }

  /** Adds a table; headings that start with {@code >} are those of numbers. */
  void table(List<String> headings, List<List<String>> rows) {
    body.append("<table><tr>");
    for (String heading : headings) {
      boolean number = heading.startsWith(">");
      String text = number ? heading.substring(1) : heading;
      body.append("<th" + (number ? " class=\"r\"" : "") + ">" + escape(text) + "</th>");
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
  String page(String title) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
        + escape(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style></head><body>\n"
        + body
        + "</body></html>\n";
  }
}
