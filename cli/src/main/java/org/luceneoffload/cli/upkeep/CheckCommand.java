/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.codec.ImageCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload check}. */
@Command(
    name = "check",
    header = "Check Lucene's files and what is on the device.",
    description =
        "Runs Lucene's CheckIndex, then compares every device list with Lucene's postings and every"
            + " column with Lucene's doc values.",
    footer = {
      "",
      "The exit code is 1 if Lucene's own files are damaged, 3 if device lists or columns are.",
      "No permission to write is needed; without it the index cannot be locked, and the report",
      "says so."
    })
public final class CheckCommand extends OffloadCommand {
  private static final int SHOWN = 10;

  @Mixin private IndexOptions index;

  @Override
  protected int run() throws Exception {
    CheckReport report = CheckService.run(index, Terminal.standardError(err()));
    print(report, () -> printText(report));
    return !report.luceneClean()
        ? ExitCodes.FAILURE
        : report.identical() ? ExitCodes.OK : ExitCodes.DIFFERENCE;
  }

  private void printText(CheckReport report) {
    if (report.withoutLock() != null) {
      out()
          .println(
              "Checked without the index's write lock ("
                  + Printable.text(report.withoutLock())
                  + "): if a writer is at work, run it again.");
    }
    out().println("Lucene's files: " + (report.luceneClean() ? "clean" : "DAMAGED"));
    printSome("", report.luceneProblems());
    if (!report.luceneClean()) {
      return;
    }
    out()
        .printf(
            Locale.ROOT,
            "Device lists: %s; %s with %s in %s, %s of %s%n",
            report.segmentsCompared() == 0
                ? "none, so there is nothing to compare (import or repair makes them)"
                : state(report.problems().size() - report.columnProblems()),
            Figures.count(report.lists(), "list"),
            Figures.count(report.postings(), "posting"),
            Figures.count(report.pages(), "page"),
            Figures.count(report.segmentsCompared()),
            Figures.count(report.segments(), "segment"));
    if (report.columns() + report.columnProblems() > 0) {
      out()
          .printf(
              Locale.ROOT,
              "Columns: %s; %s with %s in %s%n",
              state(report.columnProblems()),
              Figures.count(report.columns(), "column"),
              Figures.count(report.columnValues(), "value"),
              Figures.count(report.columnPages(), "page"));
    }
    printSome("without device lists: ", report.withoutImage());
    printSome("columns that cannot be used: ", report.columnsUnusable());
    printSome("", report.problems());
  }

  private static String state(int problems) {
    return problems == 0
        ? "identical"
        : (problems >= ImageCheck.MAX_PROBLEMS ? "at least " : "")
            + Figures.count(problems, "problem");
  }

  /** Prints some of the problems: one damaged page may be as many as it holds lists. */
  private void printSome(String what, List<String> all) {
    all.stream().limit(SHOWN).forEach(text -> out().println("  " + what + Printable.text(text)));
    if (all.size() > SHOWN) {
      out()
          .println(
              "  " + what + "... and " + Figures.count(all.size() - SHOWN) + " more, see --json");
    }
  }
}
