/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.nio.file.Path;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload bench}. */
@Command(
    name = "bench",
    header = "Measure the device against stock Lucene.",
    description = "Measures the device against stock Lucene over the same reader.",
    footer = {
      "",
      "Ratios are Lucene's time over the device's (queries a second: the device's over Lucene's):"
          + " above 1 the device is faster."
    })
public final class BenchCommand extends OffloadCommand {
  @Mixin private IndexOptions index;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      required = true,
      description = "A file of queries, one a line; # starts a comment line.")
  private Path queries;

  @Mixin private BenchOptions options;

  @Option(
      names = "--by-class",
      description = "Rows by number of terms, and by frequency of two terms, too.")
  private boolean byClass;

  @Override
  protected int run() throws Exception {
    options.check();
    BenchReport report = BenchService.run(index, queries, options, Terminal.standardError(err()));
    print(report, () -> new BenchPrinter(report, out()).print(byClass));
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }
}
