/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.reproduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.model.DeviceProfile;

/**
 * Lucene's programs on the same lists and the same device as the paper's: against the regular SSD
 * with the paper's programs, and against a host that runs Lucene's programs too.
 *
 * @param profile device and host
 * @param rows by sweep
 */
public record Production(String profile, List<Row> rows) {
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
      double hostMs) {}

  /** A point: the paper's programs, and Lucene's. */
  private record Pair(Modelled classic, Modelled lucene) {
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
          pairs.add(new Pair(outcomes.get(point.experiment()), lab.run(point.experiment())));
        }
        rows.add(row(sweep, pairs));
        progress.accept("Lucene's programs, " + sweep.id());
      }
    }
    return new Production(profile.name(), rows);
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
        mean(pairs, p -> p.lucene().host().elapsedMs()));
  }

  private static double mean(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).average().orElseThrow();
  }

  private static double least(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).min().orElseThrow();
  }
}
