/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** Runs the experiments of Summarizer, and compares. */
public final class TaskStudy {
  private static final String GAINS = "section 6.3";

  private final DeviceProfile profile;
  private final TaskText text;
  private final Consumer<String> progress;
  private final TaskLab lab;
  private final int tablePages;
  private final Map<String, Outcome> hosts = new LinkedHashMap<>();
  private final Map<String, Outcome> devices = new LinkedHashMap<>();
  private final Map<String, Outcome> dynamics = new LinkedHashMap<>();
  private final Map<String, Outcome> handCoded = new LinkedHashMap<>();
  private TaskWorkloads workloads;
  private TaskTables tables;

  /**
   * Prepares a run.
   *
   * @param profile device and host
   * @param text records of the similarity join
   * @param progress is told what runs
   * @throws IllegalArgumentException if the profile gives no cost to what the queries do
   */
  public TaskStudy(DeviceProfile profile, TaskText text, Consumer<String> progress) {
    this(profile, text, progress, TaskLab.PAGES, LineItem.PAGES);
  }

  /** Says what the profile does not give and the queries need; null if it gives all. */
  public static String missing(DeviceProfile profile) {
    for (String path : TaskFit.costs()) {
      if (profile.get(path) == 0) {
        return Papers.TASKS
            + " needs "
            + path
            + ", which profile "
            + profile.name()
            + " leaves out; without it a row, a value or a token takes no time";
      }
    }
    return null;
  }

  /** With other lengths than the report's. */
  TaskStudy(
      DeviceProfile profile, TaskText text, Consumer<String> progress, int pages, int tablePages) {
    String missing = missing(profile);
    if (missing != null) {
      throw new IllegalArgumentException(missing);
    }
    this.profile = profile;
    this.text = text;
    this.progress = progress;
    this.tablePages = tablePages;
    lab = new TaskLab(pages);
  }

  /**
   * Runs.
   *
   * @throws IOException if the model refuses a run, or the published figures cannot be read
   */
  public PaperReport run() throws IOException {
    progress.accept("s3: queries 1, 6, 14 and the similarity join");
    workloads = new TaskWorkloads(text.titles(), tablePages);
    tables = new TaskTables(profile, workloads, lab);
    try {
      for (Workload workload : workloads.all()) {
        hosts.put(workload.name(), lab.steady(profile, workload, Mode.HOST));
        devices.put(workload.name(), lab.steady(profile, workload, Mode.DEVICE));
        dynamics.put(workload.name(), lab.steady(profile, workload, Mode.DYNAMIC));
        handCoded.put(workload.name(), lab.steady(profile, workload, Mode.HAND_CODED));
      }
      return report();
    } finally {
      lab.close();
    }
  }

  private PaperReport report() throws IOException {
    String name = profile.name();
    Map<String, Double> values = values();
    progress.accept("s3: static shares, bandwidths, computing power");
    List<Table> sections = new ArrayList<>(tables.all());
    return new PaperReport(
        Papers.TASKS,
        "Summarizer: pages that device and host share (Koo et al., MICRO 2017)",
        name,
        profile.title(),
        notes(),
        PaperReport.fitted(profile, TaskFit.paths()),
        PaperReport.compare(Papers.TASKS, name, values, TaskReasons.KNOWN),
        PaperReport.judge(Papers.TASKS, name, trends(), TaskReasons.KNOWN),
        sections,
        List.of());
  }

  private List<String> notes() {
    return List.of(
        "TPC-H's queries run over a table drawn as the benchmark says, at the paper's scale factor"
            + " of 0.1, "
            + tablePages
            + " pages; the join over "
            + workloads.join().size()
            + " records ("
            + text.name()
            + "), "
            + workloads.join().pages()
            + " pages, as many of them queries ("
            + workloads.queries()
            + ") as make a page the work that table 2 gives. What was done with each page is"
            + " played; pages are repeated in turn. Gains are those of the steady state: what "
            + lab.pages()
            + " pages more take after the first "
            + lab.pages()
            + ".",
        "As in the paper's bars, the host computes after the last page has come. A further table"
            + " has a host that computes meanwhile.",
        "Not in the paper: absolute bandwidths and times, the length of the task queue (here "
            + TaskLab.SLOTS
            + " places; a table shows that it does not matter), the size of a page (of 4 to 16 KB"
            + " here 16), which host cores compute (here one). The values of figures 5 to 7 are in"
            + " lost plots, so bars are modelled, and compared in words only.",
        "The paper says +20.3 % of query 14, which needs flash of at least 1.2 times the external"
            + " bandwidth, and +94.5 % with 16 times the power, which needs at most 1.14. The"
            + " profile has a compromise.");
  }

  private Outcome host(Workload workload) {
    return hosts.get(workload.name());
  }

  private Outcome dynamic(Workload workload) {
    return dynamics.get(workload.name());
  }

  private double gain(Workload workload) {
    return dynamic(workload).gainPct(host(workload));
  }

  private Map<String, Double> values() throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    DeviceProfile clocks = TaskFit.ofClocksAlone(profile);
    DeviceProfile fast = TaskFit.faster(profile, 16);
    double mean = 0;
    double meanOfClocks = 0;
    double meanAt16 = 0;
    double slowest = 0;
    for (Workload workload : workloads.all()) {
      String id = workload.name().toLowerCase(Locale.ROOT);
      values.put("s3.r." + id, host(workload).hostMs() / host(workload).deviceMs());
      values.put("s3.dyn." + id, gain(workload));
      double at16 = lab.steady(fast, workload, Mode.DYNAMIC).gainPct(host(workload));
      values.put("s3.16." + id, at16);
      meanAt16 += at16 / workloads.all().size();
      slowest = Math.max(slowest, devices.get(workload.name()).ms() / dynamic(workload).ms());
    }
    for (LineItemQuery query : LineItemQuery.values()) {
      Workload workload = workloads.of(query);
      double queries = LineItemQuery.values().length;
      mean += gain(workload) / queries;
      Outcome played = lab.steady(clocks, workload, Mode.DYNAMIC);
      meanOfClocks += played.gainPct(host(workload)) / queries;
    }
    values.put("s3.dyn.mean", mean);
    values.put("s3.clocks.mean", meanOfClocks);
    values.put("s3.device", slowest);
    values.put("s3.16.mean", meanAt16);
    return values;
  }

  private List<Trend> trends() throws IOException {
    List<Trend> trends = new ArrayList<>();
    List<Workload> all = workloads.all();
    trends.add(
        trend(
            "dynamic placement beats host and device alone, in each workload",
            GAINS,
            all.stream().allMatch(w -> gain(w) > 0 && dynamic(w).ms() < devices.get(w.name()).ms()),
            all.stream().map(w -> w.name() + " " + TaskTables.pct(gain(w))).toList()));
    trends.addAll(tables.bestShares());
    trends.add(
        trend(
            TaskReasons.HAND_CODED,
            GAINS,
            all.stream()
                .allMatch(
                    w ->
                        handCoded.get(w.name()).ms() < devices.get(w.name()).ms()
                            && dynamic(w).ms() < handCoded.get(w.name()).ms()),
            all.stream()
                .map(
                    w ->
                        w.name()
                            + " "
                            + TaskTables.number(handCoded.get(w.name()).ms() / host(w).ms())
                            + " of the host's time")
                .toList()));
    double[] order = {
      gain(workloads.of(LineItemQuery.Q14)),
      gain(workloads.of(LineItemQuery.Q6)),
      gain(workloads.of(LineItemQuery.Q1)),
      gain(workloads.ofJoin())
    };
    boolean falls = order[0] > order[1] && order[1] > order[2] && order[2] > order[3];
    List<String> seen = new ArrayList<>();
    for (double gain : order) {
      seen.add(TaskTables.pct(gain));
    }
    trends.add(trend(TaskReasons.LESS_WITH_WORK, GAINS, falls, seen));
    List<String> shares =
        all.stream()
            .map(
                w -> {
                  double io = host(w).deviceMs() - dynamic(w).deviceMs();
                  return TaskTables.pct(100 * io / (host(w).ms() - dynamic(w).ms()));
                })
            .toList();
    boolean much =
        all.stream()
            .allMatch(
                w ->
                    host(w).deviceMs() - dynamic(w).deviceMs()
                        > (host(w).ms() - dynamic(w).ms()) / 3);
    trends.add(
        trend(
            "much of the gain comes from less I/O, not from the further core",
            GAINS,
            much,
            shares));
    trends.addAll(tables.growing());
    return trends;
  }

  static Trend trend(String text, String source, boolean holds, List<String> seen) {
    return new Trend(text, source, false, holds, String.join(", ", seen));
  }
}
