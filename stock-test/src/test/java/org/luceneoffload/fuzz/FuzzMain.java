/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.luceneoffload.fuzz.base.FileTrees;
import org.luceneoffload.fuzz.generate.Recipe;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fuzzes for as long as one likes. */
@Command(
    name = "fuzz.sh",
    mixinStandardHelpOptions = true,
    description =
        "Asks stock Lucene and the offloading searcher the same, and compares to the bit.")
final class FuzzMain implements Callable<Integer> {
  @Option(names = "--minutes", description = "how long; default ${DEFAULT-VALUE}")
  private double minutes = 10;

  @Option(names = "--seed", description = "seed of all rounds; default: a new one")
  private Long seed;

  @Option(names = "--rounds", description = "most rounds")
  private long rounds = Long.MAX_VALUE;

  @Option(names = "--round", description = "seed of the one round to replay")
  private Long round;

  @Option(names = "--times", description = "how often to replay it; default ${DEFAULT-VALUE}")
  private int times = 1;

  @Option(names = "--failures", description = "failures to stop after; default ${DEFAULT-VALUE}")
  private int failures = 1;

  @Option(
      names = "--shrink",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "look for the smallest failing case; default ${DEFAULT-VALUE}")
  private boolean shrink;

  @Option(
      names = "--long-lists",
      description = "only rounds with lists of tens of thousands of postings and more")
  private boolean longLists;

  @Option(
      names = "--dense",
      description = "only rounds where every operator has thousands of matches")
  private boolean dense;

  @Option(names = "--work", description = "folder for the indexes; default: a temporary one")
  private Path work;

  /** Runs it; exit status 0: nothing differs, 1: something does. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new FuzzMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Path folder =
        work == null ? Files.createTempDirectory("fuzz") : Files.createTempDirectory(work, "fuzz");
    try {
      Fuzzer fuzzer = new Fuzzer(folder, System.out, failures, shrink, this::isWanted);
      if (round != null) {
        fuzzer.replay(round, times);
      } else {
        long start = seed != null ? seed : System.nanoTime();
        fuzzer.run(start, Duration.ofMillis((long) (minutes * 60_000)), rounds);
      }
      boolean sound = fuzzer.report().isEmpty() && fuzzer.failures().isEmpty();
      return sound ? 0 : 1;
    } finally {
      FileTrees.delete(folder);
    }
  }

  private boolean isWanted(long roundSeed) {
    return (!longLists || Recipe.hasLongLists(roundSeed))
        && (!dense || Recipe.hasDenseMatches(roundSeed));
  }
}
