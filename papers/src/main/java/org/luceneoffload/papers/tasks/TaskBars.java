/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** Figure 5: static shares, dynamic placement and hand-coded filters. */
final class TaskBars {
  private static final int PPM = 1_000_000;
  private static final int TENTHS = 10;
  private static final String BARS = "section 6.3, figure 5";

  /** Gains of dynamic placement that the text gives, by workload. */
  private static final Map<String, Double> PUBLISHED =
      Map.of("Q1", 10.3, "Q6", 16.4, "Q14", 20.3, "join", 6.9);

  private final TaskRuns runs;
  private final Table table =
      Table.of(
              "Static shares, dynamic placement and hand-coded filters (figure 5)",
              "Time of a workload over that of the host alone; 0 and 1 are the host and the device"
                  + " alone. SSD time passes until the last page or answer has come, host time"
                  + " after that.")
          .text("workload")
          .text("share")
          .number("SSD time", "x")
          .number("host time", "x")
          .number("both", "x")
          .number("pages on the device", "%");

  private final List<Plot> plots = new ArrayList<>();

  /** Best static share of the pages, in tenths, by workload; and its gain. */
  private final Map<String, Integer> best = new LinkedHashMap<>();

  private final Map<String, Double> bestGain = new LinkedHashMap<>();
  private final List<String> lessThanBest = new ArrayList<>();

  /** Plays all bars. */
  TaskBars(TaskRuns runs) throws ProfileException {
    this.runs = runs;
    for (Workload workload : runs.all()) {
      bars(workload);
    }
  }

  private void bars(Workload workload) throws ProfileException {
    List<String> names = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    for (int tenths = 0; tenths <= TENTHS; tenths++) {
      Outcome played = runs.of(workload, Mode.fixed(tenths * PPM / TENTHS));
      names.add(tenths == TENTHS ? "1" : tenths == 0 ? "0" : "0." + tenths);
      outcomes.add(played);
      double gain = played.gainPct(runs.host(workload));
      if (gain > bestGain.getOrDefault(workload.name(), Double.NEGATIVE_INFINITY)) {
        bestGain.put(workload.name(), gain);
        best.put(workload.name(), tenths);
      }
    }
    names.addAll(List.of("DYN", "HD"));
    outcomes.addAll(List.of(runs.dynamic(workload), runs.handCoded(workload)));
    if (runs.gain(workload) < bestGain.get(workload.name())) {
      lessThanBest.add(workload.name());
    }
    double all = runs.host(workload).ms();
    for (int i = 0; i < names.size(); i++) {
      Outcome played = outcomes.get(i);
      table.row(
          workload.name(),
          names.get(i),
          played.deviceMs() / all,
          played.hostMs() / all,
          played.ms() / all,
          100 * played.onDevice());
    }
    plots.add(plot(workload, names, outcomes, all));
  }

  private static Plot plot(
      Workload workload, List<String> names, List<Outcome> outcomes, double all) {
    Double[] published = new Double[names.size()];
    published[0] = 1.0;
    published[names.indexOf("DYN")] = 100 / (100 + PUBLISHED.get(workload.name()));
    return Plot.of(
            "Figure 5: " + workload.name(),
            "Time over that of the host alone, by the share of pages that the host marks for the"
                + " device; the paper's text gives that of DYN.",
            new Axis("share on the device", "", false),
            new Axis("time over the host's", "x", false),
            names)
        .add("SSD time", Mark.BARS, outcomes.stream().map(o -> o.deviceMs() / all).toList())
        .add("host time", Mark.BARS, outcomes.stream().map(o -> o.hostMs() / all).toList())
        .add("both", Mark.LINE, outcomes.stream().map(o -> o.ms() / all).toList())
        .published("both, in the paper", Arrays.asList(published));
  }

  Table table() {
    return table;
  }

  List<Plot> plots() {
    return plots;
  }

  /** Returns what the bars show. */
  List<Trend> trends() throws ProfileException {
    List<String> shares = new ArrayList<>();
    List<Double> onDevice = new ArrayList<>();
    for (Workload workload : runs.all()) {
      double share = runs.dynamic(workload).onDevice();
      onDevice.add(share);
      shares.add(workload.name() + " " + TaskStudy.pct(100 * share));
    }
    double least = Collections.min(onDevice);
    double most = Collections.max(onDevice);
    List<String> gains = new ArrayList<>();
    best.forEach(
        (name, tenths) ->
            gains.add(name + " " + tenths + "/10 (" + TaskStudy.pct(bestGain.get(name)) + ")"));
    List<Trend> trends = new ArrayList<>();
    trends.add(
        TaskStudy.trend(
            "the best division lies between host and device, and differs from workload to workload",
            BARS,
            least > 0 && most < 1 && most > 2 * least,
            shares));
    trends.add(
        TaskStudy.trend(
            "no static share is better than dynamic placement",
            BARS,
            lessThanBest.isEmpty(),
            gains));
    trends.addAll(handCoded());
    return trends;
  }

  /** Returns what the paper says of hand-coded filters. */
  private List<Trend> handCoded() throws ProfileException {
    boolean overHost = true;
    boolean overStatic = true;
    boolean underDynamic = true;
    List<String> ofHost = new ArrayList<>();
    List<String> ofStatic = new ArrayList<>();
    for (Workload workload : runs.all()) {
      double time = runs.handCoded(workload).ms();
      double large = runs.of(workload, Mode.fixed(9 * PPM / TENTHS)).ms();
      overHost &= time < runs.host(workload).ms();
      overStatic &= time < large && time < runs.device(workload).ms();
      underDynamic &= time > runs.dynamic(workload).ms();
      ofHost.add(workload.name() + " " + TaskStudy.times(time / runs.host(workload).ms()));
      ofStatic.add(
          workload.name()
              + " "
              + TaskStudy.times(time / runs.device(workload).ms())
              + " and "
              + TaskStudy.times(time / large));
    }
    return List.of(
        TaskStudy.trend(TaskReasons.OVER_BASELINE, "section 5", overHost, ofHost),
        TaskStudy.trend(TaskReasons.OVER_STATIC, BARS, overStatic, ofStatic),
        TaskStudy.trend(
            "hand-coded filters are worse than dynamic placement", BARS, underDynamic, ofHost));
  }
}
