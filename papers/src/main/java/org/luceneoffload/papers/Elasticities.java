/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.model.ProfileValue;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;

/** How sensitive the figures of a paper are to each number of the profile. */
final class Elasticities {
  private static final int SHOWN = 10;

  /** By this share a number is raised, at least by 1. */
  private static final double STEP = 0.05;

  private Elasticities() {}

  /**
   * Runs a paper once as the profile is, and once for each number; tells how long that will take
   * before it does the second.
   *
   * @param prefix of the paths of the numbers; empty: all of them
   */
  static PaperReport run(Study study, DeviceProfile profile, String prefix, Progress progress)
      throws IOException {
    Map<String, DeviceProfile> raised = raised(profile, prefix);
    progress.tell(raised.size() + " numbers, a run each, after one of the profile as it is");
    PaperReport own = study.run(profile, progress);
    int runs = raised.size() + 1;
    progress.tell("the profile as it is, again", 0, runs);
    study.run(profile, Progress.NONE); // what is kept from the first run is not made again
    Map<String, List<Double>> elasticities = new LinkedHashMap<>();
    for (Map.Entry<String, DeviceProfile> each : raised.entrySet()) {
      progress.tell(each.getKey(), elasticities.size() + 1, runs);
      PaperReport other = study.run(each.getValue(), Progress.NONE);
      double step =
          Math.log((double) each.getValue().get(each.getKey()) / profile.get(each.getKey()));
      elasticities.put(
          each.getKey(),
          own.figures().stream()
              .map(f -> elasticity(f.modelled(), other.modelled(f.published().id()), step))
              .toList());
    }
    return new PaperReport(
        own.paper(),
        own.title() + ", elasticities",
        profile.name(),
        profile.title(),
        own.ofItsDevice(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(table(own.figures(), elasticities, study.workload())),
        List.of());
  }

  /** Returns the elasticity of a figure; 0 if it is 0 and stays so. */
  private static double elasticity(double before, double after, double step) {
    return before == after ? 0 : Math.log(after / before) / step;
  }

  /** Returns the profile with one number raised, for each that can be. */
  private static Map<String, DeviceProfile> raised(DeviceProfile profile, String prefix) {
    Map<String, DeviceProfile> raised = new LinkedHashMap<>();
    for (Map.Entry<String, ProfileValue> each : profile.values().entrySet()) {
      long value = each.getValue().value();
      boolean choice = each.getValue().unit().contains("=");
      if (value > 0 && !choice && each.getKey().startsWith(prefix)) {
        long more = Math.max(value + 1, Math.round(value * (1 + STEP)));
        try {
          raised.put(
              each.getKey(), Profiles.change(profile, Map.of(each.getKey(), more), "raised"));
        } catch (ProfileException e) {
          // It is bound to another number, or at its bound.
        }
      }
    }
    return raised;
  }

  private static Table table(
      List<Figure> figures, Map<String, List<Double>> elasticities, String workload) {
    Comparator<Map.Entry<String, List<Double>>> bySum =
        Comparator.comparingDouble(e -> -e.getValue().stream().mapToDouble(Math::abs).sum());
    List<Map.Entry<String, List<Double>>> most =
        elasticities.entrySet().stream().sorted(bySum).limit(SHOWN).toList();
    Table table =
        Table.of(
                "Elasticities",
                "By how many percent a figure changes if a number of the profile grows by one"
                    + " percent: the "
                    + most.size()
                    + " numbers that move the figures most, of "
                    + elasticities.size()
                    + ". Each was raised by 5 %, a small count by 1. "
                    + workload)
            .text("figure");
    most.forEach(e -> table.number(e.getKey(), ""));
    for (int i = 0; i < figures.size(); i++) {
      List<Object> row = new ArrayList<>();
      row.add(figures.get(i).published().id());
      for (Map.Entry<String, List<Double>> each : most) {
        row.add(each.getValue().get(i));
      }
      table.row(row.toArray());
    }
    return table;
  }
}
