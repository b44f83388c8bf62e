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
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;

/**
 * The fit of what the paper leaves open, from values that are far off. The host's costs of a row
 * and of a value follow by least squares from the three ratios of computing to I/O of table 2; how
 * much slower a core of the device is, from the gain of query 14; the bandwidth of the flash, from
 * the mean gain with sixteen times the computing power. Results are rounded to three digits.
 */
public final class TaskFit {
  private static final String ROW = ".work.tuple_read.";
  private static final String VALUE = ".work.column_read.";
  private static final String TOKEN = ".work.token_compare.";
  private static final List<String> WORK = List.of(ROW, VALUE, TOKEN);
  private static final String HOST = "host%score_millicycles";
  private static final String DEVICE = "device%score_millicycles";
  private static final String CHANNEL = "device.channel_bytes_per_s";

  /** Computing over I/O of table 2, in the order of {@link LineItemQuery}. */
  private static final double[] RATIOS = {1.08, 0.42, 0.39};

  private static final double GAIN_OF_14 = 20.3;
  private static final double GAIN_TOLERANCE = 0.25;
  private static final double MEAN_AT_16 = 94.5;
  private static final double MEAN_TOLERANCE = 0.1;

  /** A device core's cycles of a unit of work, of a thousand of the host's: at most. */
  private static final long MAX_PER_MILLE = 4_000;

  /**
   * Four channels of it are twice the external bandwidth, as is the link between FPGA and cores.
   */
  private static final long MAX_CHANNEL = 200_000_000;

  private static final long CHANNEL_STEP = 100_000;
  private static final int CHANNEL_SEARCH = 14;

  /** Enough for three digits: pages of a query hardly differ. */
  private static final int PAGES = 1_000;

  private final TaskLab lab = new TaskLab(PAGES);
  private final List<Workload> workloads = new ArrayList<>();
  private DeviceProfile profile;

  private TaskFit(DeviceProfile start) {
    profile = start;
    for (LineItemQuery query : LineItemQuery.values()) {
      workloads.add(new Workload(query.name(), query.run(PAGES).pages()));
    }
    // Of the join only the work of a page matters, which is the same in every text.
    Work work = new Work(0, 0, TaskWorkloads.COMPARISONS_A_PAGE);
    workloads.add(new Workload("join", List.of(new TaskPage(work, work, Work.NONE, 0))));
  }

  private Workload of(LineItemQuery query) {
    return workloads.get(query.ordinal());
  }

  /** Returns the names of the numbers that are fitted. */
  public static List<String> paths() {
    return List.of(host(ROW), host(VALUE), device(ROW), device(VALUE), device(TOKEN), CHANNEL);
  }

  /** Returns the names of the costs without which nothing takes time. */
  static List<String> costs() {
    return List.of(host(ROW), host(VALUE), host(TOKEN), device(ROW), device(VALUE), device(TOKEN));
  }

  private static String host(String work) {
    return String.format(Locale.ROOT, HOST, work);
  }

  private static String device(String work) {
    return String.format(Locale.ROOT, DEVICE, work);
  }

  /**
   * Returns the device of a paper that gives nothing but clocks: a unit of work takes its core as
   * many cycles as one of the host.
   */
  static DeviceProfile ofClocksAlone(DeviceProfile profile) {
    DeviceProfile same = profile;
    for (String work : WORK) {
      same = same.with(device(work), profile.get(host(work)), "as many cycles as on the host");
    }
    return same;
  }

  /**
   * Returns a device of more computing power: sixteen times is eight times the clock, and two cores
   * (section 6.5).
   */
  static DeviceProfile faster(DeviceProfile profile, int times) {
    int cores = times == 16 ? 2 : 1;
    long hz = profile.get("device.core_hz") * times / cores;
    String source = "Summarizer (Koo et al., MICRO 2017), section 6.5";
    return profile.with("device.core_hz", hz, source).with("device.core_count", cores, source);
  }

  /**
   * Fits.
   *
   * @param start a profile; what the numbers to fit are there does not matter
   * @param progress is told what is fitted
   * @return the numbers, by place
   * @throws IOException if the model refuses a run
   */
  public static Map<String, Long> fit(DeviceProfile start, Consumer<String> progress)
      throws IOException {
    TaskFit fit = new TaskFit(start);
    try {
      for (String path : paths()) {
        fit.set(path, path.equals(CHANNEL) ? MAX_CHANNEL : 1_000);
      }
      progress.accept("fitting the host's costs");
      fit.costsOfHost();
      progress.accept("fitting the speed of a device core");
      fit.speedOfDevice();
      progress.accept("fitting the bandwidth of the flash");
      fit.bandwidthOfFlash();
    } finally {
      fit.lab.close();
    }
    Map<String, Long> fitted = new LinkedHashMap<>();
    paths().forEach(path -> fitted.put(path, fit.profile.get(path)));
    return fitted;
  }

  private void set(String path, long value) {
    profile = profile.with(path, value, "fitted");
  }

  /**
   * Fits the host's costs by least squares of the relative errors of three ratios, which are linear
   * in two costs.
   */
  private void costsOfHost() throws IOException {
    double rowRow = 0;
    double rowValue = 0;
    double valueValue = 0;
    double row = 0;
    double value = 0;
    for (LineItemQuery query : LineItemQuery.values()) {
      Workload workload = of(query);
      Outcome played = lab.steady(profile, workload, Mode.HOST);
      double cycles =
          RATIOS[query.ordinal()]
              * played.deviceMs()
              / played.pages()
              * profile.get("host.core_hz"); // thousandths of a cycle, as ms
      double rows = mean(workload, true) / cycles;
      double values = mean(workload, false) / cycles;
      rowRow += rows * rows;
      rowValue += rows * values;
      valueValue += values * values;
      row += rows;
      value += values;
    }
    double determinant = rowRow * valueValue - rowValue * rowValue;
    set(host(ROW), rounded((row * valueValue - value * rowValue) / determinant));
    set(host(VALUE), rounded((value * rowRow - row * rowValue) / determinant));
  }

  private static double mean(Workload workload, boolean rows) {
    long sum = 0;
    for (TaskPage page : workload.pages()) {
      sum += rows ? page.all().rows() : page.all().values();
    }
    return (double) sum / workload.pages().size();
  }

  private static long rounded(double value) {
    return Search.rounded(Math.round(value));
  }

  private void speedOfDevice() throws IOException {
    Workload query = of(LineItemQuery.Q14);
    Outcome host = lab.steady(profile, query, Mode.HOST);
    long perMille =
        Search.reach(
            -GAIN_OF_14,
            MAX_PER_MILLE,
            value -> {
              slower(value);
              return -lab.steady(profile, query, Mode.DYNAMIC).gainPct(host);
            });
    slower(perMille);
  }

  private void slower(long perMille) {
    for (String work : WORK) {
      set(device(work), rounded(profile.get(host(work)) * perMille / 1e3));
    }
  }

  /** Fits the bandwidth by least squares of two errors, each over its tolerance. */
  private void bandwidthOfFlash() throws IOException {
    Workload query = of(LineItemQuery.Q14);
    long steps =
        Search.least(
            (double) MAX_CHANNEL / CHANNEL_STEP,
            CHANNEL_SEARCH,
            value -> {
              set(CHANNEL, Math.max(1, value) * CHANNEL_STEP);
              Outcome host = lab.steady(profile, query, Mode.HOST);
              double gain = lab.steady(profile, query, Mode.DYNAMIC).gainPct(host);
              double now = (gain / GAIN_OF_14 - 1) / GAIN_TOLERANCE;
              double fast = (meanAt16() / MEAN_AT_16 - 1) / MEAN_TOLERANCE;
              return now * now + fast * fast;
            });
    set(CHANNEL, Search.rounded(steps * CHANNEL_STEP));
  }

  private double meanAt16() throws IOException {
    DeviceProfile fast = faster(profile, 16);
    double sum = 0;
    for (Workload workload : workloads) {
      Outcome host = lab.steady(profile, workload, Mode.HOST);
      sum += lab.steady(fast, workload, Mode.DYNAMIC).gainPct(host);
    }
    return sum / workloads.size();
  }
}
