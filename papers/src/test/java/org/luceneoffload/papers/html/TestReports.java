/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.Formulas;
import org.luceneoffload.papers.lab.Matrix;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.RealQueries;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Regret;
import org.luceneoffload.papers.study.ReproReport;
import org.luceneoffload.papers.study.Reproduction;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.xml.sax.InputSource;

/** Experiments, published figures and report, with a made-up model in place of the real one. */
class TestReports {
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

  private static ReproReport run(String only) throws IOException {
    List<String> progress = new ArrayList<>();
    ReproReport report =
        new Reproduction(
                Profiles.load("smart-ssd-sas"), TestReports::madeUp, only, progress::add, false)
            .run();
    assertFalse(progress.isEmpty());
    return report;
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
  void onlyIntersectionIsFitted() throws IOException {
    for (Published published : Published.of(Papers.SEARCH)) {
      if (published.id().contains("difference") || published.id().contains("union")) {
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
    List<RealQueries.Query> queries = RealQueries.draw(100, 1);
    assertEquals(queries, RealQueries.draw(100, 1));
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
  void twoRunsWriteTheSameBytes(@TempDir Path one, @TempDir Path other) throws IOException {
    List<Path> files = ReportFiles.write(run(""), one);
    ReportFiles.write(run(""), other);
    assertEquals(5, files.size());
    for (Path file : files) {
      assertEquals(-1, Files.mismatch(file, other.resolve(file.getFileName())), file.toString());
    }
  }

  @Test
  void thePageNeedsNoNetworkAndIsWellFormed(@TempDir Path dir) throws Exception {
    String page = Files.readString(ReportFiles.write(run(""), dir).get(0));
    assertFalse(page.contains("http"), "a link");
    assertFalse(page.contains("<script"), "a script");
    String xml = page.replace("<!DOCTYPE html>", "").replace("<meta charset=\"utf-8\">", "");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
    assertTrue(page.contains("<svg"));
  }

  /** The other papers follow the first, in the page and in the tables. */
  @Test
  void everyPaperHasItsSection(@TempDir Path dir) throws Exception {
    Map<String, Double> made = new LinkedHashMap<>();
    for (Published published : Published.of(Papers.TABLES)) {
      made.put(published.id(), 1.2 * published.value());
    }
    String profile = Papers.profileOf(Papers.TABLES);
    PaperReport other =
        new PaperReport(
            Papers.TABLES,
            "Another <paper>",
            profile,
            "title",
            List.of("a note"),
            List.of(),
            PaperReport.compare(Papers.TABLES, profile, made, Map.of("s2.ssd.64", "A reason.")),
            PaperReport.judge(
                Papers.TABLES,
                profile,
                List.of(new Trend("a trend", "section 1", true, false, "1")),
                Map.of()),
            List.of(Table.of("t", "n").number("h", "ms").row(7.25)),
            List.of());
    assertEquals(6, other.count(Published.Kind.COUNT, "MISS"));
    for (ReproReport report :
        List.of(run("query").with(List.of(other)), ReproReport.ofPapers(List.of(other)))) {
      List<Path> files = ReportFiles.write(report, dir);
      String page = Files.readString(files.get(0));
      assertTrue(page.contains("Another &lt;paper&gt;"), page);
      assertTrue(page.contains("A reason."), page);
      assertTrue(page.contains("h, ms"), page);
      assertTrue(page.contains("7.25"), page);
      assertTrue(page.contains("a trend. The reason is not known."), page);
      assertEquals(
          report.figures().size() > 0, page.contains("Smart SSD for search engines"), page);
      String csv = Files.readString(files.get(2));
      assertTrue(csv.contains("s2.rows.4,count,"), csv);
      assertTrue(csv.contains("MISS,s2\n"), csv);
      assertEquals(1 + report.figures().size() + made.size(), csv.lines().count());
    }
  }

  @Test
  void aSideIsChosenForEveryExperiment() throws IOException {
    Regret all = run("").regret();
    int points = Matrix.sweeps().stream().mapToInt(sweep -> sweep.points().size()).sum();
    assertEquals(points + 5 * 100, all.experiments());
    assertEquals(Matrix.sweeps().size() + 5, all.rows().size());
    Regret real = run("real").regret();
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
  }

  @Test
  void textIsEscaped() {
    assertEquals("a&lt;b&gt;&amp;&quot;&#39;", Html.escape("a<b>&\"'"));
    String svg =
        Svg.draw(
            new Svg.Plot(
                "a<b",
                "x&y",
                "\"z\"",
                List.of("<g>"),
                List.of(new Svg.Bars("n<", List.of(1.0)), new Svg.Bars("m", List.of(2.0))),
                List.of("<note>")));
    assertFalse(svg.matches("(?s).*<(b|g|note)>.*"), svg);
    assertEquals("a,\"b,c\",\"d\"\"e\"\n", ReportFiles.row("a", "b,c", "d\"e"));
  }

  @Test
  void anAxisIsLogarithmicIfValuesLieFarApart() {
    assertTrue(plot(1, 1000).contains("(log)"));
    assertFalse(plot(1, 10).contains("(log)"));
    assertFalse(plot(0, 10).contains("(log)"));
  }

  private static String plot(double low, double high) {
    return Svg.draw(
        new Svg.Plot(
            "t",
            "x",
            "y",
            List.of("g"),
            List.of(new Svg.Bars("a", List.of(low)), new Svg.Bars("b", List.of(high))),
            List.of()));
  }

  @Test
  void onlyChoosesByName() throws IOException {
    ReproReport report = run("difference-s");
    assertEquals(
        List.of("difference-size", "difference-skew"),
        report.sweeps().stream().map(ReproReport.SweepResult::id).toList());
    assertTrue(report.figures().stream().noneMatch(f -> f.published().id().startsWith("query")));
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> run("nothing"));
    assertTrue(e.getMessage().contains("ranked-union-lists"), e.getMessage());
  }
}
