/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The model's results of all experiments that ran. */
public final class Outcomes {
  private final Map<ClassicExperiment, Modelled> modelled = new HashMap<>();
  private final Map<String, Sweep> sweeps = new HashMap<>();
  private final Map<String, List<Modelled>> real = new HashMap<>();

  public void put(ClassicExperiment experiment, Modelled result) {
    modelled.put(experiment, result);
  }

  public void put(Sweep sweep) {
    sweeps.put(sweep.id(), sweep);
  }

  public void putReal(String operation, List<Modelled> results) {
    real.put(operation, results);
  }

  public Modelled get(ClassicExperiment experiment) {
    Modelled result = modelled.get(experiment);
    if (result == null) {
      throw new NotRun(experiment.toString());
    }
    return result;
  }

  public boolean has(ClassicExperiment experiment) {
    return modelled.containsKey(experiment);
  }

  /** Returns a point of a sweep. */
  Modelled at(String sweep, String label) {
    return sweep(sweep).points().stream()
        .filter(point -> point.label().equals(label))
        .map(point -> get(point.experiment()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(sweep + " has no point " + label));
  }

  /** Returns all points of a sweep, in order. */
  public List<Modelled> all(String sweep) {
    return sweep(sweep).points().stream().map(point -> get(point.experiment())).toList();
  }

  /** Returns the mean over points. */
  static double mean(Collection<Modelled> points, ToDoubleFunction<Modelled> value) {
    return points.stream().mapToDouble(value).sum() / points.size();
  }

  /** Returns the queries of the real workload. */
  public List<Modelled> real(String operation) {
    List<Modelled> results = real.get(operation);
    if (results == null) {
      throw new NotRun("real data, " + operation);
    }
    return results;
  }

  private Sweep sweep(String id) {
    Sweep sweep = sweeps.get(id);
    if (sweep == null) {
      throw new NotRun(id);
    }
    return sweep;
  }

  /** An experiment that this run leaves out. */
  public static final class NotRun extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRun(String what) {
      super(what + " did not run");
    }
  }
}
