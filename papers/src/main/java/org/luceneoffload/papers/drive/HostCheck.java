/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Compares what queries take with what was predicted, by their shape. */
final class HostCheck {
  private final List<LabIndex.Task> tasks;
  private final List<HostLab.Work> works;
  private final HostTimes times;
  private final List<HostReport.Row> rows = new ArrayList<>();

  /** Predicts the microseconds of a query. */
  interface Prediction {
    double micros(LabIndex.Task task, HostLab.Work work) throws IOException;
  }

  HostCheck(List<LabIndex.Task> tasks, List<HostLab.Work> works, HostTimes times) {
    this.tasks = tasks;
    this.works = works;
    this.times = times;
  }

  /** Returns what the queries did, and what they took in memory, on cores of two speeds. */
  List<CostFit.Program> programs() {
    List<CostFit.Program> programs = new ArrayList<>();
    programs.addAll(MeasuredProfile.programs(works, times.of(HostTimes.Place.MEMORY), 1));
    programs.addAll(MeasuredProfile.programs(works, times.of(HostTimes.Place.HALF_CORES), 2));
    return programs;
  }

  private double[] predict(Prediction prediction) throws IOException {
    double[] predicted = new double[tasks.size()];
    for (int i = 0; i < predicted.length; i++) {
      predicted[i] = prediction.micros(tasks.get(i), works.get(i));
    }
    return predicted;
  }

  /**
   * Returns the microseconds that queries take beside what is predicted: the number with the least
   * squares of the relative errors, at least 0.
   */
  double left(HostTimes.Place place, Prediction prediction) throws IOException {
    double[] measured = times.of(place);
    double[] predicted = predict(prediction);
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < measured.length; i++) {
      sum += (1 - predicted[i] / measured[i]) / measured[i];
      weights += 1 / (measured[i] * measured[i]);
    }
    return Math.max(0, sum / weights);
  }

  /**
   * Adds a row for each shape.
   *
   * @param where the queries ran, in words
   */
  void add(String where, HostTimes.Place place, Prediction prediction) throws IOException {
    double[] measured = times.of(place);
    double[] predicted = predict(prediction);
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    for (int i = 0; i < measured.length; i++) {
      shapes.computeIfAbsent(tasks.get(i).row(), row -> new ArrayList<>()).add(i);
    }
    shapes.forEach(
        (shape, numbers) -> {
          double took = Math.exp(mean(numbers, n -> Math.log(measured[n])));
          double said = Math.exp(mean(numbers, n -> Math.log(predicted[n])));
          rows.add(
              new HostReport.Row(
                  where,
                  shape,
                  numbers.size(),
                  mean(numbers, n -> works.get(n).pages()),
                  took,
                  said,
                  HostReport.error(said, took)));
        });
  }

  private static double mean(List<Integer> numbers, ToDoubleFunction<Integer> value) {
    return numbers.stream().mapToDouble(value).average().orElseThrow();
  }

  /** Returns whether the queries have run at a place. */
  boolean has(HostTimes.Place place) {
    return times.of(place) != null;
  }

  /** Returns what was compared. */
  List<HostReport.Row> rows() {
    return List.copyOf(rows);
  }
}
