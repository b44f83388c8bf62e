/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Lab;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealQueries;
import org.luceneoffload.papers.lab.RealWorkload;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.lab.Workload;
import org.luceneoffload.papers.study.Table;

/** A run of the paper's experiments, or of a part of them. */
final class SearchRun {
  /** Name of the part that takes one query apart, and sends and ranks results. */
  static final String QUERY = "query";

  /** Name of the part on lists drawn to the real workload's statistics. */
  static final String REAL = "real";

  /** Name of the part on plain reads. */
  static final String READS = "reads";

  /** Name of the part on several requests at once. */
  static final String LOAD = "load";

  /** Name of the part on the programs of Lucene queries. */
  static final String PRODUCTION = "production";

  /** Name of the part on lists that do not fit into device memory. */
  static final String MEMORY = "memory";

  private final Lab lab;
  private final String only;
  private final int seeds;
  private final Progress progress;
  private final Outcomes outcomes = new Outcomes();
  private final List<Sweep> sweeps;
  private final List<RealQueries.Query> queries;

  /**
   * Prepares a run.
   *
   * @param only names of parts start with it
   * @param seeds of the real workload
   */
  SearchRun(Lab lab, String only, int seeds, Progress progress) {
    this.lab = lab;
    this.only = only;
    this.seeds = seeds;
    this.progress = progress;
    sweeps = Matrix.sweeps().stream().filter(sweep -> chosen(sweep.id())).toList();
    queries = chosen(REAL) ? RealWorkload.queries(seeds) : List.of();
  }

  /** Returns the names of all parts. */
  static List<String> parts() {
    List<String> parts = new ArrayList<>(List.of(QUERY));
    Matrix.sweeps().forEach(sweep -> parts.add(sweep.id()));
    parts.addAll(List.of(REAL, READS, LOAD, PRODUCTION, MEMORY));
    return parts;
  }

  boolean chosen(String part) {
    return part.startsWith(only);
  }

  Outcomes outcomes() {
    return outcomes;
  }

  List<Sweep> sweeps() {
    return sweeps;
  }

  /** Returns the queries of the real workload; none if it is left out. */
  List<RealQueries.Query> queries() {
    return queries;
  }

  void all() throws IOException {
    synthetic();
    real();
  }

  /**
   * Runs the sweeps; those that share their lists run one after the other, so that lists are made
   * once.
   */
  private void synthetic() throws IOException {
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
      progress.tell(experiment.text(), done++, sorted.size());
      outcomes.put(experiment, lab.run(experiment));
    }
  }

  private void real() throws IOException {
    if (!queries.isEmpty()) {
      RealWorkload.run(lab, seeds, progress).forEach(outcomes::putReal);
    }
  }

  /** Returns the statistics of the drawn lists; null if the real workload is left out. */
  Table drawn() {
    if (queries.isEmpty()) {
      return null;
    }
    double[] skews = queries.stream().mapToDouble(RealQueries.Query::skew).toArray();
    return Table.of("Lists of the real-data rows", "What was drawn to the published statistics.")
        .text("statistic")
        .number("drawn", "")
        .row("queries", queries.size())
        .row("mean terms", mean(q -> q.all().lists()))
        .row("mean skew", RealQueries.mean(skews))
        .row("mean skew without the highest fifth", RealQueries.trimmed(skews))
        .row("mean entries of the longest list", mean(q -> q.all().longest()))
        .row("mean entries of the shortest list", mean(q -> q.pair().lengths().get(0)));
  }

  private double mean(ToDoubleFunction<RealQueries.Query> value) {
    return queries.stream().mapToDouble(value).average().orElseThrow();
  }
}
