/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.lab.Workload;
import org.luceneoffload.papers.study.Table;

/** Lucene's programs beside the paper's, on small lists. */
class TestProduction {
  private static final Workload LISTS = Workload.of(3, 30_000, 10, 10_000, 1);

  private static Sweep sweep(Operation operation, boolean ranked, Workload... workloads) {
    List<Sweep.Point> points = new ArrayList<>();
    for (Workload workload : workloads) {
      points.add(
          new Sweep.Point("" + points.size(), new ClassicExperiment(operation, ranked, workload)));
    }
    String id = (ranked ? "ranked-" : "") + operation.text();
    return new Sweep(id, id, "", "", false, points);
  }

  @Test
  void targetsHoldOnTheSmartSsd() throws IOException {
    DeviceProfile profile = Profiles.load("smart-ssd-sas");
    Workload two = Workload.of(2, 60_000, 10, 10_000, 1);
    List<Sweep> sweeps =
        List.of(
            sweep(Operation.INTERSECTION, false, LISTS, two),
            sweep(Operation.DIFFERENCE, false, two),
            sweep(Operation.UNION, true, LISTS, two));
    Outcomes outcomes = new Outcomes();
    List<String> told = new ArrayList<>();
    try (ModelLab lab = new ModelLab(profile, false)) {
      for (Sweep sweep : sweeps) {
        for (Sweep.Point point : sweep.points()) {
          outcomes.put(point.experiment(), lab.run(point.experiment()));
        }
      }
    }
    Production production =
        Production.of(profile, sweeps, outcomes, (step, done, total) -> told.add(step));
    assertEquals(
        production,
        Production.of(profile, sweeps, outcomes, (step, done, total) -> told.add(step)),
        "repeats");
    assertEquals(2 * sweeps.size(), told.size());
    for (Production.Row row : production.rows()) {
      // Twice what the paper has; for ranked union, which it loses, more than 1.
      double gain = row.mean(Production.Point::gain);
      double target =
          row.id().equals("ranked-union") ? 1 : 2 * row.mean(Production.Point::classicGain);
      assertTrue(row.least(Production.Point::gain) <= gain && gain > target, row::toString);
    }
    List<Table> tables = production.tables();
    assertEquals(2, tables.size(), "on the paper's device there are targets");
    assertEquals(5, tables.get(1).rows().size());
  }

  @Test
  void matchesAreThoseOfThePapersPrograms() throws IOException {
    DeviceProfile profile = Profiles.load("pcie5-csd");
    try (ProductionLab production = new ProductionLab(profile);
        ModelLab classic = new ModelLab(profile, false)) {
      for (Operation operation : Operation.values()) {
        Workload workload =
            operation == Operation.DIFFERENCE
                ? Workload.of(2, 30_000, 10, 10_000, 1).swapped()
                : LISTS;
        ClassicExperiment experiment = new ClassicExperiment(operation, false, workload);
        assertEquals(classic.run(experiment).results(), production.run(experiment).results());
        assertTrue(production.bytes() < 32L * 63_000 / 8, "pages are compressed");
      }
    }
  }
}
