/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.ClassicModel.Workload;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.PlannerRegret;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.wire.OffloadWire.ModelSide;
import org.luceneoffload.wire.layout.ModelReportLayout;

/** The planner's estimates against what the timing model says after the event. */
class TestPlannerRegret {
  private static final double MAX_MEAN = 0.05;
  private static final double MAX_ERROR = 0.10;
  private static final int LONGEST = 65_536;
  private static final int UNIVERSE = 10_000_000;
  private static final int[] SKEWS = {1, 3, 5, 10, 100, 1000};
  private static final int[] RATIOS_PPM = {1_000, 10_000, 100_000};

  private static double ns(byte[] report) {
    return ModelReportLayout.elapsedPs(ByteBuffer.wrap(report).order(ByteOrder.LITTLE_ENDIAN), 0)
        / 1e3;
  }

  private static List<Workload> workloads() {
    List<Workload> all = new ArrayList<>();
    for (int skew : SKEWS) {
      for (int ppm : RATIOS_PPM) {
        all.add(new Workload(2, LONGEST, skew, ppm, UNIVERSE, 3, false));
      }
      all.add(new Workload(2, LONGEST, skew, RATIOS_PPM[1], UNIVERSE, 3, true));
    }
    for (int lists : new int[] {3, 5, 8}) {
      all.add(new Workload(lists, LONGEST, 100, RATIOS_PPM[1], UNIVERSE, 3, false));
      all.add(new Workload(lists, LONGEST, 1, RATIOS_PPM[1], UNIVERSE, 3, false));
    }
    all.add(new Workload(2, 1000, 10, RATIOS_PPM[2], UNIVERSE, 3, false));
    all.add(new Workload(2, 300, 1, RATIOS_PPM[2], UNIVERSE, 3, false));
    return all;
  }

  /** Returns what the dictionary would say of a workload's lists. */
  private static ClassicRequest request(Workload workload, Operation operation, boolean ranked) {
    int shorter = (workload.longest() + workload.skew() / 2) / workload.skew();
    List<Integer> lengths = new ArrayList<>();
    for (int i = 0; i < workload.lists(); i++) {
      lengths.add(i % 2 == 0 ? shorter : workload.longest());
    }
    if (workload.swapped()) {
      Collections.swap(lengths, 0, 1);
    }
    return new ClassicRequest(Operation.valueOf(operation.name()), ranked, true, lengths, UNIVERSE);
  }

  /** Of each profile: choices, and the mean error of both estimates. */
  private static final class Outcome {
    final byte[] profile;
    final CostModel costs;
    final PlannerRegret regret = new PlannerRegret();
    double errors;

    Outcome(DeviceProfile profile) {
      this.profile = new byte[profile.wireBytes().capacity()];
      profile.wireBytes().get(0, this.profile);
      costs = new CostModel(profile);
    }

    void add(ClassicModel model, ClassicRequest request, String label) {
      LeafEstimate estimate = ClassicEstimate.of(costs, request);
      double device = ns(model.play(profile, ModelSide.DEVICE));
      double host = ns(model.play(profile, ModelSide.HOST));
      regret.add(new PlannerRegret.Choice(label, estimate, device, host));
      errors += Math.abs(estimate.deviceNs() / device - 1) / 2;
      errors += Math.abs(estimate.hostNs() / host - 1) / 2;
    }
  }

  @Test
  void classicProgramsUnderEveryProfile() throws IOException {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (String name : Profiles.names()) {
      // The estimate is of programs that load one page after the other.
      DeviceProfile profile = Profiles.load(name).with("device.program_read_ahead", 0, "a test");
      outcomes.put(name, new Outcome(profile.with("host.read_ahead", 0, "a test")));
    }
    for (Workload workload : workloads()) {
      for (Operation operation : Operation.values()) {
        boolean two = workload.lists() == 2;
        boolean ordered = operation == Operation.DIFFERENCE;
        if (ordered ? !two : workload.swapped()) {
          continue;
        }
        for (boolean ranked : new boolean[] {false, true}) {
          ClassicRequest request = request(workload, operation, ranked);
          try (ClassicModel model = ClassicModel.record(workload, operation, ranked, true, 0)) {
            String label = operation + (ranked ? " ranked " : " ") + request.lengths();
            outcomes.values().forEach(outcome -> outcome.add(model, request, label));
          }
        }
      }
    }
    outcomes.forEach(
        (name, outcome) -> {
          PlannerRegret regret = outcome.regret;
          double error = outcome.errors / regret.choices().size();
          String what =
              String.format(
                  Locale.ROOT,
                  "%s: %d choices, %d wrong, regret mean %.4f, worst %.4f (%s), error %.3f",
                  name,
                  regret.choices().size(),
                  regret.wrong(),
                  regret.mean(),
                  regret.worst().regret(),
                  regret.worst().label(),
                  error);
          System.out.println(what);
          assertTrue(regret.mean() <= MAX_MEAN, what);
          assertTrue(error <= MAX_ERROR, what);
        });
  }

  /** The one that the paper gives as a warning: the device would take several times as long. */
  @Test
  void theDifferenceThatTheDeviceLoses() throws IOException {
    Workload workload = new Workload(2, 327_680, 100, 10_000, UNIVERSE, 3, true);
    Outcome outcome = new Outcome(Profiles.load("smart-ssd-sas"));
    try (ClassicModel model = ClassicModel.record(workload, Operation.DIFFERENCE, false, true, 0)) {
      outcome.add(model, request(workload, Operation.DIFFERENCE, false), "skew 0.01");
    }
    PlannerRegret.Choice choice = outcome.regret.worst();
    assertTrue(choice.deviceNs() > 1.5 * choice.hostNs(), choice.toString());
    assertTrue(!choice.estimate().prefersDevice(), choice.toString());
  }
}
