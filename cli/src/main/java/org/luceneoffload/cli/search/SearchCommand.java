/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.nio.file.Path;
import java.util.List;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.QueryOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.workload.QueryLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload search}. */
@Command(
    name = "search",
    header = "Search an index on the device, the host, or both.",
    description =
        "Searches an index on the device, on the host, or on both, and compares the answers.",
    footer = {
      "",
      "With --on both the first difference ends the run: it is shown, and the exit code is 3."
    })
public final class SearchCommand extends OffloadCommand {
  @Mixin private IndexOptions index;
  @Mixin private QueryOptions queries;
  @Mixin private ModelOptions model;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "With --profile and one query: write the simulated timeline, for ui.perfetto.dev.")
  private Path trace;

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      defaultValue = "device",
      description = "device, host or both (default: ${DEFAULT-VALUE}).")
  private SearchService.On on;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "top",
      description =
          "top: best hits; count; docs: every doc ID; aggregate: what --aggregate says (default:"
              + " ${DEFAULT-VALUE}).")
  private SearchMode mode;

  @Option(
      names = "--sort",
      paramLabel = "FIELDS",
      description =
          "Order of the hits: typed fields, score or doc, each with :asc or :desc, such as"
              + " created:desc,cat. Without a value: last.")
  private String sort;

  @Option(
      names = "--aggregate",
      paramLabel = "WHAT",
      description = {
        "Numbers about all matches instead of hits; may be said several times:",
        "stats:FIELD, terms:FIELD[:N], distinct:FIELD, histogram:FIELD:WIDTH (dates: such as 7d"
            + " or 12h), calendar:FIELD:UNIT[:ZONE], auto:FIELD[:N] (dates),"
            + " ranges:FIELD:FROM..TO,FROM..TO; of each bucket: terms:FIELD>stats:FIELD"
      })
  private List<String> aggregates = List.of();

  @Option(
      names = {"--k", "-k"},
      paramLabel = "K",
      defaultValue = "10",
      description = "Hits wanted (default: ${DEFAULT-VALUE}).")
  private int k;

  private SearchJson printed; // null unless JSON is wanted

  @Override
  protected int run() throws Exception {
    if (k < 1) {
      throw Failure.usage("--k must be at least 1, not " + k);
    }
    List<QueryLine> lines = queries.read();
    check(lines);
    SearchMode asked = aggregates.isEmpty() ? mode : SearchMode.AGGREGATE;
    SearchService.Request request =
        new SearchService.Request(on, asked, k, sort, aggregates, model.profile(), trace);
    printed = json() ? new SearchJson(out()) : null;
    SearchOutput output = json() ? printed : new SearchPrinter(out());
    SearchSummary summary = SearchService.run(index, request, lines, output, err());
    if (summary.traceLost() != null && summary.traceLost() > 0) {
      err()
          .println(
              "the trace is not complete: "
                  + Figures.count(summary.traceLost())
                  + " records are left out");
    }
    return Boolean.FALSE.equals(summary.identical()) ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }

  /** Ends the document that has begun, so that what is printed is one document all the same. */
  @Override
  protected void printProblem(Problem problem) {
    if (printed != null && printed.isOpen()) {
      printed.end(problem);
    } else {
      super.printProblem(problem);
    }
  }

  private void check(List<QueryLine> lines) {
    if (mode == SearchMode.AGGREGATE && aggregates.isEmpty()) {
      throw Failure.usage("--mode aggregate needs --aggregate");
    } else if (!aggregates.isEmpty() && mode != SearchMode.TOP && mode != SearchMode.AGGREGATE) {
      throw Failure.usage("--aggregate asks for numbers about all matches, --mode for others");
    } else if (sort != null && (mode != SearchMode.TOP || !aggregates.isEmpty())) {
      throw Failure.usage("--sort orders hits, and no hits are asked for");
    }
    if (model.wanted() && on == SearchService.On.HOST) {
      throw Failure.usage("--profile models what the device is asked; --on host asks none");
    } else if (trace != null && !model.wanted()) {
      throw Failure.usage("--trace needs --profile");
    } else if (trace != null && lines.size() != 1) {
      throw Failure.usage("--trace takes one query, not " + lines.size());
    }
  }
}
