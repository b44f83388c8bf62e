/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.model.ModelPrinter;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Table;

/** A search report for people. */
final class SearchPrinter {
  private static final int TITLE_WIDTH = 60;
  private final PrintWriter out;

  SearchPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints all queries, then a summary if there is more than one. */
  void print(SearchReport report) {
    for (QueryResult result : report.queries()) {
      print(result);
      out.println();
    }
    out.println(summary(report));
    out.println("Times are of single runs, the first ones cold; bench measures.");
    if (report.profile() != null) {
      out.println(ModelPrinter.FOOTNOTE);
    }
  }

  private void print(QueryResult result) {
    out.println(result.query());
    Answer shown = result.device() != null ? result.device() : result.host();
    if (shown.hits() != null) {
      printHits(shown.hits(), "  ");
    } else if (shown.docs() != null) {
      for (int doc : shown.docs()) {
        out.println(doc);
      }
    }
    List<String> parts = new ArrayList<>();
    parts.add(matches(shown));
    if (result.identical() != null) {
      parts.add(result.identical() ? "identical" : "DIFFERENT, " + result.difference());
    }
    if (result.device() != null) {
      parts.add("device " + Figures.micros(result.device().micros()));
    }
    if (result.host() != null) {
      parts.add("host " + Figures.micros(result.host().micros()));
    }
    if (result.device() != null) {
      parts.add(result.device().work().place());
    }
    out.println("  " + String.join("; ", parts));
    if (result.device() != null && result.device().modelled() != null) {
      out.println("  " + ModelPrinter.line(result.device().modelled()));
    }
  }

  /** The hits, one a line. */
  void printHits(List<Hit> hits, String indent) {
    Table table = new Table(indent, ">", ">score", ">doc", "title", "id");
    for (Hit hit : hits) {
      table.add(
          Integer.toString(hit.rank()),
          String.format(Locale.ROOT, "%.4f", hit.score()),
          Integer.toString(hit.doc()),
          hit.title() == null ? "" : Figures.cut(hit.title(), TITLE_WIDTH),
          hit.id() == null ? "" : hit.id());
    }
    if (!hits.isEmpty()) {
      table.print(out);
    }
  }

  /** {@code 12 matches}, {@code at least 1,001 matches}. */
  static String matches(Answer answer) {
    String number = Figures.count(answer.count());
    String noun = answer.count() == 1 ? " match" : " matches";
    return (answer.relation().equals("EQUAL_TO") ? "" : "at least ") + number + noun;
  }

  private static String summary(SearchReport report) {
    StringBuilder text = new StringBuilder();
    text.append(
        report.queriesRun() == report.queriesAsked()
            ? queries(report.queriesRun())
            : report.queriesRun() + " of " + queries(report.queriesAsked()));
    text.append(" over ").append(Figures.count(report.documents(), "document"));
    text.append(" in ").append(Figures.count(report.segments(), "segment"));
    if (report.identical() != null) {
      text.append(report.identical() ? ": all identical" : ": stopped at a difference");
    }
    if (report.work() != null) {
      text.append("; ").append(report.device()).append(" answered ");
      text.append(report.queriesOffloaded()).append(" in full, ").append(report.work().place());
    }
    return text.toString();
  }

  private static String queries(long number) {
    return Figures.count(number) + (number == 1 ? " query" : " queries");
  }
}
