/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileValue;
import org.luceneoffload.papers.drive.HostTimes.Place;

/** Measures a machine, makes a profile of it, and compares what the model predicts. */
final class HostCalibration {
  /** The error of a shape that is aimed at, in per cent. */
  static final double BOUND_PCT = 20;

  private static final int COPY_BYTES = 64 << 20;
  private static final int COPIES = 8;

  /** Queries of each shape and kind that the fit sees, and others that are predicted. */
  private static final int FITTED = 16;

  private static final int PREDICTED = 8;

  /** How many times slower the slowed cores are. */
  private static final int SLOW_CORES = 4;

  /** By how much the drive is slowed, and to what at least, in bytes a second. */
  private static final double SLOWED_BY = 10;

  private static final long MIN_SLOWED = 1_000_000;

  private static final long SEED = 1;
  private static final long OTHER_SEED = 2;

  /**
   * How much is measured.
   *
   * @param documents of the generated index
   * @param turns of each place where queries run; a cold one runs them once in each
   * @param rounds runs of each query in memory in a turn
   */
  record Size(int documents, int turns, int rounds) {
    /** What the command measures. */
    static final Size DEFAULT = new Size(300_000, 4, 50);
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
   * A profile, and how far predictions with it are from what was measured.
   *
   * @param rows empty if nothing was to be predicted
   */
  record Made(DeviceProfile profile, List<HostReport.Row> rows) {}

  /**
   * Measures queries, and makes the profile.
   *
   * @param node runs the same queries on a storage node; null: there is none
   * @param checked whether queries that no fit sees are measured, too, and predicted
   * @param when where and when, for the sources
   */
  Made make(List<DriveReader.Point> points, HostLab lab, HostLab node, boolean checked, String when)
      throws IOException {
    double most =
        points.stream().mapToDouble(DriveReader.Point::bytesPerSecond).max().orElseThrow();
    long rate = Math.max(MIN_SLOWED, Math.round(most / SLOWED_BY));
    List<LabIndex.Task> seen = LabIndex.tasks(FITTED, SEED);
    List<LabIndex.Task> others = LabIndex.tasks(checked ? PREDICTED : 0, OTHER_SEED);
    Map<Place, HostLab> labs = new EnumMap<>(Place.class);
    labs.put(Place.MEMORY, lab);
    labs.put(Place.HALF_CORES, lab.withSlowerCores(2));
    labs.put(Place.COLD, lab);
    if (node != null) {
      labs.put(Place.NODE, node);
    }
    if (checked) {
      labs.put(Place.SLOW_CORES, lab.withSlowerCores(SLOW_CORES));
      labs.put(Place.SLOW_DRIVE, lab.withDrive(rate));
    }
    List<HostTimes> times =
        HostTimes.measure(labs, List.of(seen, others), size.turns(), size.rounds());
    HostCheck fit = new HostCheck(seen, lab.count(seen, other), times.get(0));
    DeviceProfile base = profile(points, fit, when);
    DeviceProfile here = withSession(base, fit, Place.MEMORY, "in memory", when);
    DeviceProfile made =
        node == null ? here : withSession(base, fit, Place.NODE, "on a storage node", when);
    if (!checked) {
      return new Made(made, List.of());
    }
    HostCheck check = new HostCheck(others, lab.count(others, other), times.get(1));
    predict(check, here, made, rate);
    return new Made(made, check.rows());
  }

  /** Returns the profile with what queries at a place take beside their work. */
  private static DeviceProfile withSession(
      DeviceProfile base, HostCheck fit, Place place, String where, String when)
      throws IOException {
    DeviceProfile free = base.with(MeasuredProfile.SESSION, 0, "none");
    double micros = fit.left(place, (task, work) -> SessionPrediction.micros(work, free));
    return MeasuredProfile.withSession(base, 1000 * micros, where, when);
  }

  private DeviceProfile profile(List<DriveReader.Point> points, HostCheck fit, String when)
      throws IOException {
    double memory = memoryBytesPerSecond();
    double[] expected = MeasuredProfile.expectations(other);
    progress.tell("looking for the numbers of the drive");
    DriveFit.Drive drive =
        DriveFit.fit(
            points,
            memory,
            any -> MeasuredProfile.of(other, when, any, memory, expected, 0).wireArray());
    double[] costs = CostFit.fit(fit.programs(), expected);
    DeviceProfile free = MeasuredProfile.of(other, when, drive, memory, costs, 0);
    double left = fit.left(Place.COLD, (task, work) -> ColdPrediction.micros(task, work, free));
    return MeasuredProfile.of(other, when, drive, memory, costs, 1000 * left);
  }

  /**
   * Compares the times of queries that no fit has seen.
   *
   * @param here the profile with sessions of this process
   * @param made the profile with those of the storage node, if there is one
   * @param rate bytes a second of the slowed drive
   */
  private static void predict(HostCheck check, DeviceProfile here, DeviceProfile made, long rate)
      throws IOException {
    check.add("in memory", Place.MEMORY, (task, work) -> SessionPrediction.micros(work, here));
    DeviceProfile slow =
        here.with(
            MeasuredProfile.CORES, here.get(MeasuredProfile.CORES) / SLOW_CORES, "slowed cores");
    check.add(
        "in memory, cores " + SLOW_CORES + " times slower",
        Place.SLOW_CORES,
        (task, work) -> SessionPrediction.micros(work, slow));
    check.add("cold", Place.COLD, (task, work) -> ColdPrediction.micros(task, work, made));
    DeviceProfile slowed = made.with(MeasuredProfile.LINK, rate, "the drive is slowed");
    check.add(
        "cold, the drive slowed to " + rate / 1_000_000 + " MB/s",
        Place.SLOW_DRIVE,
        (task, work) -> ColdPrediction.micros(task, work, slowed));
    if (check.has(Place.NODE)) {
      check.add(
          "on a storage node", Place.NODE, (task, work) -> SessionPrediction.micros(work, made));
    }
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
}
