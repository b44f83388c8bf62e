/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.cli.model.ModelPrinter;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.OutputClosedException;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.cli.output.TextTable;

/** A search report for people. */
final class SearchPrinter implements SearchOutput {
  private static final int TITLE_WIDTH = 60;
  private static final int CHECK_EVERY = 10_000;
  private final PrintWriter out;
  private SearchReport report;

  SearchPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(SearchReport searched) {
    report = searched;
  }

  @Override
  public void add(QueryResult result) {
    print(result);
    out.println();
    OutputClosedException.check(out);
  }

  @Override
  public void end(SearchSummary summary) {
    out.println(text(summary));
    out.println("Times are of single runs, the first ones cold; bench measures.");
    if (report.profile() != null) {
      out.println(ModelPrinter.FOOTNOTE);
    }
    out.flush();
  }

  private void print(QueryResult result) {
    out.println(Printable.text(result.query()));
    Answer shown = result.device() != null ? result.device() : result.host();
    if (shown.hits() != null) {
      printHits(shown.hits(), "  ");
    } else if (shown.aggregates() != null) {
      shown.aggregates().forEach(aggregate -> AggregatePrinter.print(aggregate, "  ", out));
    } else if (shown.docs() != null) {
      int[] docs = shown.docs();
      for (int i = 0; i < docs.length; i++) {
        out.println(docs[i]);
        if (i % CHECK_EVERY == 0) {
          OutputClosedException.check(out);
        }
      }
    }
    List<String> parts = new ArrayList<>();
    parts.add(matches(shown));
    if (result.identical() != null) {
      parts.add(result.identical() ? "identical" : "DIFFERENT, " + result.difference());
    }
    if (result.device() != null) {
      String who = result.device().work().plansExecuted() > 0 ? "device " : "without the device ";
      parts.add(who + Figures.micros(result.device().micros()));
    }
    if (result.host() != null) {
      parts.add("host " + Figures.micros(result.host().micros()));
    }
    if (result.device() != null) {
      parts.add(result.device().work().place(shown.count()));
      String how = result.device().work().how();
      if (how != null) {
        parts.add(how);
      }
    }
    out.println("  " + String.join("; ", parts));
    if (result.device() != null && result.device().modelled() != null) {
      out.println("  " + ModelPrinter.line(result.device().modelled()));
    }
  }

  /** Prints the hits, one a line. */
  void printHits(List<Hit> hits, String indent) {
    boolean sorted = !hits.isEmpty() && hits.get(0).keys() != null;
    TextTable table = new TextTable(indent, ">", sorted ? "key" : ">score", ">doc", "title", "id");
    for (Hit hit : hits) {
      table.add(
          Integer.toString(hit.rank()),
          hit.shownKey(),
          Integer.toString(hit.doc()),
          hit.title() == null ? "" : Figures.cut(hit.title(), TITLE_WIDTH),
          hit.id() == null ? "" : hit.id());
    }
    if (!hits.isEmpty()) {
      table.print(out);
    }
  }

  /** Returns a count, such as {@code 12 matches} or {@code at least 1,001 matches}. */
  static String matches(Answer answer) {
    String number = Figures.count(answer.count());
    String noun = answer.count() == 1 ? " match" : " matches";
    return (answer.relation().equals("EQUAL_TO") ? "" : "at least ") + number + noun;
  }

  private String text(SearchSummary summary) {
    StringBuilder text = new StringBuilder();
    text.append(
        summary.queriesRun() == report.queriesAsked()
            ? queries(report.queriesAsked())
            : Figures.count(summary.queriesRun()) + " of " + queries(report.queriesAsked()));
    text.append(" over ").append(Figures.count(report.documents(), "document"));
    text.append(" in ").append(Figures.count(report.segments(), "segment"));
    if (summary.identical() != null) {
      text.append(summary.identical() ? ": all identical" : ": stopped at a difference");
    }
    if (summary.work() != null) {
      text.append("; ").append(report.device()).append(" answered ");
      text.append(Figures.count(summary.queriesOffloaded())).append(" in full, ");
      text.append(summary.work().place());
    }
    return text.toString();
  }

  private static String queries(long number) {
    return Figures.count(number) + (number == 1 ? " query" : " queries");
  }
}
