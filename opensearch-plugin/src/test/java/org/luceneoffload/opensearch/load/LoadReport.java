/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.load.LoadRun.Measured;

/** What a run found, as a table and as JSON. */
final class LoadReport {
  private static final double[] PERCENTS = {50, 90, 99};

  private final LoadRun run;

  LoadReport(LoadRun run) {
    this.run = run;
  }

  /** Stock's CPU time over ours. */
  private static double less(Measured kind) {
    return kind.stock().cpu() / kind.offload().cpu();
  }

  /** Stock's CPU time inside the query phase over ours. */
  private static double queryLess(Measured kind) {
    return kind.stock().query() / kind.offload().query();
  }

  /** Stock's median time over ours. */
  private static double faster(Measured kind) {
    return kind.stock().service(50) / kind.offload().service(50);
  }

  private double mean(Predicate<Measured> which, ToDoubleFunction<Measured> ratio) {
    return Ratios.mean(run.kinds().stream().filter(which).map(ratio::applyAsDouble).toList());
  }

  /** Prints a line for each kind, Markdown. */
  void print(PrintStream out) {
    out.println(
        "| kind | requests | CPU us stock | ours | CPU ratio | query phase us stock | ours | ratio |"
            + " its share of stock | fetch us stock | ours | ms p50 stock | ours | p90 | | p99 | |"
            + " p50 ratio |");
    out.println("| --- |" + " --- |".repeat(17));
    for (Measured kind : run.kinds()) {
      StringBuilder line = new StringBuilder();
      line.append(
          format(
              "| %s | %d | %.0f | %.0f | **%.2f** |",
              kind.kind().name(),
              kind.stock().requests(),
              kind.stock().cpu(),
              kind.offload().cpu(),
              less(kind)));
      line.append(
          format(
              " %.0f | %.0f | **%.2f** | %.0f %% | %.0f | %.0f |",
              kind.stock().query(),
              kind.offload().query(),
              queryLess(kind),
              100 * kind.stock().query() / kind.stock().cpu(),
              kind.stock().fetch(),
              kind.offload().fetch()));
      for (double percent : PERCENTS) {
        line.append(
            format(
                " %.2f | %.2f |", kind.stock().service(percent), kind.offload().service(percent)));
      }
      out.println(line.append(format(" %.2f |", faster(kind))));
    }
    out.println();
    line(out, "all kinds", k -> true);
    line(out, "aggregations over matches of text", k -> k.kind().aggregates());
    line(out, "match with operator or, and", k -> k.kind().name().matches("match_(or|and)"));
    line(out, "bool with filters", k -> k.kind().name().startsWith("bool_filter"));
  }

  private void line(PrintStream out, String what, Predicate<Measured> which) {
    if (run.kinds().stream().anyMatch(which)) {
      out.println(
          format(
              "geometric mean, %s: CPU time %.2f, that of the query phase %.2f, median time %.2f",
              what,
              mean(which, LoadReport::less),
              mean(which, LoadReport::queryLess),
              mean(which, LoadReport::faster)));
    }
  }

  /** Prints latencies of the open loop, by kind. */
  void printOpen(PrintStream out, double rate) {
    out.println(format("%n| open loop, %.0f/s | ms p50 stock | ours | p90 | | p99 | |", rate));
    out.println("| --- |" + " --- |".repeat(6));
    for (Measured kind : run.kinds()) {
      StringBuilder line = new StringBuilder("| " + kind.kind().name() + " |");
      for (double percent : PERCENTS) {
        line.append(
            format(" %.2f | %.2f |", kind.stock().open(percent), kind.offload().open(percent)));
      }
      out.println(line);
    }
  }

  /** Everything, for programs. */
  ObjectNode json() {
    ObjectNode all = Rest.JSON.createObjectNode();
    ObjectNode kinds = all.putObject("kinds");
    for (Measured kind : run.kinds()) {
      ObjectNode one = kinds.putObject(kind.kind().name());
      one.put("aggregates", kind.kind().aggregates());
      for (int side = 0; side < 2; side++) {
        ObjectNode of = one.putObject(side == 0 ? "stock" : "offload");
        Side measured = kind.side(side);
        of.put("requests", measured.requests()).put("cpu_micros", measured.cpu());
        of.put("query_cpu_micros", measured.query()).put("fetch_cpu_micros", measured.fetch());
        for (double percent : PERCENTS) {
          of.put(format("service_ms_p%.0f", percent), measured.service(percent));
          of.put(format("open_ms_p%.0f", percent), measured.open(percent));
        }
      }
      one.put("query_cpu_ratio", queryLess(kind));
      one.put("cpu_ratio", less(kind)).put("p50_ratio", faster(kind));
    }
    all.put("cpu_ratio_mean", mean(k -> true, LoadReport::less));
    all.put("cpu_ratio_mean_aggregations", mean(k -> k.kind().aggregates(), LoadReport::less));
    all.put("differences", run.differences().size());
    return all;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
