/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.luceneoffload.workload.BenchKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One question, put to one side: one thread, warm, all queries of a shape in turn. What JMH has to
 * know of it, subclasses inherit.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(1)
public abstract class QuestionBenchmark {
  private final BenchKind kind;

  QuestionBenchmark(BenchKind kind) {
    this.kind = kind;
  }

  /** Compares all answers. */
  @Setup(Level.Trial)
  public void compare(SearchState state) throws IOException {
    state.compare(kind);
  }

  /** Returns the next query. */
  @Benchmark
  public Object query(SearchState state, SearchState.Cursor cursor) throws IOException {
    return state.next(kind, cursor);
  }
}
