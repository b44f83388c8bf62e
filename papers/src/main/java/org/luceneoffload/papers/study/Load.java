/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Several requests at once, which the paper's device could not do: the default intersection, asked
 * again and again at a steady rate, whether the ones before are done or not.
 *
 * @param profile device and host
 * @param points by rate
 */
public record Load(String profile, List<Point> points) {
  /** Rates, in what the host can do one after the other. */
  private static final double[] RATES = {0.5, 1, 2, 4, 8, 16};

  private static final int REQUESTS = 64;
  private static final double PS_A_S = 1e12;

  /**
   * A rate.
   *
   * @param perS requests that come in a second
   * @param deviceMs mean latency on the device
   * @param hostMs mean latency on the host
   * @param devicePerS requests done in a second until the last one is, on the device
   * @param hostPerS the same on the host
   */
  public record Point(
      double perS, double deviceMs, double hostMs, double devicePerS, double hostPerS) {}

  /** Plays one request many times. */
  static Load of(DeviceProfile profile, ClassicExperiment experiment) throws IOException {
    List<Point> points = new ArrayList<>();
    byte[] bytes = profile.wireArray();
    try (ClassicModel model = ModelLab.record(experiment)) {
      ModelReport alone = ModelReport.read(model.play(bytes, ModelSide.HOST));
      for (double rate : RATES) {
        double perS = rate * PS_A_S / alone.elapsedPs();
        double[] device = play(model, bytes, ModelSide.DEVICE, perS);
        double[] host = play(model, bytes, ModelSide.HOST, perS);
        points.add(new Point(perS, device[0], host[0], device[1], host[1]));
      }
    }
    return new Load(profile.name(), points);
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
