/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchCorpus;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one short iteration of every benchmark, in this process, over a small index. */
class TestBenchmarks {
  private static final int DOCUMENTS = 2000;
  private static final List<Class<?>> SEARCHES =
      List.of(
          TopTenBenchmark.class,
          TopTenCountBenchmark.class,
          CountBenchmark.class,
          DocsBenchmark.class,
          ThreadsBenchmark.class);

  @TempDir private static Path temp;

  @BeforeAll
  static void files() throws IOException, InterruptedException {
    Random random = new Random(42);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      lines.append("{\"id\":").append(i).append(",\"body\":\"");
      for (int word = 0; word < 30; word++) {
        // The exponential of an even draw: word i is about as frequent as 1/(i+1).
        lines.append(" w").append((int) Math.exp(random.nextDouble() * Math.log(500)) - 1);
      }
      lines.append("\"}\n");
    }
    Path corpus = Files.writeString(temp.resolve("corpus.jsonl"), lines);
    Path index = temp.resolve("index");
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (OffloadDirectory directory = OffloadDirectory.open(index, "sim");
        IndexWriter writer = new IndexWriter(directory, config)) {
      BenchCorpus.read(corpus, DOCUMENTS).addTo(writer);
      writer.forceMerge(1);
    }
    Path queries =
        Files.writeString(
            temp.resolve("queries.txt"), "+w1 +w20\n+w3 +w4 +w5\nw1 w20\nw7 w300\n+w2 -w0\n");
    System.setProperty(BenchmarkFiles.INDEX, index.toString());
    System.setProperty(BenchmarkFiles.QUERIES, queries.toString());
    System.setProperty(BenchmarkFiles.CORPUS, corpus.toString());
    // Tests may run beside a real measurement.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @AfterAll
  static void properties() {
    for (String property :
        List.of(BenchmarkFiles.INDEX, BenchmarkFiles.QUERIES, BenchmarkFiles.CORPUS)) {
      System.clearProperty(property);
    }
  }

  private static Collection<RunResult> run(Class<?> benchmark, String... params)
      throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(benchmark.getName() + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    if (benchmark != IndexingBenchmark.class) {
      options.measurementTime(TimeValue.milliseconds(20));
    }
    for (int i = 0; i < params.length; i += 2) {
      options.param(params[i], params[i + 1]);
    }
    return new Runner(options.build()).run();
  }

  @Test
  void everySearchRunsForEachShapeAndSide() throws RunnerException {
    for (Class<?> benchmark : SEARCHES) {
      Set<String> seen = new TreeSet<>();
      for (RunResult result : run(benchmark)) {
        assertTrue(result.getPrimaryResult().getScore() > 0, benchmark.getName());
        seen.add(result.getParams().getParam("shape") + " " + result.getParams().getParam("side"));
      }
      assertEquals(
          Set.of(
              "AND lucene", "AND offload", "NOT lucene", "NOT offload", "OR lucene", "OR offload"),
          seen,
          benchmark.getName());
    }
  }

  @Test
  void indexingRunsOnBothSides() throws RunnerException {
    Collection<RunResult> results = run(IndexingBenchmark.class, "documents", "500");
    assertEquals(2, results.size());
    results.forEach(result -> assertTrue(result.getPrimaryResult().getScore() > 0));
  }

  @Test
  void openingAndLookingUpRunForBothKindsAndSides() throws RunnerException {
    for (Class<?> benchmark : List.of(OpeningBenchmark.class, LookupBenchmark.class)) {
      Collection<RunResult> results = run(benchmark, "terms", "3000");
      assertEquals(4, results.size());
      results.forEach(result -> assertTrue(result.getPrimaryResult().getScore() > 0));
    }
  }

  @Test
  void timesOfVersionsComeBackAndMakeARow() {
    double[][] best = {{8, 2}, {4, 4}, {2, 8}}; // stock, before, now
    VersionTimes one = VersionTimes.of("COUNT", 3, best, query -> "query " + query);
    VersionTimes read = VersionTimes.parse(one.line()).orElseThrow();
    assertEquals(one.line(), read.line());
    assertTrue(VersionTimes.parse("COUNT\t3").isEmpty());
    double[][] other = {{8, 2}, {1, 1}, {4, 1}};
    String row = read.row(VersionTimes.of("COUNT", 4, other, query -> "query " + query));
    // To Lucene before: means 4/4 and 4/1, totals 10/8 and 10/2. Now: 4/4 and 4/2, 10/10 and 10/5.
    // Before over now: 4/4 and 1/2, 8/10 and 2/5. Slowest: 2/8 and 2/1 are 0.25 in the first.
    assertEquals(
        "COUNT 7 2.00 / 2.50 1.41 / 1.41 0.707 / 0.566 0.25 at query 1", row.replaceAll(" +", " "));
  }

  @Test
  void wrongInputIsNamed() {
    IllegalArgumentException side =
        assertThrows(IllegalArgumentException.class, () -> open("AND", "host"));
    assertTrue(side.getMessage().contains("host"), side.getMessage());
    IllegalStateException shape =
        assertThrows(IllegalStateException.class, () -> open("MIXED", "lucene"));
    assertTrue(shape.getMessage().contains("queries.txt holds no query of MIXED"));
    String queries = System.setProperty(BenchmarkFiles.QUERIES, temp.resolve("none").toString());
    try {
      IllegalStateException file =
          assertThrows(IllegalStateException.class, () -> open("AND", "lucene"));
      assertTrue(file.getMessage().contains("none is missing"), file.getMessage());
    } finally {
      System.setProperty(BenchmarkFiles.QUERIES, queries);
    }
  }

  private static void open(String shape, String side) throws IOException {
    SearchState state = new SearchState();
    state.shape = shape;
    state.side = side;
    state.open();
  }
}
