/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;

/**
 * The fit of what the paper leaves open, from values that are far off. The host's costs of a row
 * and of a value follow from two ratios of computing to I/O of table 2, those of queries 1 and 6;
 * the comparisons that a page of the join takes from a third; how much slower a core of the device
 * is, from the gain of query 14; the bandwidth of the flash, from that and the mean gain with
 * sixteen times the computing power. Results are rounded to three digits.
 */
public final class TaskFit {
  /** Comparisons of tokens that a page of the join takes: a number of the workload. */
  static final String COMPARISONS = "workload.join_comparisons_a_page";

  private static final long MAX_CORE_HZ = 10_000_000_000L; // of a profile
  private static final String ROW = ".work.tuple_read.";
  private static final String VALUE = ".work.column_read.";
  private static final String TOKEN = ".work.token_compare.";
  private static final List<String> WORK = List.of(ROW, VALUE, TOKEN);
  private static final String HOST = "host%score_millicycles";
  private static final String DEVICE = "device%score_millicycles";
  private static final String CHANNEL = "device.channel_bytes_per_s";

  /** Computing over I/O of table 2. */
  private static final double RATIO_OF_1 = 1.08;

  private static final double RATIO_OF_6 = 0.42;
  private static final double RATIO_OF_JOIN = 0.93;
  private static final double GAIN_OF_14 = 20.3;
  private static final double MEAN_AT_16 = 94.5;

  /** A device core's cycles of a unit of work, of a thousand of the host's: at most. */
  private static final long MAX_PER_MILLE = 4_000;

  /**
   * Four channels of it are twice the external bandwidth, as is the link between FPGA and cores.
   */
  private static final long MAX_CHANNEL = 200_000_000;

  private static final long CHANNEL_STEP = 100_000;
  private static final int CHANNEL_SEARCH = 14;
  private static final double MILLI = 1e3;

  /** Enough for three digits: pages of a query hardly differ. */
  private static final int PAGES = 1_000;

  private final TaskLab lab = new TaskLab(PAGES);
  private final List<Workload> workloads = new ArrayList<>();
  private final long recordsAPage;
  private long comparisons = PAGES;
  private DeviceProfile profile;

  private TaskFit(DeviceProfile start) throws IOException {
    profile = start;
    JoinRecords join = new JoinRecords(TaskText.drawn().titles());
    recordsAPage = join.size() / join.pages().size();
    try (RowStore store = new RowStore()) {
      workloads.addAll(TaskWorkloads.tables(store, TpchTables.SCALE, new ArrayList<>()));
    }
  }

  private Workload of(TpchQuery query) {
    return workloads.get(query.ordinal());
  }

  /** Returns a join whose pages are all of the same work, which alone matters. */
  private Workload join() {
    Work work = new Work(recordsAPage, 0, comparisons);
    TaskPage page = new TaskPage(work, work, Work.NONE, 0);
    return new Workload("join of " + comparisons, List.of(page));
  }

  /** Returns the names of the numbers of the profile that are fitted. */
  static List<String> profilePaths() {
    return List.of(host(ROW), host(VALUE), device(ROW), device(VALUE), device(TOKEN), CHANNEL);
  }

  /** Returns the names of the costs without which nothing takes time. */
  static List<String> costs() {
    return WORK.stream()
        .map(work -> work.substring(0, work.length() - 1))
        .flatMap(work -> Stream.of("host" + work, "device" + work))
        .toList();
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
   * Returns a device of more computing power: sixteen times is eight times the clock, and twice the
   * cores (section 6.5). Where no profile may have such a clock, more of it is cores.
   */
  static DeviceProfile faster(DeviceProfile profile, int times) {
    int cores = times == 16 ? 2 : 1;
    long power = profile.get("device.core_hz") * times;
    while (power / cores > MAX_CORE_HZ) {
      cores *= 2;
    }
    String source = "Summarizer (Koo et al., MICRO 2017), section 6.5";
    return profile
        .with("device.core_hz", power / cores, source)
        .with("device.core_count", cores * profile.get("device.core_count"), source);
  }

  /**
   * Fits.
   *
   * @param start a profile; what the numbers to fit are there does not matter
   * @param progress is told what is fitted
   * @return the numbers, by place
   * @throws IOException if the model refuses a run
   */
  static Map<String, Long> fit(DeviceProfile start, Progress progress) throws IOException {
    TaskFit fit = new TaskFit(start);
    try {
      for (String path : profilePaths()) {
        fit.set(path, path.equals(CHANNEL) ? MAX_CHANNEL : 1_000);
      }
      progress.tell("fitting the host's costs");
      fit.costsOfHost();
      fit.comparisonsOfJoin();
      fit.speedOfDevice(progress);
      fit.bandwidthOfFlash(progress);
    } finally {
      fit.lab.close();
    }
    Map<String, Long> fitted = new LinkedHashMap<>();
    profilePaths().forEach(path -> fitted.put(path, fit.profile.get(path)));
    fitted.put(COMPARISONS, fit.comparisons);
    return fitted;
  }

  private void set(String path, long value) {
    profile = profile.with(path, value, "fitted");
  }

  /** Returns the host's cycles a page of a workload whose computing takes so much of its I/O. */
  private double cycles(Workload workload, double ratio) throws IOException {
    Outcome played = lab.steady(profile, workload, Mode.HOST);
    return ratio * played.deviceMs() / played.pages() / MILLI * profile.get("host.core_hz");
  }

  /** Solves two equations in the costs of a row and of a value. */
  private void costsOfHost() throws IOException {
    Workload one = of(TpchQuery.Q1);
    Workload six = of(TpchQuery.Q6);
    double rows = one.mean(Work::rows);
    double values = one.mean(Work::values);
    double rowsOf6 = six.mean(Work::rows);
    double valuesOf6 = six.mean(Work::values);
    double cycles = cycles(one, RATIO_OF_1);
    double cyclesOf6 = cycles(six, RATIO_OF_6);
    double determinant = rows * valuesOf6 - rowsOf6 * values;
    set(host(ROW), rounded(MILLI * (cycles * valuesOf6 - cyclesOf6 * values) / determinant));
    set(host(VALUE), rounded(MILLI * (cyclesOf6 * rows - cycles * rowsOf6) / determinant));
  }

  private void comparisonsOfJoin() throws IOException {
    double cycles = cycles(join(), RATIO_OF_JOIN) - recordsAPage * profile.get(host(ROW)) / MILLI;
    comparisons = rounded(cycles / (profile.get(host(TOKEN)) / MILLI));
  }

  private static long rounded(double value) {
    return Search.rounded(Math.round(value));
  }

  private void speedOfDevice(Progress progress) throws IOException {
    Workload query = of(TpchQuery.Q14);
    Outcome host = lab.steady(profile, query, Mode.HOST);
    Search.Measure loss =
        value -> {
          slower(value);
          return -lab.steady(profile, query, Mode.DYNAMIC).gainPct(host);
        };
    int looks = Search.looksOfReach(MAX_PER_MILLE);
    long perMille =
        Search.reach(
            -GAIN_OF_14,
            MAX_PER_MILLE,
            Search.told(loss, progress, "fitting the speed of a device core", looks));
    slower(perMille);
  }

  private void slower(long perMille) {
    for (String work : WORK) {
      set(device(work), rounded(profile.get(host(work)) * perMille / 1e3));
    }
  }

  /** Fits the bandwidth by least squares of two relative errors. */
  private void bandwidthOfFlash(Progress progress) throws IOException {
    Workload query = of(TpchQuery.Q14);
    Search.Measure error =
        value -> {
          set(CHANNEL, Math.max(1, value) * CHANNEL_STEP);
          Outcome host = lab.steady(profile, query, Mode.HOST);
          double gain = lab.steady(profile, query, Mode.DYNAMIC).gainPct(host);
          double now = gain / GAIN_OF_14 - 1;
          double fast = meanAt16() / MEAN_AT_16 - 1;
          return now * now + fast * fast;
        };
    int looks = Search.looksOfLeast(CHANNEL_SEARCH);
    long steps =
        Search.least(
            (double) MAX_CHANNEL / CHANNEL_STEP,
            CHANNEL_SEARCH,
            Search.told(error, progress, "fitting the bandwidth of the flash", looks));
    set(CHANNEL, Search.rounded(steps * CHANNEL_STEP));
  }

  private double meanAt16() throws IOException {
    DeviceProfile fast = faster(profile, 16);
    double sum = 0;
    List<Workload> all = new ArrayList<>(workloads);
    all.add(join());
    for (Workload workload : all) {
      Outcome host = lab.steady(profile, workload, Mode.HOST);
      sum += lab.steady(fast, workload, Mode.DYNAMIC).gainPct(host);
    }
    return sum / all.size();
  }
}
