/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.util.List;
import java.util.Map;

/**
 * The findings of {@code offload reproduce}: those of the first paper, and a report of each other
 * one. Everything is simulated and follows from profile and seed alone. What did not run is absent.
 *
 * @param profile name of the profile
 * @param profileTitle what it stands for
 * @param seed of the lists
 * @param calibrated numbers of the profile that were fitted
 * @param figures published against modelled
 * @param trends what the paper says in words
 * @param sweeps every experiment
 * @param realWorkload statistics of the lists drawn for the real-data rows
 * @param regret what choosing a side before running costs
 * @param reads plain reads beside hand formulas
 * @param loads several requests at once
 * @param production the programs of Lucene queries on the same lists
 * @param papers the other papers
 */
public record ReproReport(
    String profile,
    String profileTitle,
    long seed,
    List<Calibrated> calibrated,
    List<Figure> figures,
    List<TrendLine> trends,
    List<SweepResult> sweeps,
    Map<String, Double> realWorkload,
    Regret regret,
    List<RawReads> reads,
    List<Load> loads,
    List<Production> production,
    List<PaperReport> papers) {
  /** Returns a report of other papers only. */
  public static ReproReport ofPapers(List<PaperReport> papers) {
    return new ReproReport(
        null, null, 0, null, List.of(), List.of(), List.of(), null, null, null, null, null, papers);
  }

  /** Returns the same report, joined with other papers. */
  public ReproReport with(List<PaperReport> others) {
    return new ReproReport(
        profile,
        profileTitle,
        seed,
        calibrated,
        figures,
        trends,
        sweeps,
        realWorkload,
        regret,
        reads,
        loads,
        production,
        others);
  }

  /**
   * A sweep with its results.
   *
   * @param id short name
   * @param title what it shows
   * @param paper where the paper has it
   * @param parameter what varies
   * @param fitted whether calibration may look at it
   * @param points its values
   */
  public record SweepResult(
      String id,
      String title,
      String paper,
      String parameter,
      boolean fitted,
      List<PointResult> points) {}

  /**
   * One point.
   *
   * @param label value of the parameter
   * @param results documents that matched
   * @param listAccesses accesses to lists in device DRAM
   * @param pages flash pages loaded
   * @param latencyGain how many times faster the device is
   * @param energyGain how many times less energy it takes
   * @param device its times and energy
   * @param host the host's
   */
  public record PointResult(
      String label,
      long results,
      long listAccesses,
      long pages,
      double latencyGain,
      double energyGain,
      SideResult device,
      SideResult host) {}

  /**
   * One side of a point.
   *
   * @param elapsedMs simulated latency
   * @param activeMj energy over idle
   * @param partsMs what the time was spent on
   */
  public record SideResult(double elapsedMs, double activeMj, Map<String, Double> partsMs) {}

  /** Returns how many figures and trends of a kind have a verdict. */
  public long count(Published.Kind kind, String verdict) {
    return PaperReport.count(figures, trends, kind, verdict);
  }
}
