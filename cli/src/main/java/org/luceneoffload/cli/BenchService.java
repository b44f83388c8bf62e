/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Version;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;

/**
 * Measures the device against stock Lucene: both searchers over the same reader, one thread, no
 * query cache. In each round every query runs once on each side, one right after the other, and the
 * side that goes first alternates. Of each query and side the best round counts.
 */
final class BenchService {
  private static final String CLOCK = "measured";
  private static final String METHOD =
      "wall-clock microseconds a query, one thread, warm, no query cache, both sides over the same"
          + " reader in interleaved rounds; best round of each query; geometric means";

  private final IndexSearcher lucene;
  private final OffloadIndexSearcher offload;
  private final OffloadDirectory directory;
  private final List<QueryLine> lines;
  private final List<Query> queries;
  private final List<QueryShape> shapes;
  private final Terminal terminal;
  // Every result is put here, so that no run can be optimised away.
  private volatile Object sink;

  private BenchService(
      DirectoryReader reader,
      OffloadDirectory directory,
      List<QueryLine> lines,
      List<Query> queries,
      Terminal terminal) {
    lucene = new IndexSearcher(reader);
    lucene.setQueryCache(null);
    offload = new OffloadIndexSearcher(reader);
    offload.setQueryCache(null);
    this.directory = directory;
    this.lines = lines;
    this.queries = queries;
    this.shapes = queries.stream().map(QueryShape::of).toList();
    this.terminal = terminal;
  }

  /**
   * Measures all kinds.
   *
   * @param rounds measured rounds, at least 1
   * @param warmupRounds rounds before them that do not count
   */
  static BenchReport run(
      IndexOptions index, Path file, int rounds, int warmupRounds, Terminal terminal)
      throws IOException {
    List<QueryLine> lines = QueryOptions.readFile(file);
    Queries parser = new Queries();
    List<Query> queries = lines.stream().map(parser::parse).toList();
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      BenchService service = new BenchService(reader, directory, lines, queries, terminal);
      List<BenchReport.Row> rows = new ArrayList<>();
      for (BenchKind kind : BenchKind.values()) {
        rows.addAll(service.measure(kind, rounds, warmupRounds));
      }
      terminal.clear();
      return new BenchReport(
          index.index(),
          index.device(),
          directory.handle() == null ? null : directory.handle().device().info().kernels(),
          Version.LATEST.toString(),
          Runtime.version().toString(),
          ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(),
          reader.numDocs(),
          reader.leaves().size(),
          queries.size(),
          rounds,
          warmupRounds,
          CLOCK,
          METHOD,
          rows.stream().mapToInt(BenchReport.Row::differences).sum(),
          rows);
    } finally {
      terminal.clear();
    }
  }

  private List<BenchReport.Row> measure(BenchKind kind, int rounds, int warmupRounds)
      throws IOException {
    Map<QueryShape, Tally> tallies = compare(kind);
    double[] luceneMicros = new double[queries.size()];
    double[] offloadMicros = new double[queries.size()];
    for (int round = -warmupRounds; round < rounds; round++) {
      terminal.show(kind + (round < 0 ? ": warming up" : ": round " + (round + 1) + "/" + rounds));
      if (round == 0) {
        Arrays.fill(luceneMicros, Double.MAX_VALUE);
        Arrays.fill(offloadMicros, Double.MAX_VALUE);
      }
      for (int i = 0; i < queries.size(); i++) {
        boolean luceneFirst = (round + i & 1) == 0;
        for (int turn = 0; turn < 2; turn++) {
          boolean stock = luceneFirst == (turn == 0);
          double[] best = stock ? luceneMicros : offloadMicros;
          best[i] = Math.min(best[i], time(kind, queries.get(i), stock));
        }
      }
    }
    List<BenchReport.Row> rows = new ArrayList<>();
    tallies.forEach(
        (shape, tally) -> {
          for (int i = 0; i < queries.size(); i++) {
            if (shapes.get(i) == shape) {
              tally.add(luceneMicros[i], offloadMicros[i]);
            }
          }
          rows.add(tally.row(kind, shape));
        });
    return rows;
  }

  /** Runs each query once on both sides, untimed: are the answers the same, and whose are they? */
  private Map<QueryShape, Tally> compare(BenchKind kind) throws IOException {
    terminal.show(kind + ": comparing answers");
    Map<QueryShape, Tally> tallies = new EnumMap<>(QueryShape.class);
    for (int i = 0; i < queries.size(); i++) {
      Tally tally = tallies.computeIfAbsent(shapes.get(i), unused -> new Tally());
      try {
        Object expected = kind.lucene(lucene, queries.get(i));
        DeviceWork.Mark mark = DeviceWork.mark(directory);
        Object actual = kind.offload(offload, queries.get(i));
        tally.add(mark.since(), !BenchKind.same(expected, actual));
      } catch (IndexSearcher.TooManyClauses | UnsupportedOperationException e) {
        throw Failure.of(lines.get(i).where() + ": " + e.getMessage(), e);
      }
    }
    return tallies;
  }

  private double time(BenchKind kind, Query query, boolean stock) throws IOException {
    long start = System.nanoTime();
    Object result = stock ? kind.lucene(lucene, query) : kind.offload(offload, query);
    long end = System.nanoTime();
    sink = result;
    // The clock ticks in nanoseconds: nothing takes none.
    return Math.max(1, end - start) / 1e3;
  }

  /** What is known of one shape. */
  private static final class Tally {
    private int queries;
    private int differences;
    private long leavesOffloaded;
    private long leavesOnHost;
    private double luceneTotal;
    private double offloadTotal;
    private double luceneLogs;
    private double offloadLogs;

    void add(DeviceWork work, boolean different) {
      differences += different ? 1 : 0;
      leavesOffloaded += work.leavesOffloaded();
      leavesOnHost += work.leavesOnHost() + work.leavesFallenBack();
    }

    void add(double luceneMicros, double offloadMicros) {
      queries++;
      luceneTotal += luceneMicros;
      offloadTotal += offloadMicros;
      luceneLogs += Math.log(luceneMicros);
      offloadLogs += Math.log(offloadMicros);
    }

    BenchReport.Row row(BenchKind kind, QueryShape shape) {
      return new BenchReport.Row(
          kind.name(),
          shape.name(),
          queries,
          Figures.round(Math.exp(luceneLogs / queries)),
          Figures.round(Math.exp(offloadLogs / queries)),
          Figures.round(Math.exp((luceneLogs - offloadLogs) / queries)),
          Figures.round(luceneTotal / offloadTotal),
          differences,
          leavesOffloaded,
          leavesOnHost);
    }
  }
}
