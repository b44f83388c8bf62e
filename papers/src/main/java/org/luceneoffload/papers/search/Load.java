/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Several requests at once, which the paper's device could not do: the default intersection, asked
 * again and again at a steady rate, whether the ones before are done or not.
 */
final class Load {
  /** Rates, in what the host can do one after the other. */
  private static final double[] RATES = {0.5, 1, 2, 4, 8, 16};

  private static final int REQUESTS = 64;
  private static final double PS_A_S = 1e12;

  private Load() {}

  /** Plays one request many times, and adds what comes out. */
  static void add(
      DeviceProfile profile, ClassicExperiment experiment, List<Table> tables, List<Plot> plots)
      throws IOException {
    Table table =
        Table.of(
                "Several requests at once, " + profile.name(),
                "The default intersection (10 MB, skew 100), 64 times at a steady rate. The paper's"
                    + " device could run one at a time; the model lets one load its pages while"
                    + " another computes. Where less is done than comes, requests pile up.")
            .number("requests that come", "1/s")
            .number("device", "ms")
            .number("host", "ms")
            .number("device, done", "1/s")
            .number("host, done", "1/s");
    byte[] bytes = profile.wireArray();
    try (ClassicModel model = ModelLab.record(experiment)) {
      ModelReport alone = ModelReport.read(model.play(bytes, ModelSide.HOST));
      for (double rate : RATES) {
        double perS = rate * PS_A_S / alone.elapsedPs();
        double[] device = play(model, bytes, ModelSide.DEVICE, perS);
        double[] host = play(model, bytes, ModelSide.HOST, perS);
        table.row(perS, device[0], host[0], device[1], host[1]);
      }
    }
    tables.add(table);
    plots.add(plot(table, "mean latency", "ms", 1));
    plots.add(plot(table, "throughput", "1/s", 3));
  }

  private static Plot plot(Table table, String what, String unit, int column) {
    Axis x = new Axis("requests that come", "1/s", true);
    List<Double> rates = column(table, 0);
    return Plot.of(table.title() + ": " + what, "", x, new Axis(what, unit, true))
        .add(new Series("device", Mark.LINE, false, rates, column(table, column)))
        .add(new Series("host", Mark.LINE, false, rates, column(table, column + 1)));
  }

  private static List<Double> column(Table table, int column) {
    List<Double> values = new ArrayList<>();
    table.rows().forEach(row -> values.add((Double) row.get(column)));
    return values;
  }

  /** Returns the mean latency in ms, and the requests done in a second. */
  private static double[] play(ClassicModel model, byte[] profile, int side, double perS)
      throws IOException {
    long[] arrivals = new long[REQUESTS];
    Arrays.setAll(arrivals, i -> Math.round(i * PS_A_S / perS));
    double sum = 0;
    long last = 0;
    for (byte[] bytes : model.play(profile, side, arrivals, 0).reports()) {
      ModelReport report = ModelReport.read(bytes);
      sum += report.elapsedMs();
      last = Math.max(last, report.finishPs());
    }
    return new double[] {sum / REQUESTS, REQUESTS * PS_A_S / last};
  }
}
