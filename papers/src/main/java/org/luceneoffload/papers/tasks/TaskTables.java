/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** The paper's bars and sweeps, and some of our own, as tables. */
final class TaskTables {
  private static final int PPM = 1_000_000;
  private static final int TENTHS = 10;
  private static final int[] POWERS = {1, 2, 4, 8, 16};
  private static final int[] RATIOS = {1, 2, 4, 8};
  private static final int[] PLACES = {1, 2, 4, 8, 16, 32};
  private static final int LONGER = 2;
  private static final int MANY_CORES = 16;
  private static final int BAR = 24;
  private static final double MAX_BAR = 2;
  private static final String BARS = "section 6.3, figure 5";
  private static final String LINK = "device.link_bytes_per_s";

  private final DeviceProfile profile;
  private final TaskWorkloads workloads;
  private final TaskLab lab;
  private final List<Table> sections = new ArrayList<>();

  /** Best share of the static mode, in tenths, by workload. */
  private final Map<String, Integer> best = new LinkedHashMap<>();

  /** Share of the pages that the device does under dynamic placement, by workload. */
  private final Map<String, Double> onDevice = new LinkedHashMap<>();

  private final Map<String, Double> bestGain = new LinkedHashMap<>();
  private final List<String> lessThanBest = new ArrayList<>();
  private List<String> meansOfRatios = List.of();
  private List<String> meansOfPowers = List.of();
  private boolean ratiosGrow;
  private boolean powersGrow;

  TaskTables(DeviceProfile profile, TaskWorkloads workloads, TaskLab lab) {
    this.profile = profile;
    this.workloads = workloads;
    this.lab = lab;
  }

  /** Runs and returns all tables. */
  List<Table> all() throws IOException {
    bars();
    formulas();
    ratios();
    powers();
    places();
    overlapped();
    pairs();
    sections.add(new ListWindows(profile, lab).section());
    return sections;
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }

  static String pct(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  private static String bar(double part) {
    int length = (int) Math.round(Math.min(part, MAX_BAR) / MAX_BAR * BAR);
    return "#".repeat(length) + (part > MAX_BAR ? ">" : "");
  }

  private void bars() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (Workload workload : workloads.all()) {
      Outcome host = lab.steady(profile, workload, Mode.HOST);
      Outcome dynamic = lab.steady(profile, workload, Mode.DYNAMIC);
      for (int tenths = 0; tenths <= TENTHS; tenths++) {
        Outcome played = lab.steady(profile, workload, Mode.fixed(tenths * PPM / TENTHS));
        rows.add(row(workload, number((double) tenths / TENTHS), played, host));
        if (played.gainPct(host) > bestGain.getOrDefault(workload.name(), -1e9)) {
          bestGain.put(workload.name(), played.gainPct(host));
          best.put(workload.name(), tenths);
        }
      }
      rows.add(row(workload, "DYN", dynamic, host));
      rows.add(row(workload, "HD", lab.steady(profile, workload, Mode.HAND_CODED), host));
      onDevice.put(workload.name(), dynamic.onDevice());
      if (dynamic.gainPct(host) < bestGain.get(workload.name())) {
        lessThanBest.add(workload.name());
      }
    }
    sections.add(
        Table.ofText(
            "Static shares, dynamic placement and hand-coded filters (figure 5)",
            "Time of a workload, of the host's alone; 0 and 1 are the host and the device alone."
                + " SSD time passes until the last page or answer has come, host time after that.",
            List.of(
                "workload",
                ">share",
                ">SSD time",
                ">host time",
                ">both",
                ">pages on the device",
                "both, up to 2"),
            rows));
  }

  private static List<String> row(Workload workload, String share, Outcome played, Outcome host) {
    double all = host.ms();
    return List.of(
        workload.name(),
        share,
        number(played.deviceMs() / all),
        number(played.hostMs() / all),
        number(played.ms() / all),
        pct(100 * played.onDevice()),
        bar(played.ms() / all));
  }

  private void formulas() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    DeviceProfile wide = profile.with("device.channel_bytes_per_s", 400_000_000, "an experiment");
    for (Workload workload : workloads.all()) {
      Outcome host = lab.steady(wide, workload, Mode.HOST);
      Outcome device = lab.steady(wide, workload, Mode.DEVICE);
      Outcome dynamic = lab.steady(wide, workload, Mode.DYNAMIC);
      double product = device.ms() / host.deviceMs();
      rows.add(
          List.of(
              workload.name(),
              number(host.hostMs() / host.deviceMs()),
              number(product / (host.hostMs() / host.deviceMs())),
              pct(100 / (1 + product)),
              pct(100 * dynamic.onDevice()),
              pct(100 / product),
              pct(dynamic.gainPct(host))));
    }
    sections.add(
        Table.ofText(
            "Closed formulas",
            "While the link is the bottleneck, the device does f = 1 / (1 + s r) of the pages, and"
                + " the gain is 1 / (s r): r is the host's work over its I/O, s what a core of the"
                + " device is slower. Here the flash is so fast that it plays no part.",
            List.of("workload", ">r", ">s", ">f", ">modelled", ">gain", ">modelled"),
            rows));
  }

  private List<String> gains(String first, DeviceProfile device, DeviceProfile before, Mode mode)
      throws IOException {
    List<String> row = new ArrayList<>();
    row.add(first);
    double sum = 0;
    for (Workload workload : workloads.all()) {
      double gain =
          lab.steady(device, workload, mode).gainPct(lab.steady(before, workload, Mode.HOST));
      sum += gain;
      row.add(pct(gain));
    }
    double mean = sum / workloads.all().size();
    row.add(pct(mean));
    row.add(bar(mean / 100));
    return row;
  }

  private List<String> headings(String first) {
    List<String> headings = new ArrayList<>();
    headings.add(first);
    workloads.all().forEach(workload -> headings.add(">" + workload.name()));
    headings.add(">mean");
    headings.add("mean, up to 200 %");
    return headings;
  }

  private static double mean(List<String> row) {
    String text = row.get(row.size() - 2);
    return Double.parseDouble(text.substring(0, text.indexOf(' ')));
  }

  private static List<String> means(List<List<String>> rows) {
    return rows.stream().map(row -> row.get(row.size() - 2)).toList();
  }

  private static boolean grows(List<List<String>> rows) {
    boolean grows = true;
    for (int i = 1; i < rows.size(); i++) {
      grows &= mean(rows.get(i)) >= mean(rows.get(i - 1));
    }
    return grows;
  }

  private void ratios() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    long internal = 2 * profile.get(LINK);
    for (int ratio : RATIOS) {
      DeviceProfile device = profile.with(LINK, internal / ratio, "an experiment");
      rows.add(gains(ratio + "", device, device, Mode.DYNAMIC));
    }
    ratiosGrow = grows(rows);
    meansOfRatios = means(rows);
    sections.add(
        Table.ofText(
            "Internal over external bandwidth (figure 6)",
            "Gain of dynamic placement over the host alone on the same link. The link between flash"
                + " controller and cores stays as it is, that to the host becomes narrower; the"
                + " board has 2.",
            headings(">ratio"),
            rows));
  }

  private void powers() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (int power : POWERS) {
      rows.add(gains(power + "", TaskFit.faster(profile, power), profile, Mode.DYNAMIC));
    }
    powersGrow = grows(rows);
    meansOfPowers = means(rows);
    DeviceProfile cores = profile.with("device.core_count", MANY_CORES, "an experiment");
    Mode places = Mode.DYNAMIC.withSlots(2 * MANY_CORES);
    rows.add(gains(MANY_CORES + " cores", cores, profile, places));
    sections.add(
        Table.ofText(
            "Computing power of the device (figure 7)",
            "Gain of dynamic placement over the host alone: the clock of one core times 1 to 8, two"
                + " cores at eight times the clock, and sixteen cores at the board's clock with two"
                + " places each in the queue: a core without a page does nothing.",
            headings(">power"),
            rows));
  }

  private void places() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (int places : PLACES) {
      List<String> row = new ArrayList<>();
      row.add(places + "");
      for (Workload workload : workloads.all()) {
        Mode mode = Mode.DYNAMIC.withSlots(places);
        row.add(
            pct(
                lab.steady(profile, workload, mode, LONGER * lab.pages())
                    .gainPct(lab.steady(profile, workload, Mode.HOST))));
        row.add(
            pct(
                lab.play(profile, workload, mode, LineItem.PAGES)
                    .gainPct(lab.play(profile, workload, Mode.HOST, LineItem.PAGES))));
      }
      rows.add(row);
    }
    List<String> headings = new ArrayList<>();
    headings.add(">places");
    for (Workload workload : workloads.all()) {
      headings.add(">" + workload.name());
      headings.add(">of " + LineItem.PAGES + " pages");
    }
    sections.add(
        Table.ofText(
            "Length of the task queue",
            "Gain of dynamic placement in the steady state, and with a table of the paper's size:"
                + " there the host waits for what is still in the queue when the last page has"
                + " come.",
            headings,
            rows));
  }

  private void overlapped() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (Workload workload : workloads.all()) {
      Outcome host = lab.steady(profile, workload, Mode.HOST.overlapped());
      Outcome dynamic = lab.steady(profile, workload, Mode.DYNAMIC.overlapped());
      Outcome device = lab.steady(profile, workload, Mode.DEVICE);
      Outcome fast = lab.steady(TaskFit.faster(profile, 16), workload, Mode.DYNAMIC.overlapped());
      rows.add(
          List.of(
              workload.name(),
              pct(dynamic.gainPct(host)),
              pct(100 * dynamic.onDevice()),
              number(device.ms() / dynamic.ms()),
              pct(fast.gainPct(host))));
    }
    sections.add(
        Table.ofText(
            "A host that computes while pages come",
            "Gains over such a host alone. With less work than I/O the host is done as soon as the"
                + " last page has come, and a faster device cannot gain more than its flash is"
                + " faster than the link. Not in the paper.",
            List.of(
                "workload",
                ">gain",
                ">pages on the device",
                ">over the device alone",
                ">gain, power 16"),
            rows));
  }

  private void pairs() {
    TitleJoin join = workloads.join();
    int exact = join.run(workloads.queries(), TitleJoin.Rule.EXACT).pairs().size();
    sections.add(
        Table.ofText(
            "Similarity join",
            "Records that have at least "
                + TitleJoin.THRESHOLD_PCT
                + " % of the shorter one in common. The algorithm as printed loses pairs: its"
                + " prefix is too short if the other record is shorter, and it compares only the"
                + " beginning of the longer one. The workload is the algorithm as printed.",
            List.of(">records", ">query records", ">pairs as printed", ">pairs"),
            List.of(
                List.of(
                    join.size() + "",
                    workloads.queries() + "",
                    workloads.published() + "",
                    exact + ""))));
  }

  /**
   * Returns what the bars show: where the best division lies, and that dynamic placement finds it.
   */
  List<Trend> bestShares() {
    List<String> shares = new ArrayList<>();
    onDevice.forEach((name, share) -> shares.add(name + " " + pct(100 * share)));
    double least = Collections.min(onDevice.values());
    double most = Collections.max(onDevice.values());
    List<String> gains = new ArrayList<>();
    best.forEach(
        (name, tenths) -> gains.add(name + " " + tenths + "/10 (" + pct(bestGain.get(name)) + ")"));
    return List.of(
        TaskStudy.trend(
            "the best division lies between host and device, and differs from workload to workload",
            BARS,
            least > 0 && most < 1 && most > 2 * least,
            shares),
        TaskStudy.trend(
            "no static share is better than dynamic placement",
            BARS,
            lessThanBest.isEmpty(),
            gains));
  }

  /** Returns what the two sweeps show. */
  List<Trend> growing() {
    return List.of(
        TaskStudy.trend(
            "the gain grows with internal over external bandwidth",
            "section 6.4, figure 6",
            ratiosGrow,
            meansOfRatios),
        TaskStudy.trend(
            "the gain grows with the computing power of the device",
            "section 6.5, figure 7",
            powersGrow,
            meansOfPowers));
  }
}
