/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.papers.classic.Operation;

/** The experiments on real data: queries of ten seeds, by seed and query. */
public final class RealWorkload {
  /**
   * What the paper runs on a query.
   *
   * @param name as figures have it
   * @param operation what it does
   * @param ranked whether the device ranks
   * @param pair whether it takes the shortest and the longest list alone
   */
  private record Program(String name, Operation operation, boolean ranked, boolean pair) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program("intersection", Operation.INTERSECTION, false, false),
          new Program("ranked-intersection", Operation.INTERSECTION, true, false),
          new Program("ranked-union", Operation.UNION, true, false),
          new Program("difference", Operation.DIFFERENCE, false, true),
          new Program("ranked-difference", Operation.DIFFERENCE, true, true));

  private RealWorkload() {}

  /** Returns the names of the operations. */
  public static List<String> operations() {
    return PROGRAMS.stream().map(Program::name).toList();
  }

  /** Returns the queries of so many seeds, one seed after the other. */
  public static List<RealQueries.Query> queries(int seeds) {
    return IntStream.rangeClosed(1, seeds)
        .mapToObj(seed -> RealQueries.draw(RealFit.QUERIES, seed))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Runs all, several queries at once.
   *
   * @param lab safe for several threads
   * @param seeds of the queries, from 1 on
   * @return by operation what each query took, in the order of {@link #queries}
   */
  public static Map<String, List<Modelled>> run(Lab lab, int seeds, Progress progress)
      throws IOException {
    List<RealQueries.Query> queries = queries(seeds);
    Map<String, List<Modelled>> all = new LinkedHashMap<>();
    PROGRAMS.forEach(program -> all.put(program.name(), new ArrayList<>()));
    for (int seed = 0; seed < seeds; seed++) {
      progress.tell("real workload, a seed", seed, seeds);
      int first = seed * RealFit.QUERIES;
      List<List<Modelled>> results;
      try {
        results =
            IntStream.range(first, first + RealFit.QUERIES)
                .parallel()
                .mapToObj(i -> run(lab, queries.get(i)))
                .toList();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      for (List<Modelled> result : results) {
        for (int i = 0; i < PROGRAMS.size(); i++) {
          all.get(PROGRAMS.get(i).name()).add(result.get(i));
        }
      }
    }
    return all;
  }

  private static List<Modelled> run(Lab lab, RealQueries.Query query) {
    List<Modelled> results = new ArrayList<>();
    for (Program program : PROGRAMS) {
      Workload workload = program.pair() ? query.pair() : query.all();
      try {
        results.add(
            lab.run(new ClassicExperiment(program.operation(), program.ranked(), workload)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return results;
  }
}
