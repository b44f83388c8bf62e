/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.QueryShape;

/**
 * Measures queries that find nothing in memory: for each, index and device are opened anew, and the
 * page cache is emptied of the index's files after that. Stock Lucene reads through {@link
 * MMapDirectory}. Before, the same queries run warm, so that the code is compiled, and some of them
 * cold.
 */
final class ColdService {
  private static final BenchKind KIND = BenchKind.TOP_10;
  private static final String METHOD =
      "wall-clock microseconds of the first query after index and device were opened and the page"
          + " cache was emptied of the index's files, one thread; stock Lucene over MMapDirectory;"
          + " geometric means; _us and ratio_geomean of each query's best round";

  /** Cold queries before those that count: they run code that warm ones do not. */
  private static final int COLD_WARMUP = 100;

  private final IndexOptions index;
  private final BenchOptions options;
  private final Terminal terminal;
  private final PageCache cache;
  private BenchQueries queries;
  private BenchSetting setting;
  private List<BenchQueries.Group> groups;
  private BenchReport.Warmup warmed;
  private BenchTimes times;
  private long jitMillis;

  private ColdService(
      IndexOptions index, BenchOptions options, Terminal terminal, PageCache cache) {
    this.index = index;
    this.options = options;
    this.terminal = terminal;
    this.cache = cache;
  }

  /** Measures the first ten hits of each query. */
  static BenchReport run(IndexOptions index, Path file, BenchOptions options, Terminal terminal)
      throws IOException {
    try (PageCache cache = PageCache.of(index.index())) {
      ColdService service = new ColdService(index, options, terminal, cache);
      service.warmUp(file);
      service.measure();
      return service.report();
    } finally {
      terminal.clear();
    }
  }

  /** Compares the answers, too. */
  private void warmUp(Path file) throws IOException {
    cache.sync();
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      queries = BenchQueries.read(file, reader);
      options.checkExecutions(queries.size());
      setting = BenchSetting.of(index, directory, reader);
      groups = queries.byClass(KIND, reader);
      times = new BenchTimes(queries.size(), options.rounds());
      BenchSides sides = new BenchSides(reader, options.entry());
      terminal.show("comparing answers");
      for (int i = 0; i < queries.size(); i++) {
        Object expected = sides.run(KIND, queries.get(KIND, i), true);
        DeviceWork.Mark mark = DeviceWork.mark(directory);
        Object actual = sides.run(KIND, queries.get(KIND, i), false);
        times.compared(i, mark.since(), !BenchKind.same(expected, actual));
      }
      terminal.show("warming up");
      BenchWarmup warmup = options.warmup(queries.size());
      while (warmup.next()) {
        for (int i = 0; i < queries.size(); i++) {
          sides.run(KIND, queries.get(KIND, i), true);
          sides.run(KIND, queries.get(KIND, i), false);
        }
      }
      warmed = warmup.report(KIND.name());
    }
  }

  private void measure() throws IOException {
    for (int i = 0; i < Math.min(COLD_WARMUP, queries.size()); i++) {
      time(i, i % 2 == 0);
      time(i, i % 2 != 0);
    }
    long jit = BenchWarmup.jitMillis();
    for (int round = 0; round < options.rounds(); round++) {
      for (int i = 0; i < queries.size(); i++) {
        if (i % 50 == 0) {
          terminal.show("cold: round " + (round + 1) + ", query " + i + "/" + queries.size());
        }
        boolean luceneFirst = (round + i & 1) == 0;
        for (int turn = 0; turn < 2; turn++) {
          boolean stock = luceneFirst == (turn == 0);
          times.timed(round, i, stock, time(i, stock));
        }
      }
    }
    jitMillis = BenchWarmup.jitMillis() - jit;
  }

  private double time(int query, boolean stock) throws IOException {
    try (Directory directory = stock ? new MMapDirectory(index.index()) : index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      BenchSides sides = new BenchSides(reader, options.entry());
      cache.drop();
      return sides.time(KIND, queries.get(KIND, query), stock);
    }
  }

  private BenchReport report() {
    Map<QueryShape, int[]> shapes = queries.byShape();
    List<BenchReport.Row> rows =
        shapes.entrySet().stream()
            .map(shape -> times.row(KIND, shape.getKey(), shape.getValue()))
            .toList();
    List<BenchReport.ClassRow> classes =
        groups.stream()
            .map(g -> times.classRow(KIND, g.shape(), g.by(), g.name(), g.queries()))
            .toList();
    return BenchReport.of(
        setting, options, queries.size(), List.of(warmed), jitMillis, METHOD, rows, classes, null);
  }
}
