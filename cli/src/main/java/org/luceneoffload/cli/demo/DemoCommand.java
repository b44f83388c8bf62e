/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import java.nio.file.Path;
import java.util.Locale;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.explore.ExploreCommand;
import org.luceneoffload.cli.index.IndexCommand;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.cli.search.AggregatePrinter;
import org.luceneoffload.cli.search.Hit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code offload demo}. */
@Command(
    name = "demo",
    header = "Index a sample corpus and search it on device and host.",
    description =
        "Indexes the sample corpus, runs ten queries, a filter, a sort and aggregations on the"
            + " device and on stock Lucene, and compares the answers.")
public final class DemoCommand extends OffloadCommand {
  private static final int TITLE_WIDTH = 66;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory for the index (default: sample-corpus/target/demo-index).")
  private Path dir;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "sim",
      description = "Device that holds the posting lists (default: ${DEFAULT-VALUE}).")
  private String device;

  @Option(
      names = "--explore",
      description = "Then serve a page that shows the index, until Ctrl-C: see offload explore.")
  private boolean explore;

  @Override
  protected int run() throws Exception {
    DemoReport report = DemoService.run(DemoFiles.find(dir), device, Terminal.standardError(err()));
    print(report, () -> printText(report));
    if (explore) {
      ExploreCommand.serve(report.index(), device, this::printAddress);
    }
    return report.identical() ? ExitCodes.OK : ExitCodes.DIFFERENCE;
  }

  /** Prints where the page is: on standard error, since the report is one document. */
  private void printAddress(String url) {
    err().println("the index in a browser: " + url);
  }

  private void printText(DemoReport report) {
    if (report.indexing() != null) {
      out().println(IndexCommand.text(report.indexing()));
    } else {
      out()
          .printf(
              Locale.ROOT,
              "%s: %s in %s, already indexed%n",
              report.index(),
              Figures.count(report.documents(), "document"),
              Figures.count(report.segments(), "segment"));
    }
    int number = 0;
    for (DemoReport.Entry entry : report.queries()) {
      printEntry(++number, entry);
    }
    printSummary(report);
  }

  private void printEntry(int number, DemoReport.Entry entry) {
    out().println();
    String matches =
        (entry.relation().equals("EQUAL_TO") ? "" : "at least ")
            + Figures.count(entry.count())
            + (entry.count() == 1 ? " match" : " matches");
    String asked = entry.query() + (entry.sort() == null ? "" : " --sort " + entry.sort());
    out().printf(Locale.ROOT, "%2d  %-52s %s%n", number, Printable.text(asked), matches);
    if (entry.aggregates() != null) {
      entry.aggregates().forEach(found -> AggregatePrinter.print(found, "    ", out()));
    } else {
      TextTable table = new TextTable("    ", ">", ">", "");
      for (Hit hit : entry.hits()) {
        table.add(
            hit.rank() + ".",
            hit.shownKey(),
            Figures.cut(String.valueOf(hit.title()), TITLE_WIDTH));
      }
      table.print(out());
    }
    out()
        .printf(
            Locale.ROOT,
            "    %s; device %s, host %s; %s%n",
            entry.identical() ? "identical" : "DIFFERENT: " + entry.difference(),
            Figures.micros(entry.deviceUs()),
            Figures.micros(entry.hostUs()),
            entry.leavesOffloaded() > 0
                ? Figures.bytes(entry.linkBytes())
                    + " over the link instead of "
                    + Figures.bytes(entry.hostBytes())
                : entry.place());
  }

  private void printSummary(DemoReport report) {
    long same = report.queries().stream().filter(DemoReport.Entry::identical).count();
    long byDevice =
        report.queries().stream()
            .filter(e -> e.leavesOffloaded() > 0 && e.leavesOnHost() == 0)
            .count();
    out().println();
    out()
        .printf(
            Locale.ROOT,
            "%d of %d searches have identical answers on device and host (documents, order, score"
                + " bits, values); %s answered %d of them.%n",
            same,
            report.queries().size(),
            report.device(),
            byDevice);
    if (report.hostBytes() > 0) {
      out()
          .printf(
              Locale.ROOT,
              "%s crossed the link; the host would have read %s of pages.%n",
              Figures.bytes(report.linkBytes()),
              Figures.bytes(report.hostBytes()));
    }
    out()
        .println(
            "Times were measured on this machine, the best of 20 runs; ./offload bench measures"
                + " more.");
  }
}
