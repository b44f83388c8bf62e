/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealFit;
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.papers.lab.Sweep;

/**
 * The fit of the numbers that no document gives, from starting values that are far off. It sees
 * intersection alone: the query that the paper takes apart, sending, the power of the tables of
 * intersection, two published mean gains, and how time rises with the results. Each number has one
 * target of its own, found by bisection; what is left is how memory time divides into copying of
 * pages and single accesses, which the means and the rises decide together by least squares.
 * Results are rounded to three digits: more would claim too much.
 */
final class Calibration {
  /** Time inside the device: 14.5 ms are 48 % of it (section 7.1, figures 7 and 8). */
  private static final double INSIDE_MS = 14.5 / 0.48;

  private static final Map<String, Double> MEMORY_TARGETS =
      new TreeMap<>(
          Map.of(
              "intersection-size.latency",
              2.5,
              "intersection-lists.latency",
              2.6,
              "rise.unranked",
              163.0,
              "rise.ranked",
              65.0));

  private static final Set<String> MEMORY_SWEEPS =
      Set.of(
          "intersection-size",
          "intersection-lists",
          "intersection-equal",
          "ranked-intersection-equal");

  /** Mean of 204 mJ / 97 ms and 183 mJ / 96 ms. */
  private static final double DEVICE_W = (204.0 / 97 + 183.0 / 96) / 2;

  /** Mean of 1,365 mJ / 210 ms and 1,428 mJ / 210 ms. */
  private static final double HOST_W = (1365.0 / 210 + 1428.0 / 210) / 2;

  private static final String COPY = "device.work.page_open.access_ps";
  private static final String WRITE = "device.work.result_write.access_ps";
  private static final List<String> ACCESSES =
      List.of(
          "device.work.list_read.access_ps",
          "device.work.probe_read.access_ps",
          "device.work.score_read.access_ps",
          "device.work.result_read.access_ps");

  private static final long MAX_COPY_PS = 31_000_000;
  private static final int COPY_STEPS = 24;

  /** A number with a target of its own, which it reaches in one direction. */
  private record Knob(String path, double target, Measure measure) {}

  private interface Measure {
    double of(Formulas formulas, Outcomes outcomes);
  }

  private static final List<Knob> KNOBS =
      List.of(
          new Knob("device.flash_read_ns.page0", 14.5, (f, o) -> f.value("query.device.io", o)),
          new Knob(
              "device.work.compare.core_millicycles",
              0.22 * INSIDE_MS,
              (f, o) -> query(o).device().partMs("compute")),
          new Knob(
              "device.session_open_ns",
              0.02 * INSIDE_MS,
              (f, o) -> query(o).device().partMs("fixed")),
          new Knob("device.send_chunk_ns", 12, (f, o) -> f.value("send.30000", o)),
          new Knob("host.read_wait_ns", 54.8, (f, o) -> f.value("query.host.io", o)),
          new Knob("host.query_ns", 8, (f, o) -> f.value("query.host.cpu", o)),
          new Knob(
              "device.power.controller.active_mw", DEVICE_W, (f, o) -> watts(query(o).device())),
          new Knob("host.power.host.active_mw", HOST_W, (f, o) -> watts(query(o).host())));

  private final ModelLab lab;
  private final Progress progress;
  private final Formulas formulas = new Formulas();
  private DeviceProfile profile;

  private Calibration(DeviceProfile profile, ModelLab lab, Progress progress) {
    this.profile = profile;
    this.lab = lab;
    this.progress = progress;
  }

  /** Returns the names of the numbers that are fitted. */
  static List<String> paths() {
    List<String> paths = new ArrayList<>();
    KNOBS.forEach(knob -> paths.add(knob.path()));
    paths.add(COPY);
    paths.addAll(ACCESSES);
    paths.add(WRITE);
    return paths;
  }

  /**
   * Fits.
   *
   * @param start a profile; the numbers to fit are first set to half of what they may be at most,
   *     so nothing of their values stays
   * @param progress is told what is fitted
   * @return the numbers, by place
   * @throws IOException if the model refuses an experiment
   */
  static Map<String, Long> fit(DeviceProfile start, Progress progress) throws IOException {
    try (ModelLab lab = new ModelLab(start, true)) {
      Calibration calibration = new Calibration(start, lab, progress);
      return calibration.fit();
    }
  }

  private Map<String, Long> fit() throws IOException {
    for (String path : paths()) {
      set(path, 1000);
    }
    // The last two are powers, which depend on how the time is spent.
    for (Knob knob : KNOBS.subList(0, KNOBS.size() - 2)) {
      turn(knob);
    }
    memory();
    for (Knob knob : KNOBS.subList(KNOBS.size() - 2, KNOBS.size())) {
      turn(knob);
    }
    Map<String, Long> fitted = new LinkedHashMap<>();
    paths().forEach(path -> fitted.put(path, profile.get(path)));
    progress.tell("fitting the lists of the real workload");
    fitted.putAll(RealFit.fit(profile));
    return fitted;
  }

  private void set(String path, long value) {
    profile = profile.with(path, value, "fitted");
  }

  private void turn(Knob knob) throws IOException {
    progress.tell("fitting " + knob.path(), KNOBS.indexOf(knob), KNOBS.size());
    long low = 0;
    long high = 100_000_000;
    while (high - low > 1) {
      long middle = (low + high) / 2;
      try {
        set(knob.path(), Math.max(middle, 1));
      } catch (IllegalArgumentException e) {
        // Beyond what the field may be.
        high = middle;
        continue;
      }
      if (knob.measure().of(formulas, queries()) < knob.target()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    set(knob.path(), Search.rounded(high));
  }

  /**
   * Fits the memory by a golden-section search over the copy; accesses take what the copies leave
   * of memory time.
   */
  private void memory() throws IOException {
    long copy =
        Search.least(
            MAX_COPY_PS,
            COPY_STEPS,
            Search.told(
                this::means, progress, "fitting memory time", Search.looksOfLeast(COPY_STEPS)));
    means(Search.rounded(copy));
  }

  /** Returns the sum of squared deviations, with pages copied in so many picoseconds. */
  private double means(long copyPs) throws IOException {
    set(COPY, copyPs);
    accesses(0);
    double copies = query(queries()).device().partMs("dram");
    accesses(100_000);
    double slope = (query(queries()).device().partMs("dram") - copies) / 100_000;
    accesses(Search.rounded(Math.max(0, (long) ((0.28 * INSIDE_MS - copies) / slope))));
    Outcomes outcomes = sweeps();
    double sum = 0;
    for (Map.Entry<String, Double> target : MEMORY_TARGETS.entrySet()) {
      double deviation = formulas.value(target.getKey(), outcomes) / target.getValue() - 1;
      sum += deviation * deviation;
    }
    return sum;
  }

  private void accesses(long ps) {
    ACCESSES.forEach(path -> set(path, ps));
    set(WRITE, 2 * ps); // a record is two words
  }

  private Outcomes queries() throws IOException {
    lab.use(profile);
    Outcomes outcomes = new Outcomes();
    for (ClassicExperiment experiment : List.of(Formulas.QUERY, Formulas.RESULTS)) {
      outcomes.put(experiment, lab.run(experiment));
    }
    return outcomes;
  }

  private Outcomes sweeps() throws IOException {
    lab.use(profile);
    Outcomes outcomes = new Outcomes();
    for (Sweep sweep : Matrix.sweeps()) {
      if (MEMORY_SWEEPS.contains(sweep.id())) {
        outcomes.put(sweep);
        for (Sweep.Point point : sweep.points()) {
          outcomes.put(point.experiment(), lab.run(point.experiment()));
        }
      }
    }
    return outcomes;
  }

  private static Modelled query(Outcomes outcomes) {
    return outcomes.get(Formulas.QUERY);
  }

  private static double watts(ModelReport report) {
    return report.activeMj() / report.elapsedMs();
  }
}
