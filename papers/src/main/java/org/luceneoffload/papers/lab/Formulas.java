/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.Operation;

/** How each published figure follows from what was modelled. */
public final class Formulas {
  /** The query whose time the paper takes apart: lists of 2,938 and 65,057 entries. */
  public static final ClassicExperiment QUERY =
      new ClassicExperiment(
          Operation.INTERSECTION,
          false,
          new Workload(2, 65_057, 1, 10_000, List.of(2938, 65_057), false, 1));

  /** An intersection with 30,000 results. */
  public static final ClassicExperiment RESULTS =
      new ClassicExperiment(Operation.INTERSECTION, false, Workload.of(2, 30_000, 1, 1_000_000, 1));

  private static final String[] CPU = {"dram", "compute", "fixed"};

  private final Map<String, ToDoubleFunction<Outcomes>> formulas = new LinkedHashMap<>();

  public Formulas() {
    query();
    results();
    means();
    accesses();
    sizes();
    for (String op :
        List.of(
            "intersection",
            "ranked-intersection",
            "difference",
            "ranked-difference",
            "ranked-union")) {
      real(op);
    }
    for (String op : List.of("intersection", "difference")) {
      formulas.put(
          "real." + op + ".results", o -> Outcomes.mean(o.real(op), m -> (double) m.results()));
    }
  }

  /** Returns the modelled value of a published figure. */
  public double value(String id, Outcomes outcomes) {
    ToDoubleFunction<Outcomes> formula = formulas.get(id);
    if (formula == null) {
      throw new IllegalArgumentException("no formula for the published figure " + id);
    }
    return formula.applyAsDouble(outcomes);
  }

  /** Returns the figures that have a formula. */
  public List<String> ids() {
    return List.copyOf(formulas.keySet());
  }

  private void query() {
    formulas.put("query.host.io", o -> o.get(QUERY).host().partMs("io", "link"));
    formulas.put("query.device.io", o -> o.get(QUERY).device().partMs("io"));
    formulas.put(
        "query.host.cpu", o -> o.get(QUERY).host().partMs("dram", "compute", "fixed", "rank"));
    // All that is not I/O: sending and polling were part of it.
    formulas.put(
        "query.device.cpu",
        o -> o.get(QUERY).device().elapsedMs() - o.get(QUERY).device().partMs("io"));
    formulas.put("query.inside.load", o -> inside(o, "io"));
    formulas.put("query.inside.memory", o -> inside(o, "dram"));
    formulas.put("query.inside.compute", o -> inside(o, "compute"));
    formulas.put("query.inside.allocate", o -> inside(o, "fixed"));
  }

  private static double inside(Outcomes outcomes, String part) {
    ModelReport device = outcomes.get(QUERY).device();
    return 100 * device.partMs(part) / (device.partMs("io") + device.partMs(CPU));
  }

  private void results() {
    formulas.put("send.30000", o -> o.get(RESULTS).device().partMs("send"));
    formulas.put("rank.30000", o -> o.get(RESULTS).host().partMs("rank"));
    formulas.put("rise.unranked", o -> rise(o, "intersection-equal", Modelled::device));
    formulas.put("rise.ranked", o -> rise(o, "ranked-intersection-equal", Modelled::device));
    formulas.put("rise.host", o -> rise(o, "intersection-equal", Modelled::host));
  }

  private interface Side {
    ModelReport of(Modelled modelled);
  }

  private static double rise(Outcomes outcomes, String sweep, Side side) {
    return side.of(outcomes.at(sweep, "100")).elapsedMs()
        - side.of(outcomes.at(sweep, "10")).elapsedMs();
  }

  private void means() {
    for (String sweep : List.of("intersection-size", "intersection-lists", "difference-size")) {
      gains(sweep, o -> o.all(sweep));
    }
    // The draft says so of every list size and skew, and of every ratio of equal lists but 100 %.
    gains(
        "ranked-union",
        o -> {
          List<Modelled> points = new ArrayList<>(o.all("ranked-union-size"));
          points.addAll(o.all("ranked-union-skew"));
          List<Modelled> equal = o.all("ranked-union-equal");
          points.addAll(equal.subList(0, equal.size() - 1));
          return points;
        });
  }

  private void gains(String id, Function<Outcomes, List<Modelled>> points) {
    formulas.put(id + ".latency", o -> Outcomes.mean(points.apply(o), Modelled::latencyGain));
    formulas.put(id + ".energy", o -> Outcomes.mean(points.apply(o), Modelled::energyGain));
  }

  /** Numbers of results, which the paper gives for the ends of some sweeps. */
  private void sizes() {
    results("size.intersection.100mb", "intersection-size", "100");
    results("size.intersection.1mb", "intersection-size", "1");
    results("size.intersection.skew1", "intersection-skew", "1");
    results("size.intersection.lists", "intersection-lists", "8");
    results("size.difference.100mb", "difference-size", "100");
  }

  private void results(String id, String sweep, String label) {
    formulas.put(id, o -> (double) o.at(sweep, label).results());
  }

  private void accesses() {
    for (String skew : List.of("1", "10", "100", "1000")) {
      formulas.put(
          "dram.intersection." + skew,
          o -> {
            ModelReport device = o.at("intersection-skew", skew).device();
            return (double) device.listAccesses() / device.pageLoads();
          });
    }
    for (String skew : List.of("0.01", "0.1", "1", "10", "100")) {
      formulas.put(
          "dram.difference." + skew,
          o -> (double) o.at("difference-skew", skew).device().listAccesses());
    }
  }

  private void real(String op) {
    String id = "real." + op;
    // The paper averages times, and divides the averages.
    formulas.put(
        id + ".latency",
        o ->
            Outcomes.mean(o.real(op), m -> m.host().elapsedMs())
                / Outcomes.mean(o.real(op), m -> m.device().elapsedMs()));
    formulas.put(
        id + ".energy",
        o ->
            Outcomes.mean(o.real(op), m -> m.host().activeMj())
                / Outcomes.mean(o.real(op), m -> m.device().activeMj()));
    formulas.put(id + ".device.ms", o -> Outcomes.mean(o.real(op), m -> m.device().elapsedMs()));
    formulas.put(id + ".host.ms", o -> Outcomes.mean(o.real(op), m -> m.host().elapsedMs()));
    formulas.put(id + ".device.mj", o -> Outcomes.mean(o.real(op), m -> m.device().activeMj()));
    formulas.put(id + ".host.mj", o -> Outcomes.mean(o.real(op), m -> m.host().activeMj()));
  }
}
