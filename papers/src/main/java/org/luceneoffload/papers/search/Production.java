/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Table;

/**
 * Lucene's programs on the same lists and the same device as the paper's: against the regular SSD
 * with the paper's programs, and against a host that runs Lucene's programs too.
 *
 * @param profile device and host
 * @param own whether that is the paper's own device
 * @param rows by sweep
 */
record Production(String profile, boolean own, List<Row> rows) {
  /** Sweeps that the report compares. */
  static final List<String> SWEEPS =
      List.of(
          "intersection-size",
          "intersection-skew",
          "intersection-lists",
          "ranked-intersection-equal",
          "difference-size",
          "difference-skew",
          "ranked-difference-skew",
          "ranked-union-size",
          "ranked-union-skew",
          "ranked-union-lists");

  /** What the mean gain must be at least on the paper's device: twice the paper's. */
  private static final Map<String, Double> TWICE =
      Map.of("intersection-size", 5.0, "intersection-lists", 5.2, "difference-size", 5.4);

  /**
   * A point of a sweep.
   *
   * @param label value of the parameter
   * @param classic the paper's programs; on the host they are the regular SSD
   * @param lucene Lucene's programs
   */
  record Point(String label, Modelled classic, Modelled lucene) {
    /** Returns the latency of the regular SSD over that of the device with Lucene's programs. */
    double gain() {
      return classic.host().elapsedMs() / lucene.device().elapsedMs();
    }

    double energyGain() {
      return classic.host().activeMj() / lucene.device().activeMj();
    }

    double classicGain() {
      return classic.latencyGain();
    }

    /** Returns the latency of a host with Lucene's programs over that of the device with them. */
    double hostGain() {
      return lucene.latencyGain();
    }
  }

  /**
   * The points of a sweep.
   *
   * @param id the sweep
   * @param points in order
   */
  record Row(String id, List<Point> points) {
    double mean(ToDoubleFunction<Point> value) {
      return points.stream().mapToDouble(value).average().orElseThrow();
    }

    double least(ToDoubleFunction<Point> value) {
      return points.stream().mapToDouble(value).min().orElseThrow();
    }
  }

  /**
   * Runs all points of some sweeps.
   *
   * @param outcomes what the paper's programs take there
   * @param progress is told what runs
   */
  static Production of(
      DeviceProfile profile, List<Sweep> sweeps, Outcomes outcomes, Progress progress)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    try (ProductionLab lab = new ProductionLab(profile)) {
      for (Sweep sweep : sweeps) {
        progress.tell(
            "Lucene's programs, " + sweep.id() + ", " + profile.name(), rows.size(), sweeps.size());
        List<Point> points = new ArrayList<>();
        for (Sweep.Point at : sweep.points()) {
          points.add(
              new Point(at.label(), outcomes.get(at.experiment()), lab.run(at.experiment())));
        }
        rows.add(new Row(sweep.id(), points));
      }
    }
    return new Production(profile.name(), Papers.isOwn(Papers.SEARCH, profile), rows);
  }

  /** Returns the points as a table, before that what is demanded on the paper's own device. */
  List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    if (own) {
      tables.add(targets());
    }
    Table table =
        Table.of(
                "The programs of Lucene queries on the same lists, " + profile,
                "Compressed posting pages, block maxima, pruned top ten: the programs that answer"
                    + " Lucene's queries here, on the lists above. The gain is the time of the"
                    + " regular SSD, that is of the classic program on the host, over that of the"
                    + " production program on the device; the last column has the production"
                    + " program on the host in place of the regular SSD, which is the best that a"
                    + " host can do with the same pages.")
            .text("experiment")
            .number("value", "")
            .number("regular SSD", "ms")
            .number("classic", "ms")
            .number("production", "ms")
            .number("production on the host", "ms")
            .number("gain", "x")
            .number("gain in energy", "x")
            .number("gain against the best host", "x");
    for (Row row : rows) {
      for (Point point : row.points()) {
        table.row(
            row.id(),
            Double.valueOf(point.label()),
            point.classic().host().elapsedMs(),
            point.classic().device().elapsedMs(),
            point.lucene().device().elapsedMs(),
            point.lucene().host().elapsedMs(),
            point.gain(),
            point.energyGain(),
            point.hostGain());
      }
    }
    tables.add(table);
    return tables;
  }

  private Table targets() {
    Table table =
        Table.of("Targets of the programs of Lucene queries", "On the paper's own device.")
            .text("target")
            .number("at least", "x")
            .number("modelled", "x")
            .text("verdict");
    for (Row row : rows) {
      Double twice = TWICE.get(row.id());
      if (twice != null) {
        target(
            table,
            row.id() + ": mean gain at least twice the paper's",
            twice,
            row.mean(Point::gain));
      } else if (row.id().startsWith("ranked-union")) {
        target(table, row.id() + ": always faster than the regular SSD", 1, row.least(Point::gain));
      }
    }
    return table;
  }

  private static void target(Table table, String text, double least, double modelled) {
    table.row(text, least, modelled, modelled >= least ? "pass" : "MISS");
  }
}
