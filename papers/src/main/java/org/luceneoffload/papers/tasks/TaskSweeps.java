/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/** Figures 6 and 7: gains over bandwidths and over computing power; and over the task queue. */
final class TaskSweeps {
  private static final int[] POWERS = {1, 2, 4, 8, 16};
  private static final int[] RATIOS = {1, 2, 4, 8};
  private static final int[] PLACES = {1, 2, 4, 8, 16, 32};
  private static final int LONGER = 2;
  private static final int MANY_CORES = 16;
  private static final String LINK = "device.link_bytes_per_s";
  private static final String GAIN = "Gain of dynamic placement over the host alone";

  private final TaskRuns runs;
  private final List<Table> tables = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();
  private final List<Trend> trends = new ArrayList<>();

  /** Plays both sweeps, and the lengths of the queue. */
  TaskSweeps(TaskRuns runs) throws ProfileException {
    this.runs = runs;
    ratios();
    powers();
    places();
  }

  List<Table> tables() {
    return tables;
  }

  List<Plot> plots() {
    return plots;
  }

  List<Trend> trends() {
    return trends;
  }

  /** Returns the gains of the workloads, and their mean. */
  private List<Double> gains(DeviceProfile device, DeviceProfile before, Mode mode)
      throws ProfileException {
    List<Double> gains = new ArrayList<>();
    double sum = 0;
    for (Workload workload : runs.all()) {
      double gain =
          runs.on(device).of(workload, mode).gainPct(runs.on(before).of(workload, Mode.HOST));
      gains.add(gain);
      sum += gain;
    }
    gains.add(sum / runs.all().size());
    return gains;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(runs.all().stream().map(Workload::name).toList());
    names.add("mean");
    return names;
  }

  private Table table(String title, String note, String first) {
    Table table = Table.of(title, note).text(first);
    names().forEach(name -> table.number(name, "%"));
    return table;
  }

  private static void row(Table table, String first, List<Double> gains) {
    List<Object> cells = new ArrayList<>();
    cells.add(first);
    cells.addAll(gains);
    table.row(cells.toArray());
  }

  private Plot plot(String title, Axis x, int[] points, List<List<Double>> rows) {
    Plot plot = Plot.of(title, GAIN + ".", x, new Axis("gain", "%", false));
    List<Double> xs = Arrays.stream(points).asDoubleStream().boxed().toList();
    List<String> names = names();
    for (int i = 0; i < names.size(); i++) {
      int column = i;
      List<Double> ys = rows.stream().map(row -> row.get(column)).toList();
      plot.add(new Series(names.get(i), Mark.LINE, false, xs, ys));
    }
    plots.add(plot);
    return plot;
  }

  private void growing(String text, String source, List<List<Double>> rows) {
    List<Double> means = rows.stream().map(List::getLast).toList();
    boolean grows = true;
    for (int i = 1; i < means.size(); i++) {
      grows &= means.get(i) >= means.get(i - 1);
    }
    trends.add(TaskStudy.trend(text, source, grows, means.stream().map(TaskStudy::pct).toList()));
  }

  private void ratios() throws ProfileException {
    Table table =
        table(
            "Internal over external bandwidth (figure 6)",
            GAIN
                + " on the same link. The link between flash controller and cores stays as it is,"
                + " that to the host becomes narrower; the board has 2.",
            "ratio");
    long internal = 2 * runs.profile().get(LINK);
    List<List<Double>> rows = new ArrayList<>();
    for (int ratio : RATIOS) {
      DeviceProfile device = runs.profile().with(LINK, internal / ratio, "an experiment");
      rows.add(gains(device, device, Mode.DYNAMIC));
      row(table, ratio + "", rows.getLast());
    }
    tables.add(table);
    plot("Figure 6", new Axis("internal over external bandwidth", "x", true), RATIOS, rows);
    growing("the gain grows with internal over external bandwidth", "section 6.4, figure 6", rows);
  }

  private void powers() throws ProfileException {
    Table table =
        table(
            "Computing power of the device (figure 7)",
            GAIN
                + ": the clock of one core times 1 to 8, two cores at eight times the clock, and"
                + " sixteen cores at the board's clock with two places each in the queue: a core"
                + " without a page does nothing.",
            "power");
    List<List<Double>> rows = new ArrayList<>();
    for (int power : POWERS) {
      rows.add(gains(TaskFit.faster(runs.profile(), power), runs.profile(), Mode.DYNAMIC));
      row(table, power + "", rows.getLast());
    }
    DeviceProfile cores = runs.profile().with("device.core_count", MANY_CORES, "an experiment");
    Mode places = Mode.DYNAMIC.withSlots(2 * MANY_CORES);
    row(table, MANY_CORES + " cores", gains(cores, runs.profile(), places));
    tables.add(table);
    plot("Figure 7", new Axis("computing power of the device", "x", true), POWERS, rows)
        .add(point("mean, in the paper", List.of(16.0), List.of(94.5)))
        .add(point("Q1, in the paper", List.of(1.0, 16.0), List.of(10.3, 120.0)))
        .add(point("Q6, in the paper", List.of(1.0), List.of(16.4)))
        .add(point("Q14, in the paper", List.of(1.0), List.of(20.3)))
        .add(point("join, in the paper", List.of(1.0), List.of(6.9)));
    growing("the gain grows with the computing power of the device", "section 6.5, figure 7", rows);
  }

  private static Series point(String name, List<Double> x, List<Double> y) {
    return new Series(name, Mark.POINTS, true, x, y);
  }

  private void places() throws ProfileException {
    Table table =
        Table.of(
                "Length of the task queue",
                GAIN
                    + " in the steady state, and with a table of the paper's size: there the host"
                    + " waits for what is still in the queue when the last page has come.")
            .number("places", "");
    for (Workload workload : runs.all()) {
      table.number(workload.name(), "%").number(workload.name() + ", one table", "%");
    }
    for (int places : PLACES) {
      List<Object> row = new ArrayList<>();
      row.add(places);
      for (Workload workload : runs.all()) {
        row.add(ofPlaces(runs, workload, places));
        row.add(
            runs.lab()
                .table(runs.profile(), workload, Mode.DYNAMIC.withSlots(places))
                .gainPct(runs.lab().table(runs.profile(), workload, Mode.HOST)));
      }
      table.row(row.toArray());
    }
    tables.add(table);
  }

  /** Returns the gain with so many places, over runs that are long enough for any. */
  static double ofPlaces(TaskRuns runs, Workload workload, int places) throws ProfileException {
    int length = LONGER * runs.lab().pages();
    Mode mode = Mode.DYNAMIC.withSlots(places);
    return runs.lab()
        .steady(runs.profile(), workload, mode, length)
        .gainPct(runs.lab().steady(runs.profile(), workload, Mode.HOST, length));
  }
}
