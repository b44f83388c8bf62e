/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.lab.Sweep;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Table;

/** Brings the outcomes of the experiments into tables and plots, in the form of the paper. */
final class SweepTables {
  private static final Map<String, String> GROUPS = groups();
  private static final String SMART = "Smart SSD";
  private static final String REGULAR = "regular SSD";

  /** From this ratio of greatest to least value on, an axis is logarithmic. */
  private static final double LOG_FROM = 20;

  private final Outcomes outcomes;
  private final List<Table> tables;
  private final List<Plot> plots;
  private final Map<String, Double> figures = new LinkedHashMap<>();

  /** Adds to these tables and plots. */
  SweepTables(Outcomes outcomes, List<Table> tables, List<Plot> plots) throws IOException {
    this.outcomes = outcomes;
    this.tables = tables;
    this.plots = plots;
    Published.of(Papers.SEARCH).forEach(p -> figures.put(p.id(), p.value()));
  }

  private static Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    groups.put("query", "One query: lists of 2,938 and 65,057 entries (figures 7 and 8)");
    groups.put("results", "Sending and ranking results (section 7.2)");
    groups.put("means", "Mean gains on synthetic lists");
    groups.put("dram", "DRAM accesses");
    groups.put("real", "Real data (tables 3 to 5)");
    return groups;
  }

  /** Adds plots of the published figures and the modelled ones, by group and unit. */
  void published(Map<String, Double> values) throws IOException {
    Map<List<String>, List<Published>> byUnit = new LinkedHashMap<>();
    for (Published p : Published.of(Papers.SEARCH)) {
      if (values.containsKey(p.id())) {
        byUnit.computeIfAbsent(List.of(p.group(), p.unit()), key -> new ArrayList<>()).add(p);
      }
    }
    byUnit.forEach(
        (key, all) -> {
          List<Double> modelled = all.stream().map(p -> values.get(p.id())).toList();
          List<Double> published = all.stream().map(Published::value).toList();
          plots.add(
              Plot.of(
                      GROUPS.getOrDefault(key.get(0), key.get(0)) + ", " + key.get(1),
                      "",
                      new Axis("figure", "", false),
                      new Axis("", key.get(1), isWide(List.of(modelled, published))),
                      all.stream().map(Published::id).toList())
                  .add("modelled", Mark.BARS, modelled)
                  .published("the paper", published));
        });
  }

  private static boolean isWide(List<List<Double>> series) {
    List<Double> all = series.stream().flatMap(List::stream).toList();
    double least = Collections.min(all);
    return least > 0 && Collections.max(all) / least > LOG_FROM;
  }

  /** Adds the table of a sweep and its plots: latency, energy and gain. */
  void add(Sweep sweep) {
    Table table =
        Table.of(
                sweep.title(),
                sweep.id()
                    + "; in the paper: "
                    + sweep.paper()
                    + "; "
                    + (sweep.fitted() ? "fitted set" : "predicted")
                    + ".")
            .number(sweep.parameter(), "")
            .number(SMART, "ms")
            .number("load", "ms")
            .number("memory", "ms")
            .number("compute", "ms")
            .number("allocate", "ms")
            .number("link, send, rank, queue", "ms")
            .number(REGULAR, "ms")
            .number("its load", "ms")
            .number("gain", "x")
            .number("energy, " + SMART, "mJ")
            .number("energy, " + REGULAR, "mJ")
            .number("gain in energy", "x")
            .number("results", "")
            .number("list accesses", "")
            .number("pages", "");
    List<Modelled> all = outcomes.all(sweep.id());
    for (int i = 0; i < all.size(); i++) {
      table.row(row(sweep.points().get(i).label(), all.get(i)));
    }
    tables.add(table);
    sides(sweep, all, "latency", "simulated time", "ms", ModelReport::elapsedMs);
    sides(sweep, all, "energy", "energy over idle", "mJ", ModelReport::activeMj);
    gains(sweep, all);
  }

  private static Object[] row(String label, Modelled m) {
    ModelReport device = m.device();
    ModelReport host = m.host();
    return new Object[] {
      Double.valueOf(label),
      device.elapsedMs(),
      device.partMs("io"),
      device.partMs("dram"),
      device.partMs("compute"),
      device.partMs("fixed"),
      device.partMs("link", "send", "rank", "queue"),
      host.elapsedMs(),
      host.partMs("io"),
      m.latencyGain(),
      device.activeMj(),
      host.activeMj(),
      m.energyGain(),
      m.results(),
      device.listAccesses(),
      device.pageLoads()
    };
  }

  private void sides(
      Sweep sweep,
      List<Modelled> all,
      String what,
      String title,
      String unit,
      ToDoubleFunction<ModelReport> value) {
    List<Double> device = all.stream().map(m -> value.applyAsDouble(m.device())).toList();
    List<Double> host = all.stream().map(m -> value.applyAsDouble(m.host())).toList();
    plots.add(
        plot(sweep, what, title, unit, isWide(List.of(device, host)), labels(sweep))
            .add(SMART, Mark.BARS, device)
            .add(REGULAR, Mark.BARS, host));
  }

  /** Adds the plot of the gains, and of their means if the paper has those. */
  private void gains(Sweep sweep, List<Modelled> all) {
    List<Double> latency = new ArrayList<>(all.stream().map(Modelled::latencyGain).toList());
    List<Double> energy = new ArrayList<>(all.stream().map(Modelled::energyGain).toList());
    List<String> labels = new ArrayList<>(labels(sweep));
    boolean known = figures.containsKey(sweep.id() + ".latency");
    if (known) {
      labels.add("mean");
      latency.add(mean(latency));
      energy.add(mean(energy));
    }
    Plot plot =
        plot(sweep, "gain", "regular SSD over Smart SSD", "x", false, labels)
            .add("latency", Mark.BARS, latency)
            .add("energy", Mark.BARS, energy);
    if (known) {
      for (String what : List.of("latency", "energy")) {
        List<Double> points = new ArrayList<>(Collections.nCopies(all.size(), null));
        points.add(figures.get(sweep.id() + "." + what));
        plot.published("the paper, " + what, points);
      }
    }
    plots.add(plot);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static List<String> labels(Sweep sweep) {
    return sweep.points().stream().map(Sweep.Point::label).toList();
  }

  private static Plot plot(
      Sweep sweep, String what, String title, String unit, boolean log, List<String> labels) {
    return Plot.of(
        sweep.title() + ", " + what,
        "In the paper: " + sweep.paper() + ".",
        new Axis(sweep.parameter(), "", false),
        new Axis(title, unit, log),
        labels);
  }
}
