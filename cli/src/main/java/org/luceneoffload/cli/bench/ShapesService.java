/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.BenchWork;
import org.luceneoffload.workload.shape.Shape;
import org.luceneoffload.workload.shape.Shapes;

/**
 * Measures shapes of queries, each on its own, against stock Lucene: is one of them slower? See
 * {@link BenchMeasure}.
 */
final class ShapesService {
  /** Ratios vary by so much when nothing differs. */
  private static final double SLOWER_BELOW = 0.95;

  private static final String METHOD =
      "wall-clock microseconds a query, one thread, warm, no query cache, the same call on both"
          + " sides over the same reader in interleaved rounds; geometric means; _us, ratio_geomean"
          + " and ratio_worst (the least of a query) of each query's best round, median and"
          + " quartiles of the rounds";

  private ShapesService() {}

  /**
   * Measures shapes.
   *
   * @param only part of the names or groups of those that are wanted; empty: all
   */
  static ShapesReport run(IndexOptions index, String only, BenchOptions options, Terminal terminal)
      throws IOException {
    try (OffloadDirectory directory = index.open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<Shape> shapes = Shapes.of(reader).stream().filter(s -> isWanted(s, only)).toList();
      if (shapes.isEmpty()) {
        throw Failure.usage("--shapes: no shape is called '" + only + "'");
      }
      BenchSides sides = new BenchSides(reader);
      BenchMeasure measure = new BenchMeasure(directory, terminal, options.rounds(), shapes.size());
      List<ShapesReport.Row> rows = new ArrayList<>();
      for (Shape shape : shapes) {
        Works works = new Works(shape, sides);
        BenchTimes times = measure.measure(shape.name(), works, options.shapeWarmup(works.size()));
        rows.add(times.shapeRow(shape.group(), shape.name()));
      }
      return new ShapesReport(
          BenchSetting.of(index, directory, reader),
          options.rounds(),
          measure.warmups(),
          measure.jitMillis(),
          BenchService.CLOCK,
          METHOD,
          rows.stream().mapToInt(ShapesReport.Row::queries).sum(),
          rows.stream().mapToInt(ShapesReport.Row::differences).sum(),
          (int) rows.stream().filter(row -> row.ratioGeomean() < SLOWER_BELOW).count(),
          SLOWER_BELOW,
          rows);
    } finally {
      terminal.clear();
    }
  }

  private static boolean isWanted(Shape shape, String only) {
    String wanted = only.toLowerCase(Locale.ROOT);
    return shape.group().toLowerCase(Locale.ROOT).contains(wanted)
        || shape.name().toLowerCase(Locale.ROOT).contains(wanted);
  }

  /** The queries of a shape. */
  private record Works(Shape shape, BenchSides sides) implements BenchTasks {
    private BenchWork get(int n) {
      return shape.works().get(n);
    }

    @Override
    public int size() {
      return shape.works().size();
    }

    @Override
    public Object run(int n, boolean stock) throws IOException {
      return sides.run(get(n), stock);
    }

    @Override
    public double time(int n, boolean stock) throws IOException {
      return sides.time(get(n), stock);
    }

    @Override
    public String where(int n) {
      return shape.name();
    }
  }
}
