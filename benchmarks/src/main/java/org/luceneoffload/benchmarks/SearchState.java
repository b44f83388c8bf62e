/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.BenchTask;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/** Index, queries and both sides, shared by all benchmarks of searches and all their threads. */
@State(Scope.Benchmark)
public class SearchState {
  /** Signs of the queries' clauses, as {@code ./offload bench} tells them. */
  @Param({"AND", "OR", "NOT"})
  public String shape;

  /** Who answers: stock Lucene, or the device. */
  @Param({"lucene", "offload"})
  public String side;

  private OffloadDirectory directory;
  private DirectoryReader reader;
  private BenchSides sides;
  private List<BenchTask> queries;
  private boolean stock;

  /** Opens the index and reads the queries. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    stock = BenchmarkFiles.isStock(side);
    directory = OffloadDirectory.open(BenchmarkFiles.index(), BenchmarkFiles.device());
    reader = DirectoryReader.open(directory);
    queries = BenchQueries.read(BenchmarkFiles.queries(), reader).ofShape(shape);
    if (queries.isEmpty()) {
      throw new IllegalStateException(BenchmarkFiles.queries() + " holds no query of " + shape);
    }
    sides = new BenchSides(reader);
  }

  /** Closes the index. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    reader.close();
    directory.close();
  }

  /**
   * Compares all answers before anything is measured.
   *
   * @throws IllegalStateException if one differs, or if the device failed or answered nothing
   */
  void compare(BenchKind kind) throws IOException {
    for (BenchTask query : queries) {
      if (!BenchKind.same(sides.run(kind, query, true), sides.run(kind, query, false))) {
        throw new IllegalStateException("the device answers differently: " + query.query());
      }
    }
    if (directory.stats().get(Counter.LEAVES_OFFLOADED) == 0
        || directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0) {
      throw new IllegalStateException("not answered by the device: " + directory.stats());
    }
  }

  /** Runs a thread's next query. */
  Object next(BenchKind kind, Cursor cursor) throws IOException {
    return sides.run(kind, cursor.next(queries), stock);
  }

  /** Where a thread is in the queries; threads start evenly spread over them. */
  @State(Scope.Thread)
  public static class Cursor {
    private int thread;
    private int threads;
    private int at = -1;

    /** Asks which thread this is. */
    @Setup(Level.Trial)
    public void place(ThreadParams params) {
      thread = params.getThreadIndex();
      threads = params.getThreadCount();
    }

    private BenchTask next(List<BenchTask> queries) {
      if (at < 0) {
        at = (int) ((long) queries.size() * thread / threads);
      }
      BenchTask query = queries.get(at);
      at = at + 1 == queries.size() ? 0 : at + 1;
      return query;
    }
  }
}
