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
   * A fitted number.
   *
   * @param path where it stands in the profile
   * @param value its value
   * @param unit its unit
   * @param source what it was fitted to
   */
  public record Calibrated(String path, long value, String unit, String source) {}

  /**
   * A published figure and the model's.
   *
   * @param published the published figure itself
   * @param modelled what the model says
   * @param deviationPct by how much that is more
   * @param verdict {@code pass}, {@code MISS} or, without a target and on other devices than the
   *     paper's, {@code shown}
   * @param reason why it is missed, as far as that is known; else absent
   */
  public record Figure(
      Published published, double modelled, double deviationPct, String verdict, String reason) {}

  /**
   * A statement of the paper.
   *
   * @param text the statement
   * @param source where it stands
   * @param fitted whether calibration may look at its experiments
   * @param verdict {@code pass} or {@code MISS}; on other devices than the paper's {@code holds} or
   *     {@code does not}
   * @param seen the modelled figures behind that
   * @param reason why it is missed, as far as that is known; else absent
   */
  public record TrendLine(
      String text, String source, boolean fitted, String verdict, String seen, String reason) {}

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

  /** Returns how many figures and trends of a set have a verdict. */
  public long count(boolean fitted, String verdict) {
    return figures.stream()
            .filter(f -> f.published().fitted() == fitted && f.verdict().equals(verdict))
            .count()
        + trends.stream().filter(t -> t.fitted() == fitted && t.verdict().equals(verdict)).count();
  }
}
