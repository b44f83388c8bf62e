/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.TypedFields;
import org.luceneoffload.workload.request.LoggedRequest;
import org.luceneoffload.workload.request.RequestLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code offload coverage}. */
@Command(
    name = "coverage",
    header = "Show what share of a query log the device takes.",
    description =
        "Runs each request of a query log once and shows who answered, and why not the "
            + "device. A line of the log is a query in Lucene's classic syntax, or the JSON "
            + "body of a search request as OpenSearch takes it; {\"name\": .., \"count\": .., "
            + "\"body\": {..}} stands for many. A line that is neither counts as not "
            + "translated.")
public final class CoverageCommand extends OffloadCommand {
  @Option(names = "--index", paramLabel = "DIR", description = "Directory of the index.")
  private Path index;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "sim",
      description = "Device that holds the posting lists (default: ${DEFAULT-VALUE}).")
  private String device;

  @Option(names = "--queries", paramLabel = "FILE", description = "The query log.")
  private Path queries;

  @Option(
      names = "--catalogue",
      description =
          "In place of an index and a log: the searches of public benchmarks, asked of a "
              + "small index that is made for them.")
  private boolean catalogue;

  @Option(names = "--markdown", description = "Print the tables of docs/SHAPES.md.")
  private boolean markdown;

  @Override
  protected int run() throws Exception {
    DeviceNames.check(device);
    if (catalogue ? index != null || queries != null : index == null || queries == null) {
      throw Failure.usage("either --index and --queries are needed, or --catalogue alone");
    }
    CoverageReport report = catalogue ? ofCatalogue() : of(index, queries, queries.toString());
    print(report, () -> print(new CoveragePrinter(report, out())));
    return ExitCodes.OK;
  }

  private void print(CoveragePrinter printer) {
    if (markdown) {
      printer.printMarkdown();
    } else {
      printer.print();
    }
  }

  private CoverageReport ofCatalogue() throws IOException, InterruptedException {
    Terminal terminal = Terminal.standardError(err());
    try (CatalogueIndex made = CatalogueIndex.make(device, terminal)) {
      terminal.clear();
      return of(made.index(), made.shapes(), null);
    }
  }

  private CoverageReport of(Path index, Path log, String name) throws IOException {
    try (OffloadDirectory directory = IndexOptions.open(index, device, false);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<LoggedRequest> requests = new RequestLog(TypedFields.of(reader)).read(log);
      return new CoverageService(directory, reader).run(name, device, requests);
    }
  }
}
