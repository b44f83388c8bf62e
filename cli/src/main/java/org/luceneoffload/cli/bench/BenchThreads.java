/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.QueryShape;

/**
 * Measures the throughput of several threads that share a searcher, next to one thread's: every
 * thread runs all queries of a group, each from another one on. Of each side and number of threads
 * the best round counts; a round lasts until its last thread is done.
 */
final class BenchThreads implements AutoCloseable {
  /** Queries that a thread runs in a round, at least: a round is to outlast a scheduler's slice. */
  private static final int MIN_QUERIES = 500;

  private final BenchSides sides;
  private final BenchQueries queries;
  private final int threads;
  private final int rounds;
  private final ExecutorService pool;

  BenchThreads(BenchSides sides, BenchQueries queries, int threads, int rounds) {
    this.sides = sides;
    this.queries = queries;
    this.threads = threads;
    this.rounds = rounds;
    pool = Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
  }

  /** Measures a group; its queries have been run before, so that the code is warm. */
  BenchReport.ThreadsRow measure(BenchKind kind, QueryShape shape, int[] group)
      throws IOException, InterruptedException {
    int differences = 0;
    for (long found : together(threads, thread -> differences(kind, group, thread))) {
      differences = Math.max(differences, (int) found);
    }
    // One and many threads of stock Lucene, one and many of the device.
    double[] best = new double[4];
    double[] last = new double[4];
    double[] ratios = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      for (int turn = 0; turn < best.length; turn++) {
        int which = (round & 1) == 0 ? turn : best.length - 1 - turn;
        int some = (which & 1) == 0 ? 1 : threads;
        double rate = throughput(kind, group, some, which < 2);
        best[which] = round < 0 ? 0 : Math.max(best[which], rate);
        last[which] = rate;
      }
      if (round >= 0) {
        ratios[round] = last[3] / last[1];
      }
    }
    Spread spread = Spread.of(ratios);
    return new BenchReport.ThreadsRow(
        kind.name(),
        shape.name(),
        group.length,
        Figures.round(best[0]),
        Figures.round(best[2]),
        Figures.round(best[1]),
        Figures.round(best[3]),
        Figures.round(best[2] / best[0]),
        Figures.round(best[3] / best[1]),
        Figures.round(best[1] / best[0]),
        Figures.round(best[3] / best[2]),
        spread.median(),
        spread.q1(),
        spread.q3(),
        differences);
  }

  /** Measures the queries a second of some threads on one side. */
  private double throughput(BenchKind kind, int[] group, int some, boolean stock)
      throws IOException, InterruptedException {
    int repeats = Math.ceilDiv(MIN_QUERIES, group.length);
    CountDownLatch ready = new CountDownLatch(some);
    List<long[]> spans =
        together(
            some,
            thread -> {
              ready.countDown();
              ready.await();
              long start = System.nanoTime();
              int at = first(group, thread);
              for (int i = 0; i < repeats * group.length; i++) {
                sides.time(kind, queries.get(kind, group[at]), stock);
                at = at + 1 == group.length ? 0 : at + 1;
              }
              return new long[] {start, System.nanoTime()};
            });
    long start = spans.stream().mapToLong(span -> span[0]).min().orElseThrow();
    long end = spans.stream().mapToLong(span -> span[1]).max().orElseThrow();
    return (double) some * repeats * group.length / ((end - start) / 1e9);
  }

  /** Counts the answers that differ while all threads search. */
  private long differences(BenchKind kind, int[] group, int thread) throws IOException {
    long differences = 0;
    for (int i = 0; i < group.length; i++) {
      int query = group[(first(group, thread) + i) % group.length];
      Object expected = sides.run(kind, queries.get(kind, query), true);
      Object actual = sides.run(kind, queries.get(kind, query), false);
      differences += BenchKind.same(expected, actual) ? 0 : 1;
    }
    return differences;
  }

  private int first(int[] group, int thread) {
    return (int) ((long) group.length * thread / threads);
  }

  private <T> List<T> together(int some, Work<T> work) throws IOException, InterruptedException {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < some; i++) {
      int thread = i;
      futures.add(pool.submit(() -> work.run(thread)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case IOException cause -> throw cause;
          case RuntimeException cause -> throw cause;
          case Error cause -> throw cause;
          case null -> throw new IllegalStateException(e);
          case Throwable cause -> throw new IllegalStateException(cause);
        }
      }
    }
    return results;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  /** The work of a thread. */
  @FunctionalInterface
  private interface Work<T> {
    T run(int thread) throws Exception;
  }
}
