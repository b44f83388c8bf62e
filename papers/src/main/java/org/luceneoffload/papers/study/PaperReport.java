/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;

/**
 * What a paper says, and what the model says. Everything is simulated and follows from the profile
 * alone.
 *
 * @param paper short name, see {@link Papers}
 * @param title of the section
 * @param profile name of the profile
 * @param profileTitle what it stands for
 * @param ofItsDevice whether it is that of the paper's own device; what the paper says is no target
 *     of others
 * @param notes how it was run, and what the paper leaves open
 * @param calibrated numbers that were fitted
 * @param figures published against modelled
 * @param trends what the paper says in words
 * @param tables further results
 * @param plots drawn, with the paper's points where it gives them
 */
public record PaperReport(
    String paper,
    String title,
    String profile,
    String profileTitle,
    boolean ofItsDevice,
    List<String> notes,
    List<Calibrated> calibrated,
    List<Figure> figures,
    List<TrendLine> trends,
    List<Table> tables,
    List<Plot> plots) {
  /** Returns the modelled value of a figure that ran. */
  public double modelled(String id) {
    return figures.stream()
        .filter(f -> f.published().id().equals(id))
        .findFirst()
        .orElseThrow()
        .modelled();
  }

  /** Returns how many figures and trends of a kind have a verdict. */
  public long count(Published.Kind kind, String verdict) {
    return figures.stream()
            .filter(f -> f.published().kind() == kind && f.verdict().equals(verdict))
            .count()
        + trends.stream()
            .filter(t -> (t.fitted() ? Published.Kind.FITTED : Published.Kind.PREDICTED) == kind)
            .filter(t -> t.verdict().equals(verdict))
            .count();
  }

  /**
   * Compares.
   *
   * @param own whether the profile is that of the paper's own device; else nothing is judged
   * @param modelled what the model says, by the published figure's id
   * @param reasons why figures are missed, by id; what is not there is not known
   * @throws IllegalArgumentException if a published figure has no modelled value
   */
  public static List<Figure> compare(
      String paper, boolean own, Map<String, Double> modelled, Map<String, String> reasons)
      throws IOException {
    return compare(Published.of(paper), own, modelled, reasons);
  }

  /** Compares some figures of a paper. */
  public static List<Figure> compare(
      List<Published> published,
      boolean own,
      Map<String, Double> modelled,
      Map<String, String> reasons) {
    List<Figure> figures = new ArrayList<>();
    for (Published p : published) {
      Double value = modelled.get(p.id());
      if (value == null) {
        throw new IllegalArgumentException("no modelled value of " + p.id());
      }
      String verdict = own ? p.verdict(value) : "shown";
      String reason = verdict.equals("MISS") ? reasons.get(p.id()) : null;
      figures.add(new Figure(p, value, 100 * (value / p.value() - 1), verdict, reason));
    }
    return figures;
  }

  /** Judges statements; {@code reasons} has why they are missed, by text. */
  public static List<TrendLine> judge(
      boolean own, List<Trend> trends, Map<String, String> reasons) {
    return trends.stream()
        .map(
            t ->
                new TrendLine(
                    t.text(),
                    t.source(),
                    t.fitted(),
                    own ? (t.holds() ? "pass" : "MISS") : t.holds() ? "holds" : "does not",
                    t.seen(),
                    t.holds() || !own ? null : reasons.get(t.text())))
        .toList();
  }

  /** Returns numbers of a profile that were fitted. */
  public static List<Calibrated> fitted(DeviceProfile profile, List<String> paths) {
    return paths.stream()
        .map(
            path ->
                new Calibrated(
                    path,
                    profile.get(path),
                    profile.values().get(path).unit(),
                    profile.values().get(path).source()))
        .toList();
  }
}
