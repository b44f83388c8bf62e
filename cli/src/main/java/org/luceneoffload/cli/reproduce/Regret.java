/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.planner.ClassicEstimate;
import org.luceneoffload.planner.ClassicRequest;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.LeafEstimate;

/**
 * What a planner loses that chooses device or host from {@link ClassicEstimate} before it runs
 * anything, against the better of both as it turns out.
 *
 * @param experiments how many it chose for
 * @param wrong how often the other side was faster
 * @param meanPct mean of the time lost, as a share of the better time
 * @param worstPct the most
 * @param rows every sweep
 */
public record Regret(int experiments, int wrong, double meanPct, double worstPct, List<Row> rows) {
  /**
   * Choices along one sweep.
   *
   * @param id of the sweep
   * @param choices {@code device} or {@code host} for each point; in capitals if wrong
   * @param deviceErrorPct mean of how far off the device's time was estimated
   * @param hostErrorPct the same for the host
   * @param meanPct mean regret
   * @param worstPct greatest regret
   */
  public record Row(
      String id,
      String choices,
      double deviceErrorPct,
      double hostErrorPct,
      double meanPct,
      double worstPct) {}

  /** Chooses for every point of some sweeps. */
  static Regret of(DeviceProfile profile, List<Sweep> sweeps, Outcomes outcomes) {
    CostModel costs = new CostModel(profile);
    List<Row> rows = new ArrayList<>();
    int experiments = 0;
    int wrong = 0;
    double sum = 0;
    double worst = 0;
    for (Sweep sweep : sweeps) {
      List<String> choices = new ArrayList<>();
      double device = 0;
      double host = 0;
      double lost = 0;
      double most = 0;
      for (Sweep.Point point : sweep.points()) {
        Modelled modelled = outcomes.get(point.experiment());
        LeafEstimate estimate = ClassicEstimate.of(costs, request(point.experiment()));
        boolean onDevice = estimate.prefersDevice();
        double chosen = (onDevice ? modelled.device() : modelled.host()).elapsedMs();
        double best = Math.min(modelled.device().elapsedMs(), modelled.host().elapsedMs());
        double regret = 100 * (chosen / best - 1);
        String name = onDevice ? "device" : "host";
        choices.add(regret > 0 ? name.toUpperCase(Locale.ROOT) : name);
        wrong += regret > 0 ? 1 : 0;
        device += error(estimate.deviceNs(), modelled.device());
        host += error(estimate.hostNs(), modelled.host());
        lost += regret;
        most = Math.max(most, regret);
      }
      int count = sweep.points().size();
      rows.add(
          new Row(
              sweep.id(),
              String.join(" ", choices),
              100 * device / count,
              100 * host / count,
              lost / count,
              most));
      experiments += count;
      sum += lost;
      worst = Math.max(worst, most);
    }
    return experiments == 0 ? null : new Regret(experiments, wrong, sum / experiments, worst, rows);
  }

  private static double error(double estimateNs, ModelReport report) {
    return Math.abs(estimateNs * 1e3 / report.elapsedPs() - 1);
  }

  /** What the dictionary would say of an experiment's lists. */
  private static ClassicRequest request(ClassicExperiment experiment) {
    Workload workload = experiment.workload();
    return new ClassicRequest(
        ClassicRequest.Operation.valueOf(experiment.operation().name()),
        experiment.ranked(),
        true,
        workload.listLengths(),
        workload.universe());
  }
}
