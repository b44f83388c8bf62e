/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.cli.model.ModelPrinter;
import org.luceneoffload.cli.model.ModelledCost;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.QueryOptions;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.workload.QueryLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload explain}. */
@Command(
    name = "explain",
    header = "Show where and how a query would run.",
    description = "Shows the plan of a query: where each segment runs, or why not on the device.")
public final class ExplainCommand extends OffloadCommand {
  /**
   * The output of {@code explain}.
   *
   * @param index directory of the index
   * @param device name of the device
   * @param queries the queries' plans, in order
   * @param profile of the device that was modelled; null if none was
   * @param modelled what the queries' ten best hits would take on it, in order; null if none was
   * @param ways in which ways the device found these hits, in order; null if it was not asked
   */
  record Report(
      Path index,
      String device,
      List<PlanExplanation> queries,
      String profile,
      List<ModelledCost> modelled,
      List<Map<String, Long>> ways) {}

  /** Hits that a query is modelled for. */
  private static final int HITS = 10;

  @Mixin private IndexOptions index;
  @Mixin private QueryOptions queries;
  @Mixin private ModelOptions model;

  @Override
  protected int run() throws Exception {
    Report report = explain(queries.read(), model.profile());
    print(report, () -> print(report));
    return ExitCodes.OK;
  }

  private void print(Report report) {
    for (int i = 0; i < report.queries().size(); i++) {
      out().print((i == 0 ? "" : "\n") + Printable.lines(report.queries().get(i).toString()));
      if (report.modelled() != null) {
        out().print(ways(report.ways().get(i)));
        ModelPrinter.print(report.modelled().get(i), out());
      }
    }
    if (report.modelled() != null) {
      out().println("\n" + ModelPrinter.FOOTNOTE);
    }
  }

  private static String ways(Map<String, Long> ways) {
    return ways.isEmpty() ? "" : "found by   " + String.join(", ", ways.keySet()) + "\n";
  }

  private Report explain(List<QueryLine> lines, DeviceProfile profile) throws IOException {
    List<PlanExplanation> plans = new ArrayList<>();
    List<ModelledCost> modelled = profile == null ? null : new ArrayList<>();
    List<Map<String, Long>> ways = profile == null ? null : new ArrayList<>();
    try (OffloadDirectory directory = index.openOrHost();
        DirectoryReader reader = DirectoryReader.open(directory);
        ModelMeter meter = profile == null ? null : ModelOptions.start(directory, profile, 0)) {
      List<Query> queries = QueryOptions.parse(lines, reader, err());
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setQueryCache(null);
      for (int i = 0; i < lines.size(); i++) {
        QueryLine line = lines.get(i);
        Query query = queries.get(i);
        try {
          plans.add(searcher.explainPlan(query));
          if (meter != null) {
            meter.take();
            DeviceWork.Mark mark = DeviceWork.mark(directory);
            searcher.search(query, HITS);
            ways.add(mark.since().ways());
            modelled.add(meter.takeCost());
          }
        } catch (IndexSearcher.TooManyClauses e) {
          throw Failure.of(line.where() + ": " + e.getMessage(), e);
        }
      }
    }
    return new Report(
        index.index(),
        index.device(),
        plans,
        profile == null ? null : profile.name(),
        modelled,
        ways);
  }
}
