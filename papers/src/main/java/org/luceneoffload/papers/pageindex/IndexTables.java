/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.papers.pageindex.IndexLab.Load;
import org.luceneoffload.papers.pageindex.IndexLab.Outcome;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Table;

/** Tables and plots of the paper on page indexes: its figures 4 and 9 to 13. */
final class IndexTables {
  private static final Axis GAIN = new Axis("speed over the host tree", "x", false);
  private static final Axis LOADS = new Axis("", "", false);

  private IndexTables() {}

  static List<Table> tables(IndexResults results, ProductIndex product, IndexPlan plan)
      throws IOException {
    return List.of(everyKind(results), plan(results, plan), product(product));
  }

  private static Table plan(IndexResults results, IndexPlan plan) throws IOException {
    Outcome s = results.of(Load.SCAN, Kind.S);
    return Table.of(
            "One plan instead of a command a page",
            "A scan of the kernel. FLIXR-S sends READ_IDX for each page, and gets those that may"
                + " match. A plan of this project's engine, which is not in the paper, has the"
                + " device walk its index by itself, and counts the rows under the engine's timing"
                + " model; it reads the keys of pages that are not all in one range.")
        .text("how")
        .number("commands", "")
        .number("time", "ms")
        .number("pages read", "")
        .row(
            Kind.S.title,
            s.commands() / IndexLab.QUERIES,
            s.ms(),
            s.dataBytes() / PagedTable.PAGE_BYTES / IndexLab.QUERIES)
        .row("plan", 1, plan.report().elapsedMs(), plan.report().pageLoads());
  }

  private static Table everyKind(IndexResults results) throws IOException {
    Table table =
        Table.of(
                "Every kind of index",
                "Oracle: the pages that the tree names, found for nothing. Bytes are those that"
                    + " come to the host.")
            .text("load")
            .text("index")
            .number("time", "ms")
            .number("speed over the host tree", "x")
            .number("commands", "")
            .number("data", "B")
            .number("nodes", "B")
            .number("updates", "B");
    for (Load load : Load.values()) {
      if (load == Load.Q6_TWO_KEYS || load == Load.Q14_TWO_KEYS) {
        continue;
      }
      for (Kind kind : Kind.values()) {
        if (kind.isCached()) {
          continue;
        }
        Outcome o = results.of(load, kind);
        table.row(
            load.title,
            kind.title,
            o.ms(),
            results.gain(load, kind),
            o.commands(),
            o.dataBytes(),
            o.nodeBytes(),
            o.updateBytes());
      }
    }
    return table;
  }

  private static Table product(ProductIndex product) {
    return Table.of(
            "The product's own page index",
            "Of the column pages of the tables, on a device of the engine. Its cache holds two"
                + " index pages, of 512 entries each; the product's, of 16 MiB, holds the entries"
                + " of 1.5 GiB of pages. The power fails after "
                + ProductIndex.REWRITTEN
                + " pages were written, and after a flush.")
        .number("pages", "")
        .number("index in pages of 4 KB", "%")
        .number("index in pages of a table", "%")
        .number("look-ups", "")
        .number("index pages read", "")
        .number("found in the cache", "%")
        .number("entries rebuilt", "")
        .number("after a flush", "")
        .row(
            product.columnPages(),
            100 * product.share(),
            product.pagePercent(),
            product.looks(),
            product.loads(),
            product.hitPercent(),
            product.rebuilt(),
            product.rebuiltAfterFlush());
  }

  static List<Plot> plots(IndexResults r) throws IOException {
    List<Plot> plots = new ArrayList<>();
    plots.add(breakdown(r));
    plots.add(
        gains(
                r,
                "Figure 9: kernels",
                IndexLab.KERNELS,
                List.of(Kind.NONE, Kind.TREE, Kind.DEVICE_TREE, Kind.S, Kind.HS))
            .published("FLIXR-S, published", Arrays.asList(0.92, null, 0.92, 1.58))
            .published("FLIXR-HS, published", Arrays.asList(1.75, 1.40, 1.30, 1.39)));
    plots.add(databases(r));
    plots.add(traffic(r));
    plots.add(twoKeys(r));
    plots.add(caching(r));
    return plots;
  }

  private static List<String> titles(List<Load> loads) {
    return loads.stream().map(load -> load.title).toList();
  }

  private static List<Double> each(List<Load> loads, IndexResults.Figure figure)
      throws IOException {
    List<Double> values = new ArrayList<>();
    for (Load load : loads) {
      values.add(figure.of(load));
    }
    return values;
  }

  private static Plot gains(IndexResults r, String title, List<Load> loads, List<Kind> kinds)
      throws IOException {
    Plot plot =
        Plot.of(
            title, "Queries a minute over those with the host's tree.", LOADS, GAIN, titles(loads));
    for (Kind kind : kinds) {
      plot.add(kind.title, Mark.BARS, each(loads, load -> r.gain(load, kind)));
    }
    return plot;
  }

  private static List<String> withMeans(List<Load> loads, String... means) {
    List<String> names = new ArrayList<>(titles(loads));
    names.addAll(List.of(means));
    return names;
  }

  private static Plot breakdown(IndexResults r) throws IOException {
    List<Load> loads = IndexLab.DATABASES;
    List<Double> shares = each(loads, r::indexTime);
    shares.add(IndexResults.mean(List.of(Load.NEW_ORDER, Load.PAYMENT), r::indexTime));
    shares.add(IndexResults.mean(loads, r::indexTime));
    return Plot.of(
            "Figure 4: time of the index with a host tree",
            "What an oracle would save.",
            LOADS,
            new Axis("share of the time", "%", false),
            withMeans(loads, "TPC-C", "all"))
        .add("host tree", Mark.BARS, shares)
        .published("published", Arrays.asList(null, null, null, null, null, null, 63.0, 47.5));
  }

  private static Plot databases(IndexResults r) throws IOException {
    List<Load> loads = IndexLab.DATABASES;
    Plot plot =
        Plot.of(
            "Figure 10: TPC-C and TPC-H",
            "Transactions and queries a minute over those with the host's tree.",
            LOADS,
            GAIN,
            withMeans(loads, "TPC-C", "Q4, Q14", "all"));
    for (Kind kind :
        List.of(Kind.NONE, Kind.TREE, Kind.IDEAL_TREE, Kind.DEVICE_TREE, Kind.S, Kind.HS)) {
      List<Double> gains = each(loads, load -> r.gain(load, kind));
      gains.add(r.gain(List.of(Load.NEW_ORDER, Load.PAYMENT), kind));
      gains.add(r.gain(List.of(Load.Q4, Load.Q14), kind));
      gains.add(r.gain(loads, kind));
      plot.add(kind.title, Mark.BARS, gains);
    }
    return plot.published("ideal host tree, published", means(null, null, 1.281))
        .published("tree in the SSD, published", means(null, null, 1.058))
        .published("FLIXR-S, published", means(1.59, 1.39, 1.296))
        .published("FLIXR-HS, published", means(1.55, 1.67, 1.526));
  }

  private static List<Double> means(Double tpcC, Double joins, Double all) {
    return Arrays.asList(null, null, null, null, null, null, tpcC, joins, all);
  }

  private static Plot traffic(IndexResults r) throws IOException {
    List<Load> loads = IndexLab.DATABASES;
    Plot plot =
        Plot.of(
            "Figure 11: traffic to the host",
            "Bytes that come to the host over those with the host's tree.",
            LOADS,
            new Axis("traffic", "%", false),
            withMeans(loads, "all"));
    List<Double> nodes = each(loads, load -> r.traffic(load, r.of(load, Kind.TREE).nodeBytes()));
    nodes.add(nodes.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    plot.add("host tree, nodes", Mark.BARS, nodes);
    for (Kind kind : List.of(Kind.DEVICE_TREE, Kind.S, Kind.HS)) {
      List<Double> all = each(loads, load -> r.traffic(load, r.of(load, kind).bytes()));
      all.add(all.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
      plot.add(kind.title, Mark.BARS, all);
    }
    return plot.published(
            "host tree, nodes, published", Arrays.asList(null, null, null, null, null, null, 36.0))
        .published("FLIXR-HS, published", Arrays.asList(null, null, null, null, null, null, 69.0));
  }

  private static Plot twoKeys(IndexResults r) throws IOException {
    List<Load> one = List.of(Load.Q6, Load.Q14);
    List<Load> two = List.of(Load.Q6_TWO_KEYS, Load.Q14_TWO_KEYS);
    Plot plot =
        Plot.of(
            "Figure 12: two keys",
            "Speed over the host's tree with one key.",
            LOADS,
            GAIN,
            List.of("Q6", "Q14", "mean"));
    for (Kind kind : List.of(Kind.TREE, Kind.S, Kind.HS)) {
      List<Double> gains = new ArrayList<>();
      for (int i = 0; i < one.size(); i++) {
        gains.add(r.of(one.get(i), Kind.TREE).ms() / r.of(two.get(i), kind).ms());
      }
      gains.add((gains.get(0) + gains.get(1)) / 2);
      plot.add(kind.title, Mark.BARS, gains);
    }
    return plot.published("FLIXR-S, published", Arrays.asList(null, null, 1.39))
        .published("FLIXR-HS, published", Arrays.asList(null, null, 1.65));
  }

  private static Plot caching(IndexResults r) throws IOException {
    List<Load> loads = IndexStudy.READS;
    Plot plot =
        Plot.of(
            "Figure 13: index pages in flash, with a cache",
            "Speed over that with all entries in DRAM.",
            LOADS,
            new Axis("speed", "%", false),
            withMeans(loads, "mean"));
    for (Kind kind : List.of(Kind.S, Kind.HS)) {
      Kind cached = kind == Kind.S ? Kind.S_CACHED : Kind.HS_CACHED;
      List<Double> all = each(loads, load -> 100 * r.of(load, kind).ms() / r.of(load, cached).ms());
      all.add(all.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
      plot.add(kind.title, Mark.BARS, all);
    }
    return plot.published(
            "FLIXR-S, published", Arrays.asList(null, null, null, null, null, null, 94.1))
        .published("FLIXR-HS, published", Arrays.asList(null, null, null, null, null, null, 93.6));
  }
}
