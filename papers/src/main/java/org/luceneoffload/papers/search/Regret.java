/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.classic.ClassicEstimate;
import org.luceneoffload.papers.classic.ClassicRequest;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealQueries;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.lab.Workload;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;

/**
 * The loss of a planner that chooses device or host from {@link ClassicEstimate} before it runs
 * anything, against the better of both as it turns out.
 *
 * @param experiments how many it chose for
 * @param wrong how often the other side was faster
 * @param meanPct mean of the time lost, as a share of the better time
 * @param worstPct the most
 * @param rows every sweep, and every operation of the real workload
 */
record Regret(int experiments, int wrong, double meanPct, double worstPct, List<Row> rows) {
  /**
   * Choices along one sweep, or for the queries of the real workload.
   *
   * @param id of the sweep
   * @param choices {@code device} or {@code host} for each point, in capitals if wrong; of many
   *     points how often
   * @param deviceErrorPct mean of how far off the device's time was estimated
   * @param hostErrorPct the same for the host
   * @param meanPct mean regret
   * @param worstPct greatest regret
   */
  record Row(
      String id,
      String choices,
      double deviceErrorPct,
      double hostErrorPct,
      double meanPct,
      double worstPct) {}

  private static final int MAX_LISTED = 10;

  /** Returns the choices as a table. */
  Table table() {
    Table table =
        Table.of(
                "Choosing a side before running",
                String.format(
                    Locale.ROOT,
                    "From the lengths of the lists and the profile alone, device or host is chosen"
                        + " for each of %d experiments. %d choices were wrong; the time lost is"
                        + " %.2f %% on average and %.1f %% at most (target: 5 %%). Wrong choices"
                        + " are in capitals.",
                    experiments,
                    wrong,
                    meanPct,
                    worstPct))
            .text("experiment")
            .text("chosen")
            .number("error of the device's estimate", "%")
            .number("error of the host's", "%")
            .number("mean regret", "%")
            .number("worst", "%");
    rows.forEach(
        row ->
            table.row(
                row.id(),
                row.choices(),
                row.deviceErrorPct(),
                row.hostErrorPct(),
                row.meanPct(),
                row.worstPct()));
    return table;
  }

  /**
   * Chooses for every point of some sweeps, and for every query of the real workload.
   *
   * @param queries of the real workload, whose outcomes are there; empty if it did not run
   */
  static Regret of(
      DeviceProfile profile,
      List<Sweep> sweeps,
      List<RealQueries.Query> queries,
      Outcomes outcomes) {
    CostModel costs = new CostModel(profile);
    List<Tally> tallies = new ArrayList<>();
    for (Sweep sweep : sweeps) {
      Tally tally = new Tally(sweep.id(), costs);
      sweep.points().forEach(point -> tally.add(point.experiment(), outcomes));
      tallies.add(tally);
    }
    if (!queries.isEmpty()) {
      for (Operation operation : Operation.values()) {
        for (boolean ranked : new boolean[] {false, true}) {
          if (ranked || operation != Operation.UNION) {
            tallies.add(real(costs, operation, ranked, queries, outcomes));
          }
        }
      }
    }
    int experiments = tallies.stream().mapToInt(tally -> tally.count).sum();
    return experiments == 0
        ? null
        : new Regret(
            experiments,
            tallies.stream().mapToInt(tally -> tally.wrong).sum(),
            tallies.stream().mapToDouble(tally -> tally.lost).sum() / experiments,
            tallies.stream().mapToDouble(tally -> tally.most).max().orElseThrow(),
            tallies.stream().map(Tally::row).toList());
  }

  private static Tally real(
      CostModel costs,
      Operation operation,
      boolean ranked,
      List<RealQueries.Query> queries,
      Outcomes outcomes) {
    String name = (ranked ? "ranked-" : "") + operation.text();
    Tally tally = new Tally("real-" + name, costs);
    List<Modelled> modelled = outcomes.real(name);
    for (int i = 0; i < modelled.size(); i++) {
      RealQueries.Query query = queries.get(i);
      Workload workload = operation == Operation.DIFFERENCE ? query.pair() : query.all();
      tally.add(new ClassicExperiment(operation, ranked, workload), modelled.get(i));
    }
    return tally;
  }

  /** Choices that make a row. */
  private static final class Tally {
    private final String id;
    private final CostModel costs;
    private final List<String> choices = new ArrayList<>();
    private int count;
    private int wrong;
    private int onDevice;
    private double deviceError;
    private double hostError;
    private double lost;
    private double most;

    Tally(String id, CostModel costs) {
      this.id = id;
      this.costs = costs;
    }

    void add(ClassicExperiment experiment, Outcomes outcomes) {
      add(experiment, outcomes.get(experiment));
    }

    void add(ClassicExperiment experiment, Modelled modelled) {
      LeafEstimate estimate = ClassicEstimate.of(costs, request(experiment));
      double deviceNs = modelled.device().elapsedPs() / 1e3;
      double hostNs = modelled.host().elapsedPs() / 1e3;
      boolean device = estimate.prefersDevice();
      double chosenNs = device ? deviceNs : hostNs;
      double regret = 100 * (chosenNs / Math.min(deviceNs, hostNs) - 1);
      String name = device ? "device" : "host";
      choices.add(regret > 0 ? name.toUpperCase(Locale.ROOT) : name);
      count++;
      wrong += regret > 0 ? 1 : 0;
      onDevice += device ? 1 : 0;
      deviceError += Math.abs(estimate.deviceNs() / deviceNs - 1);
      hostError += Math.abs(estimate.hostNs() / hostNs - 1);
      lost += regret;
      most = Math.max(most, regret);
    }

    Row row() {
      String chosen =
          count <= MAX_LISTED
              ? String.join(" ", choices)
              : onDevice + " device, " + (count - onDevice) + " host; " + wrong + " wrong";
      return new Row(
          id, chosen, 100 * deviceError / count, 100 * hostError / count, lost / count, most);
    }
  }

  /** Returns what the dictionary would say of an experiment's lists. */
  private static ClassicRequest request(ClassicExperiment experiment) {
    Workload workload = experiment.workload();
    return new ClassicRequest(
        experiment.operation(),
        experiment.ranked(),
        true,
        workload.listLengths(),
        workload.universe());
  }
}
