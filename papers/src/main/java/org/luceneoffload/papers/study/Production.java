/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.lab.Sweep;

/**
 * Lucene's programs on the same lists and the same device as the paper's: against the regular SSD
 * with the paper's programs, and against a host that runs Lucene's programs too.
 *
 * @param profile device and host
 * @param rows by sweep
 * @param targets what is demanded on the paper's own device; none on others
 */
public record Production(String profile, List<Row> rows, List<Target> targets) {
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

  /**
   * A demand.
   *
   * @param text what it is
   * @param least what the gain must be at least
   * @param modelled what it is
   * @param verdict {@code pass} or {@code MISS}
   */
  public record Target(String text, double least, double modelled, String verdict) {}

  /**
   * A point of a sweep.
   *
   * @param label value of the parameter
   * @param regularMs the paper's program on the host: the regular SSD
   * @param classicMs the paper's program on the device
   * @param deviceMs Lucene's program on the device
   * @param hostMs Lucene's program on the host
   * @param regularMj energy over idle of the regular SSD
   * @param deviceMj energy over idle of the device with Lucene's program
   */
  public record Point(
      String label,
      double regularMs,
      double classicMs,
      double deviceMs,
      double hostMs,
      double regularMj,
      double deviceMj) {}

  /**
   * The mean over a sweep's points.
   *
   * @param id the sweep
   * @param title what it shows
   * @param points how many
   * @param classicGain latency of the regular SSD over that of the paper's device
   * @param classicEnergyGain the same of energy
   * @param gain latency of the regular SSD over that of the device with Lucene's programs
   * @param leastGain the least of them
   * @param energyGain the mean of the same ratio of energy
   * @param hostGain latency of a host with Lucene's programs over that of the device with them
   * @param leastHostGain the least of them
   * @param hostEnergyGain the mean of the same ratio of energy
   * @param deviceMs mean latency of the device with Lucene's programs
   * @param hostMs mean latency of the host with Lucene's programs
   * @param each the points
   */
  public record Row(
      String id,
      String title,
      int points,
      double classicGain,
      double classicEnergyGain,
      double gain,
      double leastGain,
      double energyGain,
      double hostGain,
      double leastHostGain,
      double hostEnergyGain,
      double deviceMs,
      double hostMs,
      List<Point> each) {}

  /** A point: the paper's programs, and Lucene's. */
  private record Pair(String label, Modelled classic, Modelled lucene) {
    Point point() {
      return new Point(
          label,
          classic.host().elapsedMs(),
          classic.device().elapsedMs(),
          lucene.device().elapsedMs(),
          lucene.host().elapsedMs(),
          classic.host().activeMj(),
          lucene.device().activeMj());
    }

    double gain() {
      return classic.host().elapsedMs() / lucene.device().elapsedMs();
    }

    double energyGain() {
      return classic.host().activeMj() / lucene.device().activeMj();
    }
  }

  /**
   * Runs all points of some sweeps.
   *
   * @param outcomes what the paper's programs take there
   * @param progress is told what runs
   */
  static Production of(
      DeviceProfile profile, List<Sweep> sweeps, Outcomes outcomes, Consumer<String> progress)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    try (ProductionLab lab = new ProductionLab(profile)) {
      for (Sweep sweep : sweeps) {
        List<Pair> pairs = new ArrayList<>();
        for (Sweep.Point point : sweep.points()) {
          pairs.add(
              new Pair(
                  point.label(), outcomes.get(point.experiment()), lab.run(point.experiment())));
        }
        rows.add(row(sweep, pairs));
        progress.accept("Lucene's programs, " + sweep.id());
      }
    }
    String name = profile.name();
    return new Production(
        name, rows, name.equals(Papers.profileOf(Papers.SEARCH)) ? targets(rows) : List.of());
  }

  private static List<Target> targets(List<Row> rows) {
    Map<String, Double> twice =
        Map.of("intersection-size", 5.0, "intersection-lists", 5.2, "difference-size", 5.4);
    List<Target> targets = new ArrayList<>();
    for (Row row : rows) {
      if (twice.containsKey(row.id())) {
        String text = row.id() + ": mean gain at least twice the paper's";
        targets.add(target(text, twice.get(row.id()), row.gain()));
      } else if (row.id().startsWith("ranked-union")) {
        targets.add(target(row.id() + ": always faster than the regular SSD", 1, row.leastGain()));
      }
    }
    return targets;
  }

  private static Target target(String text, double least, double modelled) {
    return new Target(text, least, modelled, modelled >= least ? "pass" : "MISS");
  }

  private static Row row(Sweep sweep, List<Pair> pairs) {
    return new Row(
        sweep.id(),
        sweep.title(),
        pairs.size(),
        mean(pairs, p -> p.classic().latencyGain()),
        mean(pairs, p -> p.classic().energyGain()),
        mean(pairs, Pair::gain),
        least(pairs, Pair::gain),
        mean(pairs, Pair::energyGain),
        mean(pairs, p -> p.lucene().latencyGain()),
        least(pairs, p -> p.lucene().latencyGain()),
        mean(pairs, p -> p.lucene().energyGain()),
        mean(pairs, p -> p.lucene().device().elapsedMs()),
        mean(pairs, p -> p.lucene().host().elapsedMs()),
        pairs.stream().map(Pair::point).toList());
  }

  private static double mean(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).average().orElseThrow();
  }

  private static double least(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).min().orElseThrow();
  }
}
