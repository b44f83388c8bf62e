/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.nio.file.Path;
import java.util.Locale;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.Limits;
import org.luceneoffload.workload.BenchEntry;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import picocli.CommandLine.Option;

/** How long and with how many threads to measure. */
final class BenchOptions {
  private static final int MAX_ROUNDS = 10_000;
  private static final int ROUNDS = 10;
  private static final int COLD_ROUNDS = 1;
  private static final int MAX_LOG = 10_000_000;

  /** Times that are kept of one kind of work: 8 bytes for each, of both sides. */
  private static final long MAX_EXECUTIONS = 50_000_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Measured rounds (default: " + ROUNDS + "; " + COLD_ROUNDS + " with --cold or --memory).")
  private Integer rounds;

  @Option(
      names = "--cold",
      description =
          "Instead of the rest: the first ten hits of each query, or what --kind says, from an index"
              + " that was just opened and whose files are in no cache of the system.")
  private boolean cold;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "What --cold and --clients ask for: ${COMPLETION-CANDIDATES} (default: TOP_10); some need"
              + " an index with typed fields.")
  private BenchKind kind;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Instead of the rest: a log of the queries, with repetitions, answered by 1, 4 and 16"
              + " threads in a process with so much memory, such as 700m or 2g. Linux, and a user"
              + " who may make control groups.")
  private String memory;

  @Option(
      names = "--log",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Queries of that log that are measured (default: ${DEFAULT-VALUE}).")
  private int log;

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
              + "; of a shape after "
              + BenchWarmup.SHAPE_SECONDS
              + ").")
  private Integer warmupSeconds;

  @Option(
      names = "--entry",
      paramLabel = "WAY",
      defaultValue = "own",
      description =
          "How our side is asked: own, by our searcher's methods; managers, by Lucene's collector"
              + " managers; query, by these from a stock searcher, in OffloadQuery (default:"
              + " ${DEFAULT-VALUE}).")
  private BenchEntry entry;

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
    if (rounds() < 1 || rounds() > MAX_ROUNDS) {
      throw Failure.usage("--rounds must be from 1 to " + MAX_ROUNDS + ", not " + rounds);
    } else if (warmup != null && warmup < 0) {
      throw Failure.usage("--warmup must not be negative: " + warmup);
    } else if (warmup != null && warmupSeconds != null) {
      throw Failure.usage("--warmup-seconds is of no use with --warmup, which sets the rounds");
    } else if (warmupSeconds != null && warmupSeconds < 1) {
      throw Failure.usage("--warmup-seconds must be at least 1, not " + warmupSeconds);
    }
    if (memory != null && (cold || threads > 1)) {
      throw Failure.usage("--memory goes with neither --cold nor --threads");
    } else if (log < 1 || log > MAX_LOG) {
      throw Failure.usage("--log must be from 1 to " + MAX_LOG + ", not " + log);
    }
    if (cold && threads > 1) {
      throw Failure.usage("--cold goes with one thread");
    }
    Limits.checkThreads(threads);
  }

  /**
   * Checks that the times of all measured rounds can be kept.
   *
   * @throws Failure of usage if there are too many
   */
  void checkExecutions(int queries) {
    if ((long) rounds() * queries > MAX_EXECUTIONS) {
      throw Failure.usage(
          String.format(
              Locale.ROOT,
              "%,d rounds of %,d queries are more than %,d runs; use fewer of either",
              rounds(),
              queries,
              MAX_EXECUTIONS));
    }
  }

  /** Returns the number of measured rounds. */
  int rounds() {
    return rounds != null ? rounds : cold || memory != null ? COLD_ROUNDS : ROUNDS;
  }

  /** Returns whether queries are to find nothing in memory. */
  boolean cold() {
    return cold;
  }

  /** Returns whether a kind of work was asked for. */
  boolean hasKind() {
    return kind != null;
  }

  /** Returns the one kind of work that is measured, if it is one. */
  BenchKind kind() {
    return kind == null ? BenchKind.TOP_10 : kind;
  }

  /**
   * Checks that the kind of work can be asked of an index.
   *
   * @throws Failure of usage if it cannot
   */
  void checkKind(BenchQueries queries, Path index) {
    if (!queries.kinds().contains(kind())) {
      throw Failure.usage(
          "--kind=" + kind() + " needs typed fields, and " + index + " has none for it");
    }
  }

  /** Returns how much memory the process is to have, in bytes; 0 if that is not limited. */
  long memory() {
    return memory == null ? 0 : MemoryChild.size(memory);
  }

  /** Returns how many queries of the log are measured in a limited process. */
  int log() {
    return log;
  }

  /** Returns the number of threads of the throughput; 1 if it is not asked for. */
  int threads() {
    return threads;
  }

  /** Returns how our side is asked. */
  BenchEntry entry() {
    return entry;
  }

  /** Starts the warm-up of one kind of work. */
  BenchWarmup warmup(int queries) {
    return warmup(queries, BenchWarmup.SECONDS);
  }

  /**
   * Starts the warm-up of one shape of queries: there are many, and most of the code is theirs all.
   */
  BenchWarmup shapeWarmup(int queries) {
    return warmup(queries, BenchWarmup.SHAPE_SECONDS);
  }

  private BenchWarmup warmup(int queries, int seconds) {
    return warmup != null
        ? BenchWarmup.ofRounds(warmup, queries)
        : BenchWarmup.untilWarm(
            queries, warmupSeconds == null ? seconds : warmupSeconds, BenchWarmup::jitMillis);
  }
}
