/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.RealFit;
import org.luceneoffload.papers.lab.RealWorkload;
import org.luceneoffload.papers.study.Table;

/** Further tables of the paper on search: real data by seed, accesses of unions. */
final class SearchTables {
  private static final String UNIONS = "ranked-union-lists";

  private SearchTables() {}

  /** Returns those tables whose experiments have run. */
  static List<Table> tables(Outcomes outcomes) {
    List<Table> tables = new ArrayList<>();
    try {
      tables.add(seeds(outcomes));
    } catch (Outcomes.NotRun e) {
      // This run leaves real data out.
    }
    try {
      tables.add(unions(outcomes));
    } catch (Outcomes.NotRun e) {
      // As above.
    }
    return tables;
  }

  /** Returns the figures on real data by seed, with their mean and range. */
  private static Table seeds(Outcomes outcomes) {
    int seeds = outcomes.real(RealWorkload.operations().get(0)).size() / RealFit.QUERIES;
    Table table =
        Table.of(
                "Real data, by seed",
                RealFit.QUERIES
                    + " queries a seed. Figures are judged on the mean of "
                    + seeds
                    + " seeds, that is of all their queries.")
            .text("operation")
            .text("seed")
            .number("Smart SSD", "ms")
            .number("regular SSD", "ms")
            .number("Smart SSD", "mJ")
            .number("regular SSD", "mJ")
            .number("gain in latency", "x")
            .number("gain in energy", "x");
    for (String operation : RealWorkload.operations()) {
      List<Modelled> all = outcomes.real(operation);
      List<double[]> rows = new ArrayList<>();
      for (int seed = 0; seed < seeds; seed++) {
        rows.add(means(all.subList(seed * RealFit.QUERIES, (seed + 1) * RealFit.QUERIES)));
        add(table, operation, "" + (seed + 1), rows.get(seed));
      }
      add(table, operation, "mean", means(all));
      add(table, operation, "min", of(rows, true));
      add(table, operation, "max", of(rows, false));
    }
    return table;
  }

  private static void add(Table table, String operation, String seed, double[] v) {
    table.row(operation, seed, v[0], v[1], v[2], v[3], v[4], v[5]);
  }

  private static double[] means(List<Modelled> queries) {
    double device = mean(queries, m -> m.device().elapsedMs());
    double host = mean(queries, m -> m.host().elapsedMs());
    double deviceMj = mean(queries, m -> m.device().activeMj());
    double hostMj = mean(queries, m -> m.host().activeMj());
    return new double[] {device, host, deviceMj, hostMj, host / device, hostMj / deviceMj};
  }

  private static double mean(List<Modelled> queries, ToDoubleFunction<Modelled> value) {
    return queries.stream().mapToDouble(value).sum() / queries.size();
  }

  private static double[] of(List<double[]> rows, boolean least) {
    return IntStream.range(0, rows.get(0).length)
        .mapToDouble(
            i -> {
              var column = rows.stream().mapToDouble(row -> row[i]);
              return (least ? column.min() : column.max()).orElseThrow();
            })
        .toArray();
  }

  /** Returns the paper's formula for the accesses of a union beside those counted. */
  private static Table unions(Outcomes outcomes) {
    Table table =
        Table.of(
                "Accesses of a union",
                "Section 4.2: 2u accesses to lists for each document of a union of u lists, unless"
                    + " some lists are exhausted. Ranked union, lists of 10 MB and 0.1 MB in turn.")
            .number("lists", "")
            .number("documents", "")
            .number("formula 2u |union|", "accesses")
            .number("counted", "accesses")
            .number("counted over formula", "x");
    List<Modelled> points = outcomes.all(UNIONS);
    for (int i = 0; i < points.size(); i++) {
      int lists = i + 2;
      Modelled point = points.get(i);
      long formula = 2L * lists * point.results();
      long counted = point.device().listAccesses();
      table.row(lists, point.results(), formula, counted, (double) counted / formula);
    }
    return table;
  }
}
