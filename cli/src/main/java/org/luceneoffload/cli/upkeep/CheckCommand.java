/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload check}. */
@Command(
    name = "check",
    description = "Check an index: Lucene's CheckIndex, then every device list against Lucene's.",
    footer = {"", "Damage of Lucene's own files is exit code 1, of the device's lists 3."})
public final class CheckCommand extends OffloadCommand {
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
    out().println("Lucene's files: " + (report.luceneClean() ? "clean" : "DAMAGED"));
    report.luceneProblems().forEach(problem -> out().println("  " + problem));
    if (!report.luceneClean()) {
      return;
    }
    out()
        .printf(
            "Device lists: %s; %s with %s in %s, %d of %s%n",
            report.segmentsCompared() == 0
                ? "nothing to compare"
                : report.identical() ? "identical" : "DIFFERENT",
            Figures.count(report.lists(), "list"),
            Figures.count(report.postings(), "posting"),
            Figures.count(report.pages(), "page"),
            report.segmentsCompared(),
            Figures.count(report.segments(), "segment"));
    report.withoutImage().forEach(reason -> out().println("  without device lists: " + reason));
    report.problems().forEach(problem -> out().println("  " + problem));
  }
}
