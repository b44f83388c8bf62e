/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Lab;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealQueries;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.lab.Workload;

/** Runs the experiments and compares. */
public final class Reproduction {
  /** Name of the part that takes one query apart, and sends and ranks results. */
  private static final String QUERY = "query";

  /** Name of the part on lists drawn to the real workload's statistics. */
  private static final String REAL = "real";

  /** Name of the part on plain reads. */
  private static final String READS = "reads";

  /** Name of the part on several requests at once. */
  private static final String LOAD = "load";

  /** Name of the part on the programs of Lucene queries. */
  private static final String PRODUCTION = "production";

  private static final String CURRENT = "pcie5-csd";
  private static final int REAL_QUERIES = 100;
  private static final long REAL_SEED = 1;

  private final DeviceProfile profile;
  private final Lab lab;
  private final String only;
  private final Consumer<String> progress;
  private final Outcomes outcomes = new Outcomes();
  private final List<Sweep> sweeps;
  private final boolean beyond;

  /**
   * Prepares a run.
   *
   * @param profile device and host
   * @param lab runs the experiments
   * @param only names of parts start with it; empty: all of them
   * @param progress is told what runs
   * @throws IllegalArgumentException if no part has such a name; the message lists them
   */
  public Reproduction(DeviceProfile profile, Lab lab, String only, Consumer<String> progress) {
    this(profile, lab, only, progress, true);
  }

  /** With {@code beyond} false nothing runs that the lab does not run. */
  public Reproduction(
      DeviceProfile profile, Lab lab, String only, Consumer<String> progress, boolean beyond) {
    this.beyond = beyond;
    this.profile = profile;
    this.lab = lab;
    this.only = only;
    this.progress = progress;
    sweeps = Matrix.sweeps().stream().filter(sweep -> chosen(sweep.id())).toList();
    if (parts().stream().noneMatch(this::chosen)) {
      throw new IllegalArgumentException(
          "no experiment starts with '" + only + "'; there are " + String.join(", ", parts()));
    }
  }

  /** Returns the names of all parts. */
  public static List<String> parts() {
    List<String> parts = new ArrayList<>(List.of(QUERY));
    Matrix.sweeps().forEach(sweep -> parts.add(sweep.id()));
    parts.addAll(List.of(REAL, READS, LOAD, PRODUCTION));
    return parts;
  }

  private boolean chosen(String part) {
    return part.startsWith(only);
  }

  /**
   * Runs.
   *
   * @throws IOException if the model refuses an experiment, or the published figures cannot be read
   */
  public ReproReport run() throws IOException {
    runSweeps();
    Map<String, Double> real = chosen(REAL) ? runReal() : null;
    List<SweepResultBuilder> results = new ArrayList<>();
    sweeps.forEach(sweep -> results.add(new SweepResultBuilder(sweep)));
    return new ReproReport(
        profile.name(),
        profile.title(),
        REAL_SEED,
        calibrated(),
        figures(),
        trends(),
        results.stream().map(SweepResultBuilder::build).toList(),
        real,
        Regret.of(profile, sweeps, chosen(REAL) ? realQueries() : List.of(), outcomes),
        beyond && chosen(READS) ? RawReads.of(profile) : null,
        beyond && chosen(LOAD) ? loads() : null,
        beyond && chosen(PRODUCTION) ? production() : null,
        null);
  }

  /** Returns this profile, and that of a current device. */
  private List<DeviceProfile> withCurrent() throws IOException {
    return profile.name().equals(CURRENT)
        ? List.of(profile)
        : List.of(profile, Profiles.load(CURRENT));
  }

  /** Returns what the paper's programs produce; runs them first, unless they have run. */
  private List<Production> production() throws IOException {
    List<Sweep> compared =
        Matrix.sweeps().stream().filter(s -> Production.SWEEPS.contains(s.id())).toList();
    List<Production> all = new ArrayList<>();
    for (DeviceProfile device : withCurrent()) {
      boolean same = device == profile;
      Outcomes classic = same ? outcomes : new Outcomes();
      try (ModelLab other = new ModelLab(device, false)) {
        for (Sweep sweep : compared) {
          for (Sweep.Point point : sweep.points()) {
            if (!classic.has(point.experiment())) {
              classic.put(point.experiment(), (same ? lab : other).run(point.experiment()));
            }
          }
        }
      }
      String name = device.name();
      all.add(
          Production.of(device, compared, classic, text -> progress.accept(text + ", " + name)));
    }
    return all;
  }

  private List<Load> loads() throws IOException {
    List<Load> loads = new ArrayList<>();
    ClassicExperiment query =
        new ClassicExperiment(
            Operation.INTERSECTION, false, Workload.of(2, Matrix.LONGEST, 100, 10_000, 1));
    for (DeviceProfile device : withCurrent()) {
      loads.add(Load.of(device, query));
    }
    return loads;
  }

  /**
   * Runs the sweeps; those that share their lists run one after the other, so that lists are made
   * once.
   */
  private void runSweeps() throws IOException {
    Set<ClassicExperiment> experiments = new LinkedHashSet<>();
    if (chosen(QUERY)) {
      experiments.add(Formulas.QUERY);
      experiments.add(Formulas.RESULTS);
    }
    for (Sweep sweep : sweeps) {
      outcomes.put(sweep);
      sweep.points().forEach(point -> experiments.add(point.experiment()));
    }
    Map<Workload, Integer> order = new LinkedHashMap<>();
    experiments.forEach(e -> order.putIfAbsent(e.workload().unordered(), order.size()));
    List<ClassicExperiment> sorted = new ArrayList<>(experiments);
    sorted.sort(Comparator.comparing(e -> order.get(e.workload().unordered())));
    int done = 0;
    for (ClassicExperiment experiment : sorted) {
      outcomes.put(experiment, lab.run(experiment));
      progress.accept(++done + " of " + sorted.size() + " experiments, " + experiment.text());
    }
  }

  private static List<RealQueries.Query> realQueries() {
    return RealQueries.draw(REAL_QUERIES, REAL_SEED);
  }

  private Map<String, Double> runReal() throws IOException {
    List<RealQueries.Query> queries = realQueries();
    Map<String, List<Modelled>> all = new LinkedHashMap<>();
    int done = 0;
    for (RealQueries.Query query : queries) {
      for (boolean ranked : new boolean[] {false, true}) {
        String prefix = ranked ? "ranked-" : "";
        real(all, prefix + "intersection", Operation.INTERSECTION, ranked, query.all());
        if (ranked) {
          real(all, "ranked-union", Operation.UNION, true, query.all());
        }
      }
      for (boolean ranked : new boolean[] {false, true}) {
        String name = ranked ? "ranked-difference" : "difference";
        real(all, name, Operation.DIFFERENCE, ranked, query.pair());
      }
      progress.accept(++done + " of " + queries.size() + " queries of the real workload");
    }
    all.forEach(outcomes::putReal);
    Map<String, Double> statistics = new LinkedHashMap<>();
    double[] skews = queries.stream().mapToDouble(RealQueries.Query::skew).toArray();
    statistics.put("queries", (double) queries.size());
    statistics.put(
        "mean_terms", queries.stream().mapToInt(q -> q.all().lists()).average().orElseThrow());
    statistics.put("mean_skew", RealQueries.mean(skews));
    statistics.put("mean_skew_without_highest_fifth", RealQueries.trimmed(skews));
    statistics.put(
        "mean_longest_entries",
        queries.stream().mapToInt(q -> q.all().longest()).average().orElseThrow());
    statistics.put(
        "mean_shortest_entries",
        queries.stream().mapToInt(q -> q.pair().lengths().get(0)).average().orElseThrow());
    return statistics;
  }

  private void real(
      Map<String, List<Modelled>> all,
      String name,
      Operation operation,
      boolean ranked,
      Workload workload)
      throws IOException {
    Modelled modelled = lab.run(new ClassicExperiment(operation, ranked, workload));
    all.computeIfAbsent(name, key -> new ArrayList<>()).add(modelled);
  }

  private List<Calibrated> calibrated() {
    List<Calibrated> list = new ArrayList<>();
    profile
        .values()
        .forEach(
            (path, value) -> {
              if (value.calibrated()) {
                list.add(new Calibrated(path, value.value(), value.unit(), value.source()));
              }
            });
    return list;
  }

  private List<Figure> figures() throws IOException {
    Formulas formulas = new Formulas();
    List<Figure> figures = new ArrayList<>();
    for (Published published : Published.of(Papers.SEARCH)) {
      try {
        double modelled = formulas.value(published.id(), outcomes);
        double deviation = 100 * (modelled / published.value() - 1);
        String verdict = papers() ? published.verdict(modelled) : "shown";
        figures.add(
            new Figure(
                published,
                modelled,
                deviation,
                verdict,
                verdict.equals("MISS") ? Reasons.KNOWN.get(published.id()) : null));
      } catch (Outcomes.NotRun e) {
        // Left out of this run.
      }
    }
    return figures;
  }

  private boolean papers() {
    return PaperReport.isOf(Papers.SEARCH, profile.name());
  }

  private List<TrendLine> trends() {
    return PaperReport.judge(Papers.SEARCH, profile.name(), Trends.check(outcomes), Reasons.KNOWN);
  }

  /** Brings outcomes into the report's form. */
  private final class SweepResultBuilder {
    private final Sweep sweep;

    SweepResultBuilder(Sweep sweep) {
      this.sweep = sweep;
    }

    ReproReport.SweepResult build() {
      return new ReproReport.SweepResult(
          sweep.id(),
          sweep.title(),
          sweep.paper(),
          sweep.parameter(),
          sweep.fitted(),
          sweep.points().stream().map(this::point).toList());
    }

    private ReproReport.PointResult point(Sweep.Point point) {
      Modelled m = outcomes.get(point.experiment());
      return new ReproReport.PointResult(
          point.label(),
          m.results(),
          m.device().listAccesses(),
          m.device().pageLoads(),
          m.latencyGain(),
          m.energyGain(),
          side(m.device()),
          side(m.host()));
    }

    private static ReproReport.SideResult side(ModelReport report) {
      Map<String, Double> parts = new TreeMap<>();
      report.partsPs().forEach((part, ps) -> parts.put(part, report.partMs(part)));
      return new ReproReport.SideResult(report.elapsedMs(), report.activeMj(), parts);
    }
  }
}
