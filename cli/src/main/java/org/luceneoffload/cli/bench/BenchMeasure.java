/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.workload.BenchKind;

/**
 * Measures tasks: first each once on both sides, untimed, to compare the answers; then rounds to
 * warm up; then rounds in which every task runs once on each side, one right after the other. The
 * side that goes first alternates.
 */
final class BenchMeasure {
  private final OffloadDirectory directory;
  private final Terminal terminal;
  private final int rounds;
  private final int calls;
  private int measured;
  private final List<BenchReport.Warmup> warmups = new ArrayList<>();
  private long jitMillis;

  /**
   * Measures nothing yet.
   *
   * @param calls of {@link #measure} that will come
   */
  BenchMeasure(OffloadDirectory directory, Terminal terminal, int rounds, int calls) {
    this.calls = calls;
    this.directory = directory;
    this.terminal = terminal;
    this.rounds = rounds;
  }

  /** Returns how the tasks of each call of {@link #measure} were warmed up. */
  List<BenchReport.Warmup> warmups() {
    return warmups;
  }

  /** Returns how many milliseconds the JVM's compilers worked during measured rounds. */
  long jitMillis() {
    return jitMillis;
  }

  /**
   * Measures some tasks.
   *
   * @param name what they are called
   */
  BenchTimes measure(String name, BenchTasks tasks, BenchWarmup warmup) throws IOException {
    BenchTimes times = new BenchTimes(tasks.size(), rounds);
    show(name + ": comparing answers", 0);
    compare(tasks, times);
    show(name + ": warming up", 0);
    for (int round = 0; warmup.next(); round++) {
      round(tasks, round, null);
    }
    warmups.add(warmup.report(name));
    long jit = BenchWarmup.jitMillis();
    for (int round = 0; round < rounds; round++) {
      show(name + ": round " + (round + 1) + "/" + rounds, (double) round / rounds);
      round(tasks, round, times);
    }
    jitMillis += BenchWarmup.jitMillis() - jit;
    measured++;
    return times;
  }

  /** Shows what goes on, in the work of all calls: each takes about as long. */
  private void show(String what, double done) {
    terminal.show(what, (measured + done) / calls);
  }

  /** Runs all tasks on both sides; {@code times} is null in the warm-up. */
  private static void round(BenchTasks tasks, int round, BenchTimes times) throws IOException {
    for (int i = 0; i < tasks.size(); i++) {
      boolean luceneFirst = (round + i & 1) == 0;
      for (int turn = 0; turn < 2; turn++) {
        boolean stock = luceneFirst == (turn == 0);
        double micros = tasks.time(i, stock);
        if (times != null) {
          times.timed(round, i, stock, micros);
        }
      }
    }
  }

  /** Checks that the answers are the same, and notes whose they are. */
  private void compare(BenchTasks tasks, BenchTimes times) throws IOException {
    for (int i = 0; i < tasks.size(); i++) {
      try {
        Object expected = tasks.run(i, true);
        DeviceWork.Mark mark = DeviceWork.mark(directory);
        Object actual = tasks.run(i, false);
        times.compared(i, mark.since(), !BenchKind.same(expected, actual));
      } catch (IndexSearcher.TooManyClauses | UnsupportedOperationException e) {
        throw Failure.of(tasks.where(i) + ": " + e.getMessage(), e);
      }
    }
  }
}
