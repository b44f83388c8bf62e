/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.BenchEntry;
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
  private static final int MAX_CLIENTS = 256;

  @Mixin private IndexOptions index;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "A file of queries, one a line; # starts a comment line.")
  private Path queries;

  @Option(
      names = "--shapes",
      paramLabel = "NAME",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Instead of queries: a sweep over shapes of queries, made of the words of the index; with"
              + " NAME those whose name or group has it.")
  private String shapes;

  @Mixin private BenchOptions options;

  @Option(
      names = "--clients",
      paramLabel = "N",
      split = ",",
      description =
          "Instead of the rest: so many clients at once, such as 1,2,4,8,16, that share a simulator"
              + " with one thread of its own: on it, on the clients' threads, and split between"
              + " both.")
  private int[] clients;

  @Option(
      names = "--by-class",
      description = "Rows by number of terms, and by frequency of two terms, too.")
  private boolean byClass;

  @Override
  protected int run() throws Exception {
    options.check();
    if (options.hasKind() && clients == null && !options.cold()) {
      throw Failure.usage("--kind goes with --clients or --cold");
    }
    if (shapes != null) {
      return sweep();
    } else if (queries == null) {
      throw Failure.usage("--queries=FILE or --shapes is needed");
    }
    if (options.memory() != 0) {
      return withinMemory();
    }
    Terminal terminal = Terminal.standardError(err());
    if (clients != null) {
      return clients(terminal);
    }
    BenchReport report =
        options.cold()
            ? ColdService.run(index, queries, options, terminal)
            : BenchService.run(index, queries, options, terminal);
    print(report, () -> new BenchPrinter(report, out()).print(byClass));
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }

  private int clients(Terminal terminal) throws IOException, InterruptedException {
    if (byClass || options.cold() || options.threads() > 1 || options.entry() != BenchEntry.OWN) {
      throw Failure.usage("--clients goes with neither --by-class, --cold, --entry nor --threads");
    }
    for (int count : clients) {
      if (count < 1 || count > MAX_CLIENTS) {
        throw Failure.usage("--clients must be from 1 to " + MAX_CLIENTS + ", not " + count);
      }
    }
    ClientsReport report = ClientsService.run(index, queries, clients, options, terminal);
    print(report, () -> report.print(out()));
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }

  /** Runs in a child process, unless this is one. */
  private int withinMemory() throws IOException, InterruptedException {
    if (byClass || clients != null) {
      throw Failure.usage("--memory goes with neither --by-class nor --clients");
    } else if (MemoryChild.limit() == 0) {
      out().flush();
      return MemoryChild.run(options.memory(), tool(), arguments());
    }
    MemoryReport report = MemoryService.run(index, queries, options, Terminal.standardError(err()));
    print(report, () -> new MemoryPrinter(report, out()).print());
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }

  private int sweep() throws IOException {
    if (queries != null
        || clients != null
        || byClass
        || options.cold()
        || options.memory() != 0
        || options.threads() > 1
        || options.entry() != BenchEntry.OWN) {
      throw Failure.usage(
          "--shapes goes with neither --queries, --clients, --by-class, --cold, --memory, --entry"
              + " nor --threads");
    }
    ShapesReport report = ShapesService.run(index, shapes, options, Terminal.standardError(err()));
    print(report, () -> new ShapesPrinter(report, out()).print());
    return report.differences() > 0 ? ExitCodes.DIFFERENCE : ExitCodes.OK;
  }
}
