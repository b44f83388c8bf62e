/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileValue;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.wire.OffloadWire;

/** Measures a machine, makes a profile of it, and compares what the model predicts. */
final class HostCalibration {
  /** The error of a shape that is aimed at, in per cent. */
  static final double BOUND_PCT = 20;

  private static final int COPY_BYTES = 64 << 20;
  private static final int COPIES = 8;
  private static final int READS = 2048;
  private static final int PLACES = 1 << 18; // LBAs: a gigabyte

  /** Queries of each shape and kind that the fit sees, and others that are predicted. */
  private static final int FITTED = 16;

  private static final int PREDICTED = 8;
  private static final long SEED = 1;
  private static final long OTHER_SEED = 2;

  /**
   * How much is measured.
   *
   * @param documents of the generated index
   * @param warmRounds runs of each query in memory
   * @param coldRounds cold runs of each
   */
  record Size(int documents, int warmRounds, int coldRounds) {
    /** What the command measures. */
    static final Size DEFAULT = new Size(300_000, 60, 3);
  }

  private final DeviceProfile other;
  private final Size size;
  private final Consumer<String> progress;

  HostCalibration(DeviceProfile other, Size size, Consumer<String> progress) {
    this.other = other;
    this.size = size;
    this.progress = progress;
  }

  /** Writes the index that queries run over. */
  HostLab index(Path folder) throws IOException {
    progress.accept("writing an index of " + size.documents() + " documents");
    LabIndex.write(folder, HostLab.DEVICE, size.documents());
    return new HostLab(folder, progress);
  }

  /**
   * A profile, and what it was made of.
   *
   * @param costs of work, and of a query in memory, as {@link MeasuredProfile#of} takes them
   */
  record Made(DeviceProfile profile, double[] costs) {}

  /**
   * Makes the profile.
   *
   * @param when where and when, for the sources
   */
  Made profile(List<DriveReader.Point> points, HostLab lab, String when) throws IOException {
    double memory = memoryBytesPerSecond();
    DriveFit.Drive drive = DriveFit.fit(points, memory);
    List<LabIndex.Task> tasks = LabIndex.tasks(FITTED, SEED);
    List<HostLab.Work> works = lab.count(tasks, other);
    double[] micros = lab.warm(tasks, size.warmRounds());
    double[] costs =
        CostFit.fit(MeasuredProfile.programs(works, micros), MeasuredProfile.expectations(other));
    double[] cold = lab.cold(tasks, size.coldRounds());
    DeviceProfile free = MeasuredProfile.of(other, when, drive, memory, costs, 0);
    double left = 1000 * left(tasks, works, cold, free);
    return new Made(MeasuredProfile.of(other, when, drive, memory, costs, left), costs);
  }

  /**
   * Returns the microseconds that cold queries take beside what is predicted: the number with the
   * least squares of the relative errors.
   */
  private static double left(
      List<LabIndex.Task> tasks, List<HostLab.Work> works, double[] cold, DeviceProfile profile)
      throws IOException {
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < cold.length; i++) {
      double predicted = ColdPrediction.micros(tasks.get(i), works.get(i), profile);
      sum += (1 - predicted / cold[i]) / cold[i];
      weights += 1 / (cold[i] * cold[i]);
    }
    return Math.max(0, sum / weights);
  }

  private double memoryBytesPerSecond() {
    progress.accept("copies in memory");
    byte[] from = new byte[COPY_BYTES];
    byte[] to = new byte[COPY_BYTES];
    double best = 0;
    for (int i = 0; i < COPIES; i++) {
      from[i] = (byte) i;
      long start = System.nanoTime();
      System.arraycopy(from, 0, to, 0, COPY_BYTES);
      best = Math.max(best, COPY_BYTES * 1e9 / Math.max(1, System.nanoTime() - start));
    }
    return best;
  }

  /** Returns the measured numbers of a profile, by their places. */
  static Map<String, Long> measured(DeviceProfile profile) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, ProfileValue> value : profile.values().entrySet()) {
      if (value.getValue().calibrated()) {
        numbers.put(value.getKey(), value.getValue().value());
      }
    }
    return numbers;
  }

  /** Plays the reads that were measured. */
  static List<HostReport.Read> reads(List<DriveReader.Point> points, DeviceProfile profile)
      throws IOException {
    List<HostReport.Read> reads = new ArrayList<>();
    for (DriveReader.Point point : points) {
      byte[] report =
          ClassicModel.playReads(
              profile.wireArray(),
              OffloadWire.ModelSide.HOST,
              READS,
              point.bytes(),
              point.depth(),
              PLACES,
              1);
      double us = ModelReport.read(report).elapsedPs() / 1e6 / READS * point.depth();
      double measured = point.latencyNs() / 1000;
      reads.add(
          new HostReport.Read(point.bytes(), point.depth(), measured, us, error(us, measured)));
    }
    return reads;
  }

  /** Compares the times of queries that no fit has seen. */
  List<HostReport.Row> queries(HostLab lab, Made made) throws IOException {
    List<LabIndex.Task> tasks = LabIndex.tasks(PREDICTED, OTHER_SEED);
    double[] warm = lab.warm(tasks, size.warmRounds());
    double[] cold = lab.cold(tasks, size.coldRounds());
    List<HostLab.Work> works = lab.count(tasks, other);
    double[] warmPredicted = new double[warm.length];
    double[] coldPredicted = new double[warm.length];
    Map<String, List<Integer>> rows = new LinkedHashMap<>();
    for (int i = 0; i < warm.length; i++) {
      warmPredicted[i] = MeasuredProfile.micros(works.get(i), made.costs());
      coldPredicted[i] = ColdPrediction.micros(tasks.get(i), works.get(i), made.profile());
      rows.computeIfAbsent(tasks.get(i).row(), row -> new ArrayList<>()).add(i);
    }
    List<HostReport.Row> compared = new ArrayList<>();
    rows.forEach(
        (row, numbers) -> {
          double[] means = new double[4];
          double[][] all = {warm, warmPredicted, cold, coldPredicted};
          for (int i = 0; i < means.length; i++) {
            double[] of = all[i];
            means[i] = Math.exp(mean(numbers, n -> Math.log(of[n])));
          }
          compared.add(
              new HostReport.Row(
                  row,
                  numbers.size(),
                  mean(numbers, n -> works.get(n).pages()),
                  means[0],
                  means[1],
                  error(means[1], means[0]),
                  means[2],
                  means[3],
                  error(means[3], means[2])));
        });
    return compared;
  }

  private static double mean(List<Integer> numbers, ToDoubleFunction<Integer> value) {
    return numbers.stream().mapToDouble(value).average().orElseThrow();
  }

  private static double error(double predicted, double measured) {
    return 100 * (predicted / measured - 1);
  }
}
