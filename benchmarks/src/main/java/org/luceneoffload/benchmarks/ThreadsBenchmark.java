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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many queries a second do several threads get done that share a searcher? As many threads as
 * processors, or what {@code -t} says.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(Threads.MAX)
public class ThreadsBenchmark {
  /** The kind of result that the queries ask for. */
  @Param({"TOP_10", "TOP_10_COUNT", "COUNT", "DOCS"})
  public BenchKind kind;

  /** Compares all answers. */
  @Setup(Level.Trial)
  public void compare(SearchState state) throws IOException {
    state.compare(kind);
  }

  /** Returns the thread's next query. */
  @Benchmark
  public Object query(SearchState state, SearchState.Cursor cursor) throws IOException {
    return state.next(kind, cursor);
  }
}
