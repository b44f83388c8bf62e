/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.RealFit;
import org.luceneoffload.papers.lab.RealQueries;
import org.luceneoffload.papers.lab.RealWorkload;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;

/** The paper's experiments and figures, with a made-up model in place of the real one. */
class TestSearchStudy {
  /** Times and energies that only follow from the experiment. */
  private static Modelled madeUp(ClassicExperiment experiment) {
    long hash = Math.floorMod(experiment.hashCode(), 1000) + 1000L;
    return new Modelled(report("device", hash), report("host", 2 * hash), hash);
  }

  private static ModelReport report(String side, long ms) {
    Map<String, Long> parts = new LinkedHashMap<>();
    ModelNames.PARTS.forEach(part -> parts.put(part, ms * 1_000_000_000 / 8));
    Map<String, Long> work = new LinkedHashMap<>();
    ModelNames.WORK.forEach(kind -> work.put(kind, ms));
    Map<String, Long> energy = new LinkedHashMap<>();
    ModelNames.COMPONENTS.forEach(component -> energy.put(component, ms * 1_000_000_000));
    long ps = ms * 1_000_000_000;
    return new ModelReport(
        side, 0, ps, ps, parts, parts, energy, energy, work, 10, 10, 100, 100, 5, 0);
  }

  private static PaperReport run(String only) throws IOException {
    List<String> progress = new ArrayList<>();
    PaperReport report =
        new SearchStudy(only, TestSearchStudy::madeUp, RealFit.SEEDS)
            .run(Profiles.load("smart-ssd-sas"), (step, done, total) -> progress.add(step));
    assertFalse(progress.isEmpty());
    return report;
  }

  private static List<String> titles(PaperReport report) {
    return report.tables().stream().map(Table::title).toList();
  }

  @Test
  void aSampleHasTheFiguresOfOneSeed() throws IOException {
    SearchStudy sample = new SearchStudy("real", TestSearchStudy::madeUp, 1);
    PaperReport report = sample.run(Profiles.load("smart-ssd-sas"), Progress.NONE);
    assertEquals(List.of(1L), sample.seeds());
    assertTrue(report.figures().size() > 10, report.figures()::toString);
    assertTrue(
        report.tables().stream().anyMatch(table -> table.note().contains("mean of 1 seeds")));
    try (Study whole = new SearchStudy("real").sample()) {
      assertEquals(sample.seeds(), whole.seeds());
    }
  }

  @Test
  void everyPublishedFigureHasAFormulaAndTheOtherWayRound() throws IOException {
    Set<String> ids = new HashSet<>();
    for (Published published : Published.of(Papers.SEARCH)) {
      assertTrue(ids.add(published.id()), published.id());
      assertTrue(published.value() > 0, published.id());
      assertFalse(published.source().isBlank(), published.id());
    }
    assertEquals(ids, Set.copyOf(new Formulas().ids()));
    assertEquals(ids.size(), run("").figures().size());
  }

  @Test
  void onlyIntersectionAndTheDifferenceOfRealDataAreFitted() throws IOException {
    for (Published published : Published.of(Papers.SEARCH)) {
      if (published.id().startsWith("real.difference.") && !published.id().endsWith("results")) {
        assertEquals(Published.Kind.FITTED, published.kind(), published.id());
      } else if (published.id().contains("difference") || published.id().contains("union")) {
        assertNotEquals(Published.Kind.FITTED, published.kind(), published.id());
      }
    }
    for (Sweep sweep : Matrix.sweeps()) {
      assertEquals(sweep.id().contains("intersection"), sweep.fitted(), sweep.id());
    }
  }

  @Test
  void theMatrixIsThePapers() {
    Map<String, Sweep> sweeps = new LinkedHashMap<>();
    Matrix.sweeps().forEach(sweep -> sweeps.put(sweep.id(), sweep));
    assertEquals(23, sweeps.size());
    assertEquals(
        List.of("1", "10", "100", "1000", "10000"),
        sweeps.get("intersection-skew").points().stream().map(Sweep.Point::label).toList());
    assertEquals(
        List.of("0.01", "0.1", "1", "10", "100"),
        sweeps.get("difference-skew").points().stream().map(Sweep.Point::label).toList());
    assertEquals(
        List.of("0.1", "1", "10", "100"),
        sweeps.get("ranked-union-equal").points().stream().map(Sweep.Point::label).toList());
    assertEquals(7, sweeps.get("ranked-union-lists").points().size());
    assertTrue(sweeps.get("difference-skew").points().get(0).experiment().workload().longerFirst());
  }

  @Test
  void realQueriesHaveThePublishedStatistics() {
    List<RealQueries.Query> queries = RealWorkload.queries(RealFit.SEEDS);
    assertEquals(queries, RealWorkload.queries(RealFit.SEEDS));
    double terms = queries.stream().mapToInt(q -> q.all().lists()).average().orElseThrow();
    assertEquals(RealQueries.MEAN_TERMS, terms, 0.05);
    double[] skews = queries.stream().mapToDouble(RealQueries.Query::skew).toArray();
    assertEquals(RealQueries.MEAN_SKEW, RealQueries.mean(skews), 0.05 * RealQueries.MEAN_SKEW);
    assertEquals(
        RealQueries.TRIMMED_SKEW, RealQueries.trimmed(skews), 0.05 * RealQueries.TRIMMED_SKEW);
    double shortest =
        queries.stream().mapToInt(q -> q.pair().lengths().get(0)).average().orElseThrow();
    double results = RealQueries.MEAN_INTERSECTION + RealQueries.MEAN_DIFFERENCE;
    assertEquals(results, shortest, 0.05 * results);
    for (RealQueries.Query query : queries) {
      List<Integer> lengths = query.all().lengths();
      assertEquals(query.all().lists(), lengths.size());
      assertEquals(query.all().longest(), lengths.get(lengths.size() - 1));
      lengths.forEach(length -> assertTrue(length >= lengths.get(0), lengths.toString()));
    }
  }

  @Test
  void aSideIsChosenForEveryExperiment() throws IOException {
    int points = Matrix.sweeps().stream().mapToInt(sweep -> sweep.points().size()).sum();
    assertEquals(points + 5 * 1000, regret("").experiments());
    assertEquals(Matrix.sweeps().size() + 5, regret("").rows().size());
    Regret real = regret("real");
    assertEquals(
        List.of(
            "real-intersection",
            "real-ranked-intersection",
            "real-ranked-union",
            "real-difference",
            "real-ranked-difference"),
        real.rows().stream().map(Regret.Row::id).toList());
    // The made-up device is twice as fast as its host: who chooses the host loses as much again.
    assertEquals(100.0 * real.wrong() / real.experiments(), real.meanPct(), 1e-9);
    assertTrue(real.wrong() > 0 && real.wrong() < real.experiments());
    assertNull(regret("reads"));
  }

  private static Regret regret(String only) throws IOException {
    DeviceProfile profile = Profiles.load("smart-ssd-sas");
    SearchRun run = new SearchRun(TestSearchStudy::madeUp, only, RealFit.SEEDS, Progress.NONE);
    run.all();
    return Regret.of(profile, run.sweeps(), run.queries(), run.outcomes());
  }

  @Test
  void onlyChoosesByName() throws IOException {
    PaperReport report = run("difference-s");
    assertEquals(
        List.of("difference: list size", "difference: skew", "Choosing a side before running"),
        titles(report));
    assertTrue(report.figures().stream().noneMatch(f -> f.published().id().startsWith("query")));
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> run("nothing"));
    assertTrue(e.getMessage().contains("ranked-union-lists"), e.getMessage());
  }

  /** Every sweep is a table and three plots; the paper's means stand beside the modelled ones. */
  @Test
  void thePapersMeansAreDrawn() throws IOException {
    PaperReport report = run("intersection-size");
    Plot gains =
        report.plots().stream()
            .filter(plot -> plot.title().equals("intersection: list size, gain"))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of("1", "10", "50", "100", "mean"), gains.categories());
    Plot.Series paper = gains.series().get(2);
    assertTrue(paper.published(), paper::toString);
    assertEquals(2.5, paper.y().get(4));
    assertNull(paper.y().get(0));
    assertEquals(2, report.plots().indexOf(gains) - report.plots().size() + 3);
    int sweeps = Matrix.sweeps().size();
    assertTrue(run("").plots().size() > 3 * sweeps);
    assertEquals(sweeps + 4, run("").tables().size());
  }
}
