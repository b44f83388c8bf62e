/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.bench.machine.PageCache;
import org.luceneoffload.cli.bench.machine.StockDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.QueryShape;

/**
 * Measures queries that find nothing in memory: for each, index and device are opened anew, and the
 * page cache is emptied of the index's files after that. Stock Lucene reads through each of its
 * directories in turn; the rows compare with the fastest. Before, the same queries run warm, so
 * that the code is compiled, and some of them cold.
 */
final class ColdService {
  /** With the name of the fastest directory. */
  private static final String METHOD =
      "wall-clock microseconds of the first query after index and device were opened and the page"
          + " cache was emptied of the index's files, one thread; stock Lucene over %s, the fastest"
          + " of its directories here; geometric means; _us and ratio_geomean of each query's best"
          + " round";

  /** Cold queries before those that count: they run code that warm ones do not. */
  private static final int COLD_WARMUP = 100;

  private final IndexOptions index;
  private final BenchOptions options;
  private final BenchKind kind;
  private final Terminal terminal;
  private final PageCache cache;
  private BenchQueries queries;
  private BenchSetting setting;
  private List<BenchQueries.Group> groups;
  private BenchReport.Warmup warmed;
  private final Map<StockDirectory, String> faults = new EnumMap<>(StockDirectory.class);
  private final Map<StockDirectory, BenchTimes> times = new EnumMap<>(StockDirectory.class);
  private DriveLimit limit;
  private long jitMillis;

  private ColdService(
      IndexOptions index, BenchOptions options, Terminal terminal, PageCache cache) {
    this.index = index;
    this.options = options;
    kind = options.kind();
    this.terminal = terminal;
    this.cache = cache;
  }

  /** Measures one kind of work. */
  static BenchReport run(IndexOptions index, Path file, BenchOptions options, Terminal terminal)
      throws IOException {
    if (IndexOnNode.isOne(index.index())) {
      throw Failure.usage("--cold measures an index in a folder, not one on a node");
    }
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
      options.checkKind(queries, index.index());
      setting = BenchSetting.of(index, directory, reader);
      groups = queries.byClass(kind, reader);
      limit = new DriveLimit(cache, queries.size());
      for (StockDirectory stock : StockDirectory.values()) {
        String fault = stock.fault(index.index());
        if (fault == null) {
          times.put(stock, new BenchTimes(queries.size(), options.rounds()));
        } else {
          faults.put(stock, fault);
        }
      }
      BenchSides sides = new BenchSides(reader, options.entry());
      terminal.show("comparing answers");
      for (int i = 0; i < queries.size(); i++) {
        Object expected = sides.run(kind, queries.get(kind, i), true);
        DeviceWork.Mark mark = DeviceWork.mark(directory);
        Object actual = sides.run(kind, queries.get(kind, i), false);
        DeviceWork work = mark.since();
        boolean differs = !BenchKind.same(expected, actual);
        int query = i;
        times.values().forEach(side -> side.compared(query, work, differs));
      }
      terminal.show("warming up");
      BenchWarmup warmup = options.warmup(queries.size());
      while (warmup.next()) {
        for (int i = 0; i < queries.size(); i++) {
          sides.run(kind, queries.get(kind, i), true);
          sides.run(kind, queries.get(kind, i), false);
        }
      }
      warmed = warmup.report(kind.name());
    }
  }

  private void measure() throws IOException {
    for (int i = 0; i < Math.min(COLD_WARMUP, queries.size()); i++) {
      timeAll(0, i);
    }
    long jit = BenchWarmup.jitMillis();
    for (int round = 0; round < options.rounds(); round++) {
      for (int i = 0; i < queries.size(); i++) {
        if (i % 50 == 0) {
          terminal.show(
              "cold: round " + (round + 1) + ", query " + i + "/" + queries.size(),
              ((double) round * queries.size() + i) / ((double) options.rounds() * queries.size()));
        }
        timeAll(round, i);
      }
    }
    jitMillis = BenchWarmup.jitMillis() - jit;
  }

  /** Times a query on every side; the side that comes first changes from query to query. */
  private void timeAll(int round, int query) throws IOException {
    List<StockDirectory> sides = new ArrayList<>(times.keySet());
    sides.add(null); // ours
    Collections.rotate(sides, round + query);
    for (StockDirectory stock : sides) {
      double micros = time(query, stock);
      if (stock != null) {
        times.get(stock).timed(round, query, true, micros);
      } else {
        times.values().forEach(side -> side.timed(round, query, false, micros));
      }
    }
  }

  /** Times a query on stock Lucene over a directory; null: on our side. */
  private double time(int query, StockDirectory stock) throws IOException {
    double micros = timeOpened(query, stock);
    if (stock == null) {
      limit.end(query);
    }
    return micros;
  }

  private double timeOpened(int query, StockDirectory stock) throws IOException {
    Path path = index.index();
    try (Directory directory = stock != null ? stock.open(path) : index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      BenchSides sides = new BenchSides(reader, options.entry());
      cache.drop();
      if (stock == null) {
        limit.begin();
      }
      return sides.time(kind, queries.get(kind, query), stock != null);
    }
  }

  private BenchReport report() {
    Map<QueryShape, int[]> shapes = queries.byShape();
    StockDirectory best =
        times.keySet().stream()
            .min(Comparator.comparingDouble(stock -> times.get(stock).luceneMean()))
            .orElseThrow();
    List<BenchReport.Row> rows =
        shapes.entrySet().stream()
            .map(shape -> times.get(best).row(kind, shape.getKey(), shape.getValue()))
            .toList();
    List<BenchReport.ClassRow> classes =
        groups.stream()
            .map(g -> times.get(best).classRow(kind, g.shape(), g.by(), g.name(), g.queries()))
            .toList();
    List<BenchReport.DirectoryRow> directories = new ArrayList<>();
    times.forEach(
        (stock, side) ->
            shapes.forEach(
                (shape, numbers) -> {
                  BenchReport.Row row = side.row(kind, shape, numbers);
                  directories.add(
                      new BenchReport.DirectoryRow(
                          stock.className(),
                          row.shape(),
                          row.queries(),
                          row.luceneUs(),
                          row.ratioGeomean(),
                          row.ratioTotal()));
                }));
    List<BenchReport.DriveRow> drive =
        shapes.entrySet().stream()
            .map(s -> limit.row(s.getKey(), s.getValue(), times.get(best).offloadMicros))
            .toList();
    return BenchReport.of(
            setting,
            options,
            queries.size(),
            List.of(warmed),
            jitMillis,
            String.format(Locale.ROOT, METHOD, best.className()) + leftOut(),
            rows,
            classes,
            null)
        .withCold(directories, drive);
  }

  private String leftOut() {
    return faults.entrySet().stream()
        .map(fault -> "; without " + fault.getKey().className() + ": " + fault.getValue())
        .collect(Collectors.joining());
  }
}
