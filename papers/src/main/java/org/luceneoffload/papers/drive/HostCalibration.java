/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileValue;

/** Measures a machine, makes a profile of it, and compares what the model predicts. */
final class HostCalibration {
  /** The error of a shape that is aimed at, in per cent. */
  static final double BOUND_PCT = 20;

  private static final int COPY_BYTES = 64 << 20;
  private static final int COPIES = 8;

  /** Queries of each shape and kind that the fit sees, and others that are predicted. */
  private static final int FITTED = 16;

  private static final int PREDICTED = 8;

  /** By how much the drive is slowed, and to what at most, in bytes a second. */
  private static final double SLOWED_BY = 10;

  private static final long MIN_SLOWED = 1_000_000;

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
    static final Size DEFAULT = new Size(300_000, 200, 3);
  }

  private final DeviceProfile other;
  private final Size size;
  private final Progress progress;

  HostCalibration(DeviceProfile other, Size size, Progress progress) {
    this.other = other;
    this.size = size;
    this.progress = progress;
  }

  /** Writes the index that queries run over. */
  HostLab index(Path folder) throws IOException {
    progress.tell("writing an index of " + size.documents() + " documents");
    LabIndex.write(folder, HostLab.DEVICE, size.documents());
    return new HostLab(folder, HostLab.DEVICE, progress);
  }

  /**
   * A profile, and what it was made of.
   *
   * @param costs of work, and of a query in memory, as {@link MeasuredProfile#of} takes them
   * @param bytesPerS most that the drive gave
   */
  record Made(DeviceProfile profile, double[] costs, double bytesPerS) {}

  /**
   * Makes the profile.
   *
   * @param node runs the same queries on a storage node; null: there is none
   * @param when where and when, for the sources
   */
  Made profile(List<DriveReader.Point> points, HostLab lab, HostLab node, String when)
      throws IOException {
    double memory = memoryBytesPerSecond();
    double[] expected = MeasuredProfile.expectations(other);
    progress.tell("looking for the numbers of the drive");
    DriveFit.Drive drive =
        DriveFit.fit(
            points,
            memory,
            any -> MeasuredProfile.of(other, when, any, memory, expected, 0).wireArray());
    List<LabIndex.Task> tasks = LabIndex.tasks(FITTED, SEED);
    List<HostLab.Work> works = lab.count(tasks, other);
    HostCheck fitted = new HostCheck(tasks, works);
    double[] micros = lab.warm(tasks, size.warmRounds());
    double[] costs = CostFit.fit(MeasuredProfile.programs(works, micros), expected);
    double[] cold = lab.cold(tasks, size.coldRounds());
    DeviceProfile free = MeasuredProfile.of(other, when, drive, memory, costs, 0);
    double left = fitted.left(cold, (task, work) -> ColdPrediction.micros(task, work, free));
    DeviceProfile made = MeasuredProfile.of(other, when, drive, memory, costs, 1000 * left);
    if (node != null) {
      DeviceProfile open = made.with(MeasuredProfile.SESSION, 0, "none");
      double session =
          fitted.left(
              node.warm(tasks, size.warmRounds()),
              (task, work) -> NodePrediction.micros(work, open));
      made = MeasuredProfile.withSession(made, 1000 * session, when);
    }
    double most =
        points.stream().mapToDouble(DriveReader.Point::bytesPerSecond).max().orElseThrow();
    return new Made(made, costs, most);
  }

  private double memoryBytesPerSecond() {
    progress.tell("copies in memory");
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
  static List<HostReport.Read> reads(List<DriveReader.Point> points, DeviceProfile profile) {
    byte[] array = profile.wireArray();
    List<HostReport.Read> reads = new ArrayList<>();
    for (DriveReader.Point point : points) {
      double us = ReadPlay.latencyNs(array, point.bytes(), point.depth()) / 1000;
      double measured = point.latencyNs() / 1000;
      reads.add(
          new HostReport.Read(
              point.bytes(), point.depth(), measured, us, HostReport.error(us, measured)));
    }
    return reads;
  }

  /**
   * Compares the times of queries that no fit has seen.
   *
   * @param node runs them on a storage node; null: there is none
   */
  List<HostReport.Row> queries(HostLab lab, HostLab node, Made made) throws IOException {
    List<LabIndex.Task> tasks = LabIndex.tasks(PREDICTED, OTHER_SEED);
    HostCheck check = new HostCheck(tasks, lab.count(tasks, other));
    check.add(
        "in memory",
        lab.warm(tasks, size.warmRounds()),
        (task, work) -> MeasuredProfile.micros(work, made.costs()));
    check.add(
        "cold",
        lab.cold(tasks, size.coldRounds()),
        (task, work) -> ColdPrediction.micros(task, work, made.profile()));
    long rate = Math.max(MIN_SLOWED, Math.round(made.bytesPerS() / SLOWED_BY));
    DeviceProfile slowed = made.profile().with(MeasuredProfile.LINK, rate, "the drive is slowed");
    check.add(
        "cold, the drive slowed to " + rate / 1_000_000 + " MB/s",
        lab.slowed(rate).cold(tasks, size.coldRounds()),
        (task, work) -> ColdPrediction.micros(task, work, slowed));
    if (node != null) {
      check.add(
          "on a storage node",
          node.warm(tasks, size.warmRounds()),
          (task, work) -> NodePrediction.micros(work, made.profile()));
    }
    return check.rows();
  }
}
