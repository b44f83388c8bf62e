/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.Limits;
import picocli.CommandLine.Option;

/** How long and with how many threads to measure. */
final class BenchOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Measured rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "Rounds before them, for each kind of work (default: until either side has run "
              + BenchWarmup.EXECUTIONS
              + " queries and, for "
              + BenchWarmup.QUIET_EXECUTIONS
              + ", the JVM's compilers are quiet).")
  private Integer warmup;

  @Option(
      names = "--warmup-seconds",
      paramLabel = "S",
      description =
          "Ends the default warm-up of a kind after so many seconds (default: "
              + BenchWarmup.SECONDS
              + ").")
  private Integer warmupSeconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "If more than 1: also the throughput of so many threads at once, next to one thread's"
              + " (default: ${DEFAULT-VALUE}).")
  private int threads;

  /**
   * Checks all values.
   *
   * @throws Failure of usage that names the option
   */
  void check() {
    if (rounds < 1) {
      throw Failure.usage("--rounds must be at least 1, not " + rounds);
    } else if (warmup != null && warmup < 0) {
      throw Failure.usage("--warmup must not be negative: " + warmup);
    } else if (warmup != null && warmupSeconds != null) {
      throw Failure.usage("--warmup-seconds is of no use with --warmup, which sets the rounds");
    } else if (warmupSeconds != null && warmupSeconds < 1) {
      throw Failure.usage("--warmup-seconds must be at least 1, not " + warmupSeconds);
    }
    Limits.checkThreads(threads);
  }

  /** Measured rounds. */
  int rounds() {
    return rounds;
  }

  /** Threads of the throughput; 1 if it is not asked for. */
  int threads() {
    return threads;
  }

  /** Starts the warm-up of one kind of work. */
  BenchWarmup warmup(int queries) {
    return warmup != null
        ? BenchWarmup.ofRounds(warmup, queries)
        : BenchWarmup.untilWarm(
            queries,
            warmupSeconds == null ? BenchWarmup.SECONDS : warmupSeconds,
            BenchWarmup::jitMillis);
  }
}
