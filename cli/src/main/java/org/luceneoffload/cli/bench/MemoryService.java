/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.bench.machine.PageCache;
import org.luceneoffload.cli.bench.machine.QueryLog;
import org.luceneoffload.cli.bench.machine.StockDirectory;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;

/**
 * Measures a log of queries in a process whose memory is limited. Sides take turns: each opens the
 * index anew after the page cache was emptied of its files, answers one half of the log, and is
 * measured with the other.
 */
final class MemoryService {
  private static final BenchKind KIND = BenchKind.TOP_10;
  private static final String OFFLOAD = "offload";
  private static final int[] THREADS = {1, 4, 16};
  private static final long SEED = 41;

  private static final String METHOD =
      "first ten hits, in a process with so much memory, page cache included; a log in which the"
          + " query of rank r comes in proportion to 1/r; before each turn the index was opened"
          + " anew and the page cache emptied of its files, and as many queries run as are"
          + " measured; of each side the round with most queries a second";

  private final IndexOptions index;
  private final BenchOptions options;
  private final Terminal terminal;
  private final PageCache cache;
  private final BenchQueries queries;
  private final BenchSetting setting;
  private final int differences;
  private final int[] log;
  private final Map<String, MemoryReport.Row> best = new LinkedHashMap<>();

  private MemoryService(
      IndexOptions index, Path file, BenchOptions options, Terminal terminal, PageCache cache)
      throws IOException {
    this.index = index;
    this.options = options;
    this.terminal = terminal;
    this.cache = cache;
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      queries = BenchQueries.read(file, reader);
      setting = BenchSetting.of(index, directory, reader);
      differences = compare(reader);
    }
    log = QueryLog.of(queries.size(), 2 * options.log(), SEED);
  }

  /** Measures; this process is limited already. */
  static MemoryReport run(IndexOptions index, Path file, BenchOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try (PageCache cache = PageCache.of(index.index())) {
      cache.sync();
      MemoryService service = new MemoryService(index, file, options, terminal, cache);
      service.measure();
      return service.report();
    } finally {
      terminal.clear();
    }
  }

  /** Compares the answers, which warms the code up, too. */
  private int compare(DirectoryReader reader) throws IOException {
    terminal.show("comparing answers");
    BenchSides sides = new BenchSides(reader, options.entry());
    int differing = 0;
    for (int i = 0; i < queries.size(); i++) {
      Object expected = sides.run(KIND, queries.get(KIND, i), true);
      Object actual = sides.run(KIND, queries.get(KIND, i), false);
      differing += BenchKind.same(expected, actual) ? 0 : 1;
    }
    return differing;
  }

  private List<StockDirectory> stockDirectories() {
    return Arrays.stream(StockDirectory.values())
        .filter(stock -> stock.fault(index.index()) == null)
        .toList();
  }

  private void measure() throws IOException, InterruptedException {
    List<StockDirectory> sides = new ArrayList<>(stockDirectories());
    sides.add(null); // ours
    int turns = 0;
    for (int round = 0; round < options.rounds(); round++) {
      for (int threads : THREADS) {
        for (StockDirectory stock : sides) {
          String name = stock == null ? OFFLOAD : stock.className();
          terminal.show(
              "round " + (round + 1) + ", " + threads + " threads, " + name,
              (double) turns++ / (options.rounds() * THREADS.length * sides.size()));
          MemoryReport.Row row = turn(stock, name, threads);
          best.merge(threads + name, row, (a, b) -> a.qps() >= b.qps() ? a : b);
        }
      }
    }
  }

  private MemoryReport.Row turn(StockDirectory stock, String name, int threads)
      throws IOException, InterruptedException {
    Path path = index.index();
    // Buffers outside of the heap stay until it is collected. Those of the side before would be
    // several hundred MB, and keep the lists of this one out of the page cache.
    System.gc();
    cache.drop();
    try (Directory directory = stock != null ? stock.open(path) : index.open();
        DirectoryReader reader = DirectoryReader.open(directory);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      BenchSides sides = new BenchSides(reader, options.entry());
      double[] micros = new double[log.length];
      answer(sides, stock != null, pool, threads, 0, log.length / 2, micros);
      long start = System.nanoTime();
      answer(sides, stock != null, pool, threads, log.length / 2, log.length, micros);
      double seconds = (System.nanoTime() - start) / 1e9;
      double[] sorted = Arrays.copyOfRange(micros, log.length / 2, log.length);
      Arrays.sort(sorted);
      return new MemoryReport.Row(
          threads,
          name,
          Figures.round(sorted.length / seconds),
          Figures.round(sorted[sorted.length / 2]),
          Figures.round(sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)]),
          null,
          null,
          null);
    }
  }

  /** Answers a part of the log; each thread takes the next query that none has taken. */
  private void answer(
      BenchSides sides,
      boolean stock,
      ExecutorService pool,
      int threads,
      int from,
      int to,
      double[] micros)
      throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger(from);
    List<Future<Void>> futures = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      futures.add(
          pool.submit(
              () -> {
                for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
                  micros[i] = sides.time(KIND, queries.get(KIND, log[i]), stock);
                }
                return null;
              }));
    }
    for (Future<Void> future : futures) {
      try {
        future.get();
      } catch (ExecutionException e) {
        throw new IOException("a thread of the benchmark failed", e.getCause());
      }
    }
  }

  private MemoryReport report() {
    List<MemoryReport.Row> rows = new ArrayList<>();
    for (int threads : THREADS) {
      List<MemoryReport.Row> stock =
          best.values().stream()
              .filter(row -> row.threads() == threads && !row.side().equals(OFFLOAD))
              .toList();
      MemoryReport.Row fastest =
          stock.stream().max(Comparator.comparingDouble(MemoryReport.Row::qps)).orElseThrow();
      MemoryReport.Row ours = best.get(threads + OFFLOAD);
      rows.addAll(stock);
      rows.add(
          new MemoryReport.Row(
              threads,
              OFFLOAD,
              ours.qps(),
              ours.p50Us(),
              ours.p99Us(),
              Figures.round(ours.qps() / fastest.qps()),
              Figures.round(fastest.p99Us() / ours.p99Us()),
              fastest.side()));
    }
    return new MemoryReport(
        setting,
        MemoryChild.limit(),
        options.rounds(),
        queries.size(),
        options.log(),
        "wall",
        METHOD,
        differences,
        rows);
  }
}
