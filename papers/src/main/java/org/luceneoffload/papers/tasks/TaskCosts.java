/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** Use of the parts, the slack of a core (section 2.2), and what speed costs (section 6.6). */
final class TaskCosts {
  /** Section 6.6: four times the CoreMark rating costs less than this, in dollars. */
  private static final double CORE_DOLLARS = 20;

  /** Section 6.6: twice the performance of a desktop processor costs about this, in dollars. */
  private static final double HOST_DOLLARS = 150;

  private static final int STEP = 4;
  private static final double HOUR_MS = 3.6e6;
  private static final double KWH_MJ = 3.6e9;

  /** Section 2.2: the paper's example of the slack rule. */
  private static final double READ_SECONDS = 20e-6;

  private static final double INSTRUCTIONS_A_SECOND = 4e8;
  private static final double BANKS = 32;
  private static final double FLASH_PAGE_BYTES = 8192;

  private static final int DEEP_READS = 4096;

  private final TaskRuns runs;
  private final TaskRuns powerful;
  private final TaskRuns doubled;

  TaskCosts(TaskRuns runs) {
    DeviceProfile profile = runs.profile();
    this.runs = runs;
    powerful = runs.on(TaskFit.faster(profile, STEP * STEP));
    doubled =
        runs.on(profile.with("host.core_hz", 2 * profile.get("host.core_hz"), "an experiment"));
  }

  /** Returns the slack rule as the paper prints it, with the numbers of its example. */
  static double slackAsPrinted() {
    return READ_SECONDS * INSTRUCTIONS_A_SECOND / (BANKS * FLASH_PAGE_BYTES);
  }

  /**
   * Returns the share of the time for which the controllers of the device are in use while it reads
   * as much as its flash gives, with 4,096 reads under way, in percent.
   */
  double firmwarePct() throws ProfileException {
    DeviceProfile deep = runs.profile().with("device.link_queue_depth", DEEP_READS, "section 2.2");
    Workload any = runs.all().get(0);
    Outcome read = runs.lab().steady(deep, any, Mode.HOST.overlapped(), 2 * DEEP_READS);
    return read.busyMs().get("firmware")
        / read.deviceMs()
        * 100
        / runs.profile().get("device.firmware_count");
  }

  List<Table> tables() throws ProfileException {
    return List.of(use(), slack(), costs());
  }

  private Table use() throws ProfileException {
    DeviceProfile profile = runs.profile();
    Table table =
        Table.of(
                "Use of the parts",
                "Share of the time for which link, flash channels, firmware, the device's core for"
                    + " programs and a host core are in use, and what all takes on average. Power"
                    + " is made of estimates: it shows directions.")
            .text("workload")
            .text("mode")
            .number("link", "%")
            .number("channels", "%")
            .number("firmware", "%")
            .number("device core", "%")
            .number("host core", "%")
            .number("power", "W");
    for (Workload workload : runs.all()) {
      for (Mode mode : List.of(Mode.HOST, Mode.DEVICE, Mode.DYNAMIC, Mode.HAND_CODED)) {
        Outcome played = runs.of(workload, mode);
        table.row(
            workload.name(),
            mode.name(),
            played.usePct("link", 1),
            played.usePct("channel", profile.get("device.flash_channels")),
            played.usePct("firmware", profile.get("device.firmware_count")),
            played.usePct("core", profile.get("device.core_count")),
            played.usePct("host_core", 1),
            played.energyMj() / played.ms());
      }
    }
    return table;
  }

  private Table slack() throws ProfileException {
    DeviceProfile profile = runs.profile();
    double hz = profile.get("device.core_hz");
    Table table =
        Table.of(
                "Slack of a core (section 2.2)",
                "What a core may do with each byte that is read, if reading is not to wait. The"
                    + " paper's rule is t n m / (b p): a read of t takes b channels, in which time"
                    + " a core executes t n instructions, m cores m times as many; a page has p"
                    + " bytes. With its own numbers (t = 20 us, n = 4e8, m = 1, b = 32, p = 8 KB)"
                    + " that is 0.03 instructions a byte, and not the 1 that the text gives, which"
                    + " leaves out the channels. Below: the clock of the board's core over the"
                    + " rates of its parts; then what the workloads ask for.")
            .text("what")
            .number("a byte", "")
            .text("unit");
    table.row("the paper's example, as its rule is printed", slackAsPrinted(), "instructions");
    table.row("the same without the channels", slackAsPrinted() * BANKS, "instructions");
    double flash = profile.get("device.flash_channels") * profile.get("device.channel_bytes_per_s");
    table.row("the board, at the rate of its flash", hz / flash, "cycles");
    table.row(
        "the board, at the rate of its link",
        hz / profile.get("device.link_bytes_per_s"),
        "cycles");
    for (Workload workload : runs.all()) {
      Outcome played = runs.device(workload);
      double cycles = played.busyMs().get("core") / 1e3 * hz / played.pages();
      table.row(workload.name(), cycles / workload.pages().get(0).bytes(), "cycles");
    }
    return table;
  }

  private Table costs() throws ProfileException {
    Table table =
        Table.of(
                "Cost effectiveness (section 6.6)",
                "The paper's prices: four times the rating of an ARM core costs less than 20"
                    + " dollars, so sixteen times twice that; twice the performance of a desktop"
                    + " processor about 150. Queries are those over a table of the paper's size."
                    + " Power is made of estimates.")
            .text("workload")
            .text("system")
            .number("added price", "$")
            .number("gain", "%")
            .number("gain for 100 dollars", "%")
            .number("queries an hour", "")
            .number("power", "W")
            .number("queries a kWh", "");
    for (Workload workload : runs.all()) {
      row(table, workload, "host alone", 0, runs.host(workload));
      row(table, workload, "host of twice the power", HOST_DOLLARS, doubled.host(workload));
      row(table, workload, "dynamic", 0, runs.dynamic(workload));
      row(
          table,
          workload,
          "dynamic, 16 times the power",
          2 * CORE_DOLLARS,
          powerful.dynamic(workload));
    }
    return table;
  }

  private void row(Table table, Workload workload, String system, double dollars, Outcome played)
      throws ProfileException {
    double gain = played.gainPct(runs.host(workload));
    double queryMs = played.ms() / played.pages() * workload.pages().size();
    double queryMj = played.energyMj() / played.pages() * workload.pages().size();
    table.row(
        workload.name(),
        system,
        dollars,
        gain,
        dollars == 0 ? null : 100 * gain / dollars,
        HOUR_MS / queryMs,
        played.energyMj() / played.ms(),
        KWH_MJ / queryMj);
  }

  private static double meanGain(TaskRuns after, TaskRuns before, Mode mode)
      throws ProfileException {
    double sum = 0;
    for (Workload workload : before.all()) {
      sum += after.of(workload, mode).gainPct(before.host(workload));
    }
    return sum / before.all().size();
  }

  /** Returns the mean gain with sixteen times the power, in percent. */
  double powerfulGain() throws ProfileException {
    return meanGain(powerful, runs, Mode.DYNAMIC);
  }

  Plot plot() throws ProfileException {
    TaskRuns four = runs.on(TaskFit.faster(runs.profile(), STEP));
    return Plot.of(
            "Figure 8: added price and gain",
            "Mean gain of the four workloads, by what the better processor costs more. The paper's"
                + " points: its mean gain at the price of two steps of an ARM core; a host that"
                + " doubles, were there no I/O.",
            new Axis("added price", "$", false),
            new Axis("mean gain", "%", false))
        .add(
            new Series(
                "core of the device, 1, 4 and 16 times",
                Mark.LINE,
                false,
                List.of(0.0, CORE_DOLLARS, 2 * CORE_DOLLARS),
                List.of(
                    meanGain(runs, runs, Mode.DYNAMIC),
                    meanGain(four, runs, Mode.DYNAMIC),
                    powerfulGain())))
        .add(
            new Series(
                "host, 1 and 2 times",
                Mark.LINE,
                false,
                List.of(0.0, HOST_DOLLARS),
                List.of(0.0, meanGain(doubled, runs, Mode.HOST))))
        .add(
            new Series(
                "in the paper",
                Mark.POINTS,
                true,
                List.of(2 * CORE_DOLLARS, HOST_DOLLARS),
                List.of(94.5, 100.0)));
  }

  List<Trend> trends() throws ProfileException {
    double device = powerfulGain() / (2 * CORE_DOLLARS);
    double host = meanGain(doubled, runs, Mode.HOST) / HOST_DOLLARS;
    List<String> seen = new ArrayList<>();
    seen.add(TaskStudy.pct(device) + " a dollar");
    seen.add(TaskStudy.pct(host) + " a dollar");
    return List.of(
        TaskStudy.trend(
            "a more powerful core in the device gains more for its price than a better host",
            "section 6.6, figure 8",
            device > host,
            seen));
  }
}
