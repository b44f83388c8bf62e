/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.lucene.util.NamedThreadFactory;
import org.luceneoffload.fuzz.base.Coverage;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.device.ResourceWatch;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.run.FailedRound;
import org.luceneoffload.fuzz.run.RoundRunner;
import org.luceneoffload.fuzz.shrink.Shrinker;

/** Runs rounds and reports: what was covered, what failed, what was left open. */
final class Fuzzer {
  /** The command that replays a round, but for its seed. */
  static final String COMMAND = "build-tools/fuzz.sh";

  private static final int POOL = 3;

  // A short time is up, and few rounds are done, before the device has had anything to do.
  private static final int MIN_ROUNDS = 20;

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Out of so many seeds a wanted one is found, for all that chance can do. */
  private static final int MAX_TRIES = 10_000;

  private static final int SHRINK_SECONDS = 60;
  private static final int SHRINK_TRIES = 2;

  // What stays open after everything is closed: class files and the like come and go.
  private static final int FILES_TO_SPARE = 16;
  private static final long HEAP_TO_SPARE = 48L << 20;

  private final Path work;
  private final PrintStream out;
  private final int mostFailures;
  private final boolean shrink;
  private final LongPredicate wanted;
  private final Coverage coverage = new Coverage();
  private final List<FailedRound> failures = new ArrayList<>();
  private long rounds;
  private ResourceWatch first;
  private ResourceWatch last;

  /**
   * @param work a folder that exists, for the indexes
   * @param out where the report goes
   * @param mostFailures failures after which to stop
   * @param shrink whether to look for smaller failures
   * @param wanted whether to run the round of a seed
   */
  Fuzzer(Path work, PrintStream out, int mostFailures, boolean shrink, LongPredicate wanted) {
    this.work = work;
    this.out = out;
    this.mostFailures = mostFailures;
    this.shrink = shrink;
    this.wanted = wanted;
  }

  /** Rounds from seeds out of a seed, for a time or a number. */
  void run(long seed, Duration time, long mostRounds) throws IOException {
    out.println("fuzz: seed " + seed + "; replay all: " + COMMAND + " --seed " + seed);
    long end = System.nanoTime() + time.toNanos();
    withRunner(
        runner -> {
          long nextProgress = System.nanoTime() + PROGRESS_NANOS;
          for (long i = 0;
              failures.size() < mostFailures
                  && (i < mostRounds && System.nanoTime() < end
                      || i < MIN_ROUNDS && !hasOffloaded());
              i++) {
            round(runner, roundSeed(seed, i));
            if (i == 1) {
              // By now everything that is loaded once is loaded.
              first = ResourceWatch.now(true);
            }
            if (System.nanoTime() > nextProgress) {
              nextProgress = System.nanoTime() + PROGRESS_NANOS;
              out.println("fuzz: " + summary() + ", now " + ResourceWatch.now(true));
            }
          }
        });
  }

  private long roundSeed(long seed, long number) {
    long round = Seeds.mix(seed, number);
    for (int i = 0; !wanted.test(round) && i < MAX_TRIES; i++) {
      round = Seeds.mix(round, i);
    }
    return round;
  }

  /** One round, some times over. */
  void replay(long roundSeed, int times) throws IOException {
    withRunner(
        runner -> {
          for (int i = 0; i < times && failures.isEmpty(); i++) {
            round(runner, roundSeed);
          }
        });
  }

  /** Runs rounds, for one purpose or another. */
  private interface Work {
    void with(RoundRunner runner) throws IOException;
  }

  private void withRunner(Work todo) throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(POOL, new NamedThreadFactory("fuzz searcher"));
    try {
      first = ResourceWatch.now(true);
      todo.with(new RoundRunner(work, pool, coverage));
    } finally {
      pool.shutdown();
    }
    last = ResourceWatch.now(true);
  }

  private void round(RoundRunner runner, long roundSeed) throws IOException {
    rounds++;
    Recipe recipe = Recipe.of(roundSeed);
    FailedRound failure = runner.run(recipe, null);
    if (failure == null) {
      return;
    }
    failures.add(failure);
    out.println("fuzz: FAILED in round " + rounds + ", after " + summary());
    out.println("replay: " + COMMAND + " --round " + roundSeed);
    out.println(failure.story());
    if (shrink) {
      // What shrinking tries is not to be counted as covered.
      Shrinker shrinker =
          new Shrinker(
              new RoundRunner(work, runner.pool(), new Coverage()), SHRINK_SECONDS, SHRINK_TRIES);
      FailedRound smallest = shrinker.shrink(failure);
      out.println("fuzz: the smallest failure after " + shrinker.runs() + " more rounds:");
      out.println(smallest.story());
    }
  }

  /** Returns one line that says what was done. */
  String summary() {
    return rounds
        + " rounds, "
        + coverage.sum("queries")
        + " queries, "
        + coverage.sum("probes")
        + " answers compared, "
        + failures.size()
        + " failures";
  }

  private boolean hasOffloaded() {
    return coverage.get("device", "LEAVES_OFFLOADED") > 0;
  }

  Coverage coverage() {
    return coverage;
  }

  List<FailedRound> failures() {
    return failures;
  }

  /** Prints what was covered, and what is wrong beside the failures; empty if nothing is. */
  List<String> report() {
    out.println("fuzz: " + summary());
    out.print(coverage.table());
    out.println("fuzz: before: " + first);
    out.println("fuzz: after:  " + last);
    List<String> complaints = new ArrayList<>();
    if (!hasOffloaded()) {
      complaints.add("nothing was offloaded");
    }
    if (!last.isDeviceFree()) {
      complaints.add("left open on devices: " + last);
    }
    if (last.files() > first.files() + FILES_TO_SPARE) {
      complaints.add("open files: " + first.files() + " before, " + last.files() + " after");
    }
    if (last.heapBytes() > first.heapBytes() + HEAP_TO_SPARE) {
      complaints.add("heap: " + first + " before, " + last + " after");
    }
    complaints.forEach(complaint -> out.println("fuzz: WRONG: " + complaint));
    return complaints;
  }
}
