/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload bench}. */
@Command(
    name = "bench",
    description = "Measure the device against stock Lucene over the same reader.",
    footer = {"", "Ratios are Lucene's time over the device's: above 1 the device is faster."})
final class BenchCommand extends OffloadCommand {
  @Mixin private IndexOptions index;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      required = true,
      description = "A file of queries, one a line; # starts a comment line.")
  private Path queries;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Measured rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds before them (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Override
  int run() throws Exception {
    if (rounds < 1) {
      throw Failure.usage("--rounds must be at least 1, not " + rounds);
    } else if (warmup < 0) {
      throw Failure.usage("--warmup must not be negative: " + warmup);
    }
    BenchReport report =
        BenchService.run(index, queries, rounds, warmup, Terminal.standardError(err()));
    print(report, () -> printText(report));
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }

  private void printText(BenchReport report) {
    Table table =
        new Table(
            "",
            "kind",
            "shape",
            ">queries",
            ">lucene_us",
            ">offload_us",
            ">ratio_geomean",
            ">ratio_total",
            ">differences",
            ">on device");
    for (BenchReport.Row row : report.rows()) {
      table.add(
          row.kind(),
          row.shape(),
          Integer.toString(row.queries()),
          decimal(row.luceneUs(), 1),
          decimal(row.offloadUs(), 1),
          decimal(row.ratioGeomean(), 2),
          decimal(row.ratioTotal(), 2),
          Integer.toString(row.differences()),
          row.leavesOffloaded() + "/" + (row.leavesOffloaded() + row.leavesOnHost()));
    }
    table.print(out());
    out().println();
    out()
        .printf(
            Locale.ROOT,
            "%s in %s, %d queries; Lucene %s, Java %s, vector module %s; device %s, kernels %s%n",
            Figures.count(report.documents(), "document"),
            Figures.count(report.segments(), "segment"),
            report.queries(),
            report.lucene(),
            report.java(),
            report.vectorModule() ? "on" : "off",
            report.device(),
            report.kernels() == null ? "none" : report.kernels());
    out()
        .printf(
            Locale.ROOT,
            "Measured: %s; %d rounds after %d to warm up.%n",
            report.method(),
            report.rounds(),
            report.warmupRounds());
    out().println("on device: segments that the device answered, of those searched, in one round.");
  }

  private static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
