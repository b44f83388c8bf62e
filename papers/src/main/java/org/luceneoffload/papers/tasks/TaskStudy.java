/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.config.Placement;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** Runs the experiments of Summarizer, and compares. */
public final class TaskStudy implements Study {
  private static final String GAINS = "section 6.3";
  private static final double MIB = 1 << 20;

  private final TaskText text;
  private final int pages;
  private final double scale;

  /**
   * Prepares a run.
   *
   * @param text records of the similarity join
   */
  public TaskStudy(TaskText text) {
    this(text, TaskLab.PAGES, TpchTables.SCALE);
  }

  /** With other lengths than the report's. */
  TaskStudy(TaskText text, int pages, double scale) {
    this.text = text;
    this.pages = pages;
    this.scale = scale;
  }

  @Override
  public String paper() {
    return Papers.TASKS;
  }

  @Override
  public String missing(DeviceProfile profile) {
    return profile.missing(Papers.TASKS, TaskFit.costs());
  }

  @Override
  public Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException {
    return TaskFit.fit(profile, progress);
  }

  @Override
  public long inUse(DeviceProfile profile, String path) {
    return path.equals(TaskFit.COMPARISONS) ? TaskWorkloads.COMPARISONS_A_PAGE : profile.get(path);
  }

  @Override
  public PaperReport run(DeviceProfile profile, Progress progress) throws IOException {
    String missing = missing(profile);
    if (missing != null) {
      throw new IllegalArgumentException(missing);
    }
    progress.tell("s3: tables of TPC-H, queries 1, 6, 14 and the similarity join");
    TaskWorkloads workloads = new TaskWorkloads(text.titles(), scale);
    progress.tell("s3: LINEITEM as columns of an index");
    try (TaskLab lab = new TaskLab(pages);
        ColumnTable columns = new ColumnTable(new TpchTables(scale))) {
      TaskRuns runs = new TaskRuns(profile, workloads, lab);
      progress.tell("s3: static shares, bandwidths, computing power, costs");
      TaskBars bars = new TaskBars(runs);
      TaskSweeps sweeps = new TaskSweeps(runs);
      TaskCosts costs = new TaskCosts(runs);
      List<Trend> trends = trends(runs);
      trends.add(sameAnswers(workloads, columns));
      trends.addAll(bars.trends());
      trends.addAll(sweeps.trends());
      trends.addAll(costs.trends());
      List<Plot> plots = new ArrayList<>(bars.plots());
      plots.addAll(sweeps.plots());
      plots.add(costs.plot());
      boolean own = Papers.isOwn(Papers.TASKS, profile);
      return new PaperReport(
          Papers.TASKS,
          "Summarizer: pages that device and host share (Koo et al., MICRO 2017)",
          profile.name(),
          profile.title(),
          own,
          notes(workloads),
          calibrated(profile),
          PaperReport.compare(Papers.TASKS, own, values(runs, costs), TaskReasons.KNOWN),
          PaperReport.judge(own, trends, TaskReasons.KNOWN),
          tables(runs, bars, sweeps, costs, columns),
          plots);
    }
  }

  private static List<Calibrated> calibrated(DeviceProfile profile) {
    List<Calibrated> calibrated =
        new ArrayList<>(PaperReport.fitted(profile, TaskFit.profilePaths()));
    calibrated.add(
        new Calibrated(
            TaskFit.COMPARISONS,
            TaskWorkloads.COMPARISONS_A_PAGE,
            "comparisons",
            "computing over I/O of the join is 0.93 (table 2); as many query records as make it so"
                + " many"));
    return calibrated;
  }

  private static List<Table> tables(
      TaskRuns runs, TaskBars bars, TaskSweeps sweeps, TaskCosts costs, ColumnTable columns)
      throws IOException {
    List<Table> tables = new ArrayList<>();
    tables.add(bars.table());
    tables.add(formulas(runs));
    tables.addAll(sweeps.tables());
    tables.add(overlapped(runs));
    tables.addAll(costs.tables());
    tables.add(work(runs));
    tables.add(pairs(runs.workloads()));
    ListWindows windows = new ListWindows(runs);
    tables.add(windows.lists());
    tables.add(windows.columns(columns));
    return tables;
  }

  private List<String> notes(TaskWorkloads workloads) {
    return List.of(
        "TPC-H's queries run over LINEITEM and PART as the benchmark's generator makes them, at the"
            + " paper's scale factor of 0.1: "
            + workloads.of(TpchQuery.Q1).pages().size()
            + " and "
            + workloads.of(TpchQuery.Q14).build().size()
            + " pages of rows of 16 KB, stored on the simulated device; the join runs over "
            + workloads.records()
            + " records ("
            + text.name()
            + "), "
            + workloads.ofJoin().pages().size()
            + " pages, as many of them queries ("
            + workloads.queries()
            + ") as make a page the work that table 2 gives. The engine's programs over rows run"
            + " each page, whole and as a filter with its rest, and count what they do; that is"
            + " played. Pages are repeated in turn. Gains are those of the steady state: what "
            + pages
            + " pages more take after the first "
            + pages
            + ".",
        "Query 14 builds its hash table first, of all pages of PART: the side that probes does, and"
            + " the host if both do, which hands the entries to the device with INIT_TSK. The build"
            + " phase is charged to each page of LINEITEM by its share.",
        "As in the paper's bars, the host computes after the last page has come. A further table"
            + " has a host that computes meanwhile.",
        "Not in the paper: absolute bandwidths and times, the length of the task queue (here "
            + TaskLab.SLOTS
            + " places; a table shows what it matters), the size of a page (of 4 to 16 KB here 16),"
            + " which host cores compute (here one). The values of figures 5 to 8 are in lost"
            + " plots; those that the text gives are drawn in.",
        "The paper says +20.3 % of query 14, which needs flash of at least 1.2 times the external"
            + " bandwidth, and +94.5 % with 16 times the power, which needs at most 1.14. The"
            + " profile has a compromise.");
  }

  private Map<String, Double> values(TaskRuns runs, TaskCosts costs) throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    DeviceProfile profile = runs.profile();
    TaskRuns clocks = runs.on(TaskFit.ofClocksAlone(profile));
    TaskRuns fast = runs.on(TaskFit.faster(profile, 16));
    double slowest = 0;
    for (Workload workload : runs.all()) {
      String id = workload.name().toLowerCase(Locale.ROOT);
      Outcome host = runs.host(workload);
      values.put("s3.r." + id, host.hostMs() / host.deviceMs());
      values.put("s3.dyn." + id, runs.gain(workload));
      values.put("s3.16." + id, fast.dynamic(workload).gainPct(host));
      slowest = Math.max(slowest, runs.device(workload).ms() / runs.dynamic(workload).ms());
    }
    double mean = 0;
    double meanOfClocks = 0;
    for (TpchQuery query : TpchQuery.values()) {
      Workload workload = runs.workloads().of(query);
      double queries = TpchQuery.values().length;
      mean += runs.gain(workload) / queries;
      meanOfClocks += clocks.dynamic(workload).gainPct(runs.host(workload)) / queries;
    }
    values.put("s3.dyn.mean", mean);
    values.put("s3.clocks.mean", meanOfClocks);
    values.put("s3.device", slowest);
    double meanAt16 = costs.powerfulGain();
    values.put("s3.16.mean", meanAt16);
    values.put("s3.cost.equal", 1 + meanAt16 / 100);
    values.put("s3.firmware", costs.firmwarePct());
    values.put("s3.slack", TaskCosts.slackAsPrinted());
    values.put("s3.bytes", new TpchTables(TpchTables.SCALE).textBytes() / MIB);
    return values;
  }

  private static List<Trend> trends(TaskRuns runs) throws IOException {
    List<Trend> trends = new ArrayList<>();
    boolean beats = true;
    boolean much = true;
    List<String> gains = new ArrayList<>();
    List<String> shares = new ArrayList<>();
    for (Workload workload : runs.all()) {
      Outcome host = runs.host(workload);
      Outcome dynamic = runs.dynamic(workload);
      beats &= runs.gain(workload) > 0 && dynamic.ms() < runs.device(workload).ms();
      gains.add(workload.name() + " " + pct(runs.gain(workload)));
      double io = (host.deviceMs() - dynamic.deviceMs()) / (host.ms() - dynamic.ms());
      much &= io > 1.0 / 3;
      shares.add(workload.name() + " " + pct(100 * io));
    }
    trends.add(
        trend(
            "dynamic placement beats host and device alone, in each workload",
            GAINS,
            beats,
            gains));
    double[] order = {
      runs.gain(runs.workloads().of(TpchQuery.Q14)),
      runs.gain(runs.workloads().of(TpchQuery.Q6)),
      runs.gain(runs.workloads().of(TpchQuery.Q1)),
      runs.gain(runs.workloads().ofJoin())
    };
    boolean falls = order[0] > order[1] && order[1] > order[2] && order[2] > order[3];
    trends.add(trend(TaskReasons.LESS_WITH_WORK, GAINS, falls, gains));
    trends.add(
        trend(
            "much of the gain comes from less I/O, not from the further core",
            GAINS,
            much,
            shares));
    return trends;
  }

  /** Returns whether what is found does not depend on where, nor on what it is found over. */
  private static Trend sameAnswers(TaskWorkloads workloads, ColumnTable columns)
      throws IOException {
    boolean same = workloads.sidesAgree();
    for (TpchQuery query : TpchQuery.values()) {
      Map<Integer, long[]> rows = workloads.run(query).whole();
      for (Placement placement : List.of(Placement.STATIC, Placement.DYNAMIC, Placement.FILTER)) {
        same &= RowRun.same(rows, columns.run(query, placement));
      }
    }
    return trend(
        "device and host together find what one side alone finds",
        "section 3.3",
        same,
        List.of(
            "sums over rows, whole, shared and filtered; over columns, static, dynamic and"
                + " filtered"));
  }

  private static Table formulas(TaskRuns runs) throws IOException {
    Table table =
        Table.of(
                "Closed formulas",
                "While the link is the bottleneck, the device does f = 1 / (1 + s r) of the pages,"
                    + " and the gain is 1 / (s r): r is the host's work over its I/O, s what a core"
                    + " of the device is slower. Here the flash is so fast that it plays no part.")
            .text("workload")
            .number("r", "x")
            .number("s", "x")
            .number("f", "%")
            .number("modelled f", "%")
            .number("gain", "%")
            .number("modelled gain", "%");
    TaskRuns wide =
        runs.on(runs.profile().with("device.channel_bytes_per_s", 400_000_000, "an experiment"));
    for (Workload workload : runs.all()) {
      Outcome host = wide.host(workload);
      double product = wide.device(workload).ms() / host.deviceMs();
      double r = host.hostMs() / host.deviceMs();
      table.row(
          workload.name(),
          r,
          product / r,
          100 / (1 + product),
          100 * wide.dynamic(workload).onDevice(),
          100 / product,
          wide.gain(workload));
    }
    return table;
  }

  private static Table overlapped(TaskRuns runs) throws IOException {
    Table table =
        Table.of(
                "A host that computes while pages come",
                "Gains over such a host alone. With less work than I/O the host is done as soon as"
                    + " the last page has come, and a faster device cannot gain more than its flash"
                    + " is faster than the link. Not in the paper.")
            .text("workload")
            .number("gain", "%")
            .number("pages on the device", "%")
            .number("over the device alone", "x")
            .number("gain, power 16", "%");
    TaskRuns fast = runs.on(TaskFit.faster(runs.profile(), 16));
    for (Workload workload : runs.all()) {
      Outcome host = runs.of(workload, Mode.HOST.overlapped());
      Outcome dynamic = runs.of(workload, Mode.DYNAMIC.overlapped());
      table.row(
          workload.name(),
          dynamic.gainPct(host),
          100 * dynamic.onDevice(),
          runs.device(workload).ms() / dynamic.ms(),
          fast.of(workload, Mode.DYNAMIC.overlapped()).gainPct(host));
    }
    return table;
  }

  private static Table work(TaskRuns runs) {
    Table table =
        Table.of(
                "Work of a page",
                "What the engine's programs over rows count, on average: whole, as a filter, and"
                    + " what the filter leaves.")
            .text("workload")
            .text("program")
            .number("rows", "")
            .number("values", "")
            .number("tokens", "")
            .number("bytes to the host", "B");
    for (Workload workload : runs.all()) {
      double count = workload.pages().size();
      double bytes = workload.pages().stream().mapToLong(TaskPage::restBytes).sum() / count;
      row(table, workload, "whole", TaskPage::all, 0);
      row(table, workload, "filter", TaskPage::filter, bytes);
      row(table, workload, "rest", TaskPage::rest, 0);
    }
    return table;
  }

  private static void row(
      Table table,
      Workload workload,
      String program,
      Function<TaskPage, TaskPage.Work> of,
      double bytes) {
    double count = workload.pages().size();
    table.row(
        workload.name(),
        program,
        workload.pages().stream().map(of).mapToLong(TaskPage.Work::rows).sum() / count,
        workload.pages().stream().map(of).mapToLong(TaskPage.Work::values).sum() / count,
        workload.pages().stream().map(of).mapToLong(TaskPage.Work::tokens).sum() / count,
        bytes);
  }

  private static Table pairs(TaskWorkloads workloads) {
    return Table.of(
            "Similarity join",
            "Records that have at least "
                + JoinRecords.THRESHOLD_PCT
                + " % of the shorter one in common. The algorithm as printed loses pairs: its"
                + " prefix is too short if the other record is shorter, and it compares only the"
                + " beginning of the longer one. The workload is the algorithm as printed.")
        .number("records", "")
        .number("query records", "")
        .number("pairs as printed", "")
        .number("pairs", "")
        .row(workloads.records(), workloads.queries(), workloads.pairs(), workloads.exactPairs());
  }

  static String pct(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  static String times(double value) {
    return String.format(Locale.ROOT, "%.2f x", value);
  }

  static Trend trend(String text, String source, boolean holds, List<String> seen) {
    return new Trend(text, source, false, holds, String.join(", ", seen));
  }
}
