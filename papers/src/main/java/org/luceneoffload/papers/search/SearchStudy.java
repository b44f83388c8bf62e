/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileValue;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Lab;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealFit;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.lab.Workload;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;

/** Runs the experiments of the paper on search, and compares. */
public final class SearchStudy implements Study {
  private static final String CURRENT = "pcie5-csd";
  private static final List<String> NOTES =
      List.of(
          "A gain is the regular SSD's figure over the Smart SSD's: above 1 the Smart SSD is"
              + " better. Energy is over idle, as in the paper.",
          "The real lists are not published, only their statistics: 3.8 lists a query, a skew of"
              + " 3,672 on average and of 75 without the highest fifth. Lists are drawn to them,"
              + " for each of ten seeds, and figures are judged on the mean of all. What the"
              + " statistics leave open is in the fitted numbers, workload.*: the mean of the"
              + " longest list follows from the difference on the regular SSD, so that row is no"
              + " prediction.");

  private final String only;
  private final Lab instead;
  private final int seeds;

  /** Runs everything. */
  public SearchStudy() {
    this("");
  }

  /**
   * Runs a part of the experiments.
   *
   * @param only names of parts start with it; empty: all of them
   * @throws IllegalArgumentException if no part has such a name; the message lists them
   */
  public SearchStudy(String only) {
    this(only, null, RealFit.SEEDS);
  }

  /** With a lab instead of the model, nothing runs that the lab does not run. */
  SearchStudy(String only, Lab instead, int seeds) {
    this.only = only;
    this.instead = instead;
    this.seeds = seeds;
    if (parts().stream().noneMatch(part -> part.startsWith(only))) {
      throw new IllegalArgumentException(
          "no experiment starts with '" + only + "'; there are " + String.join(", ", parts()));
    }
  }

  /** Returns the names of all parts. */
  public static List<String> parts() {
    return SearchRun.parts();
  }

  @Override
  public String paper() {
    return Papers.SEARCH;
  }

  @Override
  public String missing(DeviceProfile profile) {
    return null; // every profile has costs of the classic programs
  }

  @Override
  public List<Long> seeds() {
    // Those of the real data begin with that of the synthetic lists.
    return LongStream.rangeClosed(Matrix.SEED, seeds).boxed().toList();
  }

  @Override
  public Study sample() {
    return new SearchSample(only);
  }

  @Override
  public Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException {
    return Calibration.fit(profile, progress);
  }

  @Override
  public long inUse(DeviceProfile profile, String path) {
    Long real = RealFit.inUse().get(path);
    return real != null ? real : profile.get(path);
  }

  @Override
  public PaperReport run(DeviceProfile profile, Progress progress) throws IOException {
    if (instead != null) {
      return run(profile, instead, progress);
    }
    try (ModelLab lab = new ModelLab(profile, false)) {
      return run(profile, lab, progress);
    }
  }

  private PaperReport run(DeviceProfile profile, Lab lab, Progress progress) throws IOException {
    SearchRun run = new SearchRun(lab, only, seeds, progress);
    run.all();
    List<Table> tables = new ArrayList<>();
    List<Plot> plots = new ArrayList<>();
    Map<String, Double> values = values(run.outcomes());
    SweepTables sweeps = new SweepTables(run.outcomes(), tables, plots);
    sweeps.published(values);
    run.sweeps().forEach(sweeps::add);
    if (run.drawn() != null) {
      tables.add(run.drawn());
    }
    tables.addAll(SearchTables.tables(run.outcomes()));
    Regret regret = Regret.of(profile, run.sweeps(), run.queries(), run.outcomes());
    if (regret != null) {
      tables.add(regret.table());
    }
    if (instead == null) {
      beyond(profile, run, progress, tables, plots);
    }
    boolean own = Papers.isOwn(Papers.SEARCH, profile);
    return new PaperReport(
        Papers.SEARCH,
        "Smart SSD for search engines (Wang and Park, IEEE TC 2016)",
        profile.name(),
        profile.title(),
        own,
        NOTES,
        calibrated(profile),
        PaperReport.compare(ran(values), own, values, Reasons.KNOWN),
        PaperReport.judge(own, Trends.check(run.outcomes()), Reasons.KNOWN),
        tables,
        plots);
  }

  /** Returns the fitted numbers of the profile, and the constants of the real workload. */
  private static List<Calibrated> calibrated(DeviceProfile profile) {
    List<String> paths =
        profile.values().entrySet().stream()
            .filter(e -> e.getValue().calibrated())
            .map(Map.Entry<String, ProfileValue>::getKey)
            .toList();
    List<Calibrated> all = new ArrayList<>(PaperReport.fitted(profile, paths));
    RealFit.inUse()
        .forEach(
            (name, value) ->
                all.add(new Calibrated(name, value, RealFit.unit(name), RealFit.source(name))));
    return all;
  }

  /** Returns the modelled values of the published figures whose experiments ran. */
  private static Map<String, Double> values(Outcomes outcomes) throws IOException {
    Formulas formulas = new Formulas();
    Map<String, Double> values = new LinkedHashMap<>();
    for (Published published : Published.of(Papers.SEARCH)) {
      try {
        values.put(published.id(), formulas.value(published.id(), outcomes));
      } catch (Outcomes.NotRun e) {
        // Left out of this run.
      }
    }
    return values;
  }

  private static List<Published> ran(Map<String, Double> values) throws IOException {
    return Published.of(Papers.SEARCH).stream().filter(p -> values.containsKey(p.id())).toList();
  }

  /** Adds what the paper does not have. */
  private void beyond(
      DeviceProfile profile, SearchRun run, Progress progress, List<Table> tables, List<Plot> plots)
      throws IOException {
    if (run.chosen(SearchRun.MEMORY)) {
      MemoryStudy memory = MemoryStudy.run(profile);
      tables.add(memory.table());
      plots.add(memory.plot());
    }
    if (run.chosen(SearchRun.READS)) {
      tables.addAll(RawReads.tables(profile));
    }
    ClassicExperiment query =
        new ClassicExperiment(
            Operation.INTERSECTION, false, Workload.of(2, Matrix.LONGEST, 100, 10_000, 1));
    for (DeviceProfile device : withCurrent(profile)) {
      if (run.chosen(SearchRun.LOAD)) {
        Load.add(device, query, tables, plots);
      }
      if (run.chosen(SearchRun.PRODUCTION)) {
        Outcomes classic = device == profile ? run.outcomes() : new Outcomes();
        tables.addAll(production(device, classic, progress).tables());
      }
    }
  }

  /** Returns this profile, and that of a current device. */
  private static List<DeviceProfile> withCurrent(DeviceProfile profile) throws IOException {
    return profile.name().equals(CURRENT)
        ? List.of(profile)
        : List.of(profile, Profiles.load(CURRENT));
  }

  /** Returns what Lucene's programs take; runs the paper's first, unless they have run. */
  private static Production production(DeviceProfile device, Outcomes classic, Progress progress)
      throws IOException {
    List<Sweep> compared =
        Matrix.sweeps().stream().filter(s -> Production.SWEEPS.contains(s.id())).toList();
    try (ModelLab lab = new ModelLab(device, false)) {
      for (Sweep sweep : compared) {
        for (Sweep.Point point : sweep.points()) {
          if (!classic.has(point.experiment())) {
            classic.put(point.experiment(), lab.run(point.experiment()));
          }
        }
      }
    }
    return Production.of(device, compared, classic, progress);
  }
}
