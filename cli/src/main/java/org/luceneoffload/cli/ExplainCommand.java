/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.search.PlanExplanation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload explain}. */
@Command(
    name = "explain",
    description = "Show the plan of a query: where each segment runs, or why not on the device.")
final class ExplainCommand extends OffloadCommand {
  /**
   * What {@code explain} shows.
   *
   * @param index directory of the index
   * @param device name of the device
   * @param queries the queries' plans, in order
   */
  record Report(Path index, String device, List<PlanExplanation> queries) {}

  @Mixin private IndexOptions index;
  @Mixin private QueryOptions queries;

  @Override
  int run() throws Exception {
    List<PlanExplanation> plans = explain(queries.read());
    print(
        new Report(index.index(), index.device(), plans),
        () -> out().print(String.join("\n", plans.stream().map(String::valueOf).toList())));
    return ExitCodes.OK;
  }

  private List<PlanExplanation> explain(List<QueryLine> lines) throws IOException {
    Queries parser = new Queries();
    List<PlanExplanation> plans = new ArrayList<>();
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      for (QueryLine line : lines) {
        try {
          plans.add(searcher.explainPlan(parser.parse(line)));
        } catch (IndexSearcher.TooManyClauses e) {
          throw Failure.of(line.where() + ": " + e.getMessage(), e);
        }
      }
    }
    return plans;
  }
}
