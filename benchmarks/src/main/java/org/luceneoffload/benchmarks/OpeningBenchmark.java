/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to open a reader over a directory that is open? Of an index with many
 * terms, since nothing of it may grow with them. What the files take is printed when it is made.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(1)
public class OpeningBenchmark {
  /** The kind of terms: each in one document, or in two. */
  @Param({"ids", "words"})
  public String kind;

  /** How many there are. */
  @Param("1000000")
  public int terms;

  /** Whose index it is. */
  @Param({"lucene", "offload"})
  public String side;

  private TermsIndex index;

  /** Makes the index. */
  @Setup(Level.Trial)
  public void make() throws IOException {
    index = TermsIndex.make(kind, terms, side);
  }

  /** Removes it. */
  @TearDown(Level.Trial)
  public void remove() throws IOException {
    index.close();
  }

  /** Opens a reader and closes it. */
  @Benchmark
  public int open() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(index.directory())) {
      return reader.maxDoc();
    }
  }
}
