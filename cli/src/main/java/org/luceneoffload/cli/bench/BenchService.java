/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.QueryShape;

/**
 * Measures the device against stock Lucene: both searchers over the same reader, one thread, no
 * query cache. In each round every query runs once on each side, one right after the other, and the
 * side that goes first alternates. Of each query and side the best round counts; beside it stand
 * the median of the rounds and their quartiles. If more threads are asked for, their throughput is
 * measured after that.
 */
final class BenchService {
  static final String CLOCK = "measured";
  private static final String METHOD =
      "wall-clock microseconds a query, one thread, warm, no query cache, both sides over the same"
          + " reader in interleaved rounds; geometric means; _us and ratio_geomean of each query's"
          + " best round, median and quartiles of the rounds";

  private final BenchSides sides;
  private final OffloadDirectory directory;
  private final BenchQueries queries;
  private final BenchOptions options;
  private final Terminal terminal;
  private final Map<QueryShape, int[]> shapes;
  private final DirectoryReader reader;
  private final List<BenchReport.Row> rows = new ArrayList<>();
  private final List<BenchReport.ClassRow> classes = new ArrayList<>();
  private final List<BenchReport.ThreadsRow> throughput = new ArrayList<>();
  private final BenchMeasure measure;

  private BenchService(
      DirectoryReader reader,
      OffloadDirectory directory,
      BenchQueries queries,
      BenchOptions options,
      Terminal terminal)
      throws IOException {
    this.reader = reader;
    sides = new BenchSides(reader, options.entry());
    this.directory = directory;
    this.queries = queries;
    this.options = options;
    this.terminal = terminal;
    shapes = queries.byShape();
    measure = new BenchMeasure(directory, terminal, options.rounds(), queries.kinds().size());
  }

  /** Measures all kinds. */
  static BenchReport run(IndexOptions index, Path file, BenchOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      BenchQueries queries = BenchQueries.read(file, reader);
      options.checkExecutions(queries.size());
      BenchService service = new BenchService(reader, directory, queries, options, terminal);
      service.measureAll();
      return service.report(index);
    } finally {
      terminal.clear();
    }
  }

  private void measureAll() throws IOException, InterruptedException {
    try (BenchThreads threads =
        new BenchThreads(sides, queries, options.threads(), options.rounds())) {
      for (BenchKind kind : queries.kinds()) {
        measure(kind);
        for (Map.Entry<QueryShape, int[]> shape : shapes.entrySet()) {
          if (options.threads() > 1) {
            terminal.show(kind + " " + shape.getKey() + ": " + options.threads() + " threads");
            throughput.add(threads.measure(kind, shape.getKey(), shape.getValue()));
          }
        }
      }
    }
  }

  private void measure(BenchKind kind) throws IOException {
    BenchTimes times = measure.measure(kind.name(), new Kind(kind), options.warmup(queries.size()));
    shapes.forEach((shape, members) -> rows.add(times.row(kind, shape, members)));
    for (BenchQueries.Group g : queries.byClass(kind, reader)) {
      classes.add(times.classRow(kind, g.shape(), g.by(), g.name(), g.queries()));
    }
  }

  /** All queries, of one kind of work. */
  private final class Kind implements BenchTasks {
    private final BenchKind kind;

    Kind(BenchKind kind) {
      this.kind = kind;
    }

    @Override
    public int size() {
      return queries.size();
    }

    @Override
    public Object run(int query, boolean stock) throws IOException {
      return sides.run(kind, queries.get(kind, query), stock);
    }

    @Override
    public double time(int query, boolean stock) throws IOException {
      return sides.time(kind, queries.get(kind, query), stock);
    }

    @Override
    public String where(int query) {
      return queries.where(query);
    }
  }

  private BenchReport report(IndexOptions index) {
    return BenchReport.of(
        BenchSetting.of(index, directory, reader),
        options,
        queries.size(),
        measure.warmups(),
        measure.jitMillis(),
        METHOD,
        rows,
        classes,
        options.threads() > 1 ? throughput : null);
  }
}
