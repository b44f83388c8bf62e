/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.luceneoffload.cli.output.Progress;

/**
 * Finds the numbers of a drive in measured reads, in the model's terms: a read takes the host's
 * processor, waits, and then keeps a die busy for tR and until its bytes have left over the die's
 * channel; they cross the link and the host's memory, which all reads share. A drive that works on
 * one read after the other is one die, and one that works on many has many.
 */
final class DriveFit {
  /** Sizes of reads, in bytes. */
  static final List<Integer> SIZES = List.of(4096, 8192, 16_384, 32_768, 65_536, 131_072);

  /** Reads under way at once. */
  static final List<Integer> DEPTHS = List.of(1, 2, 4, 8, 16, 32, 64, 128, 256);

  /** Sizes that are read at all depths; the others alone. */
  static final List<Integer> DEEP_SIZES = List.of(4096, 16_384, 65_536, 131_072);

  /** A flash page: the longest read is one command. */
  static final int FLASH_PAGE_BYTES = 131_072;

  private static final int ROUNDS = 3;
  private static final int MAX_CHANNELS = 64;
  private static final int MAX_WAYS = 64;
  private static final double MIN_TR_NS = 1000;
  private static final double MAX_TR_NS = 1_000_000;
  private static final double MIN_WAIT_NS = 1;
  private static final double MIN_BYTES_PER_S = 1e6;
  private static final double MAX_BYTES_PER_S = 100e9;

  /** Greatest and least share by which the search changes a number. */
  private static final double MAX_STEP = 0.32;

  private static final double MIN_STEP = 0.015;

  /** A link that bounds nothing, over what was measured. */
  private static final double FAST_LINK = 4;

  /**
   * The numbers.
   *
   * @param cpuNs processor time of a read
   * @param waitNs further time of a read before the die has it
   * @param readNs tR
   * @param dies commands that are worked on at once
   * @param channelBytesPerS bandwidth of a single read
   * @param linkBytesPerS bandwidth of all together
   */
  record Drive(
      double cpuNs,
      double waitNs,
      double readNs,
      int dies,
      double channelBytesPerS,
      double linkBytesPerS) {
    /** Makes a drive whose numbers are within what a profile takes. */
    static Drive of(
        double cpuNs,
        double waitNs,
        double readNs,
        double dies,
        double channelBytesPerS,
        double linkBytesPerS) {
      int whole = (int) Math.round(within(dies, 1, MAX_CHANNELS * MAX_WAYS));
      return new Drive(
          cpuNs,
          within(waitNs, MIN_WAIT_NS, MAX_TR_NS),
          within(readNs, MIN_TR_NS, MAX_TR_NS),
          whole > MAX_CHANNELS ? whole / MAX_CHANNELS * MAX_CHANNELS : whole,
          within(channelBytesPerS, MIN_BYTES_PER_S, MAX_BYTES_PER_S),
          within(linkBytesPerS, MIN_BYTES_PER_S, MAX_BYTES_PER_S));
    }

    private static double within(double value, double least, double most) {
      return Math.max(least, Math.min(value, most));
    }

    /** Returns drives with one number changed by a factor each, the dies by one at least. */
    private List<Drive> around(double factor) {
      List<Drive> around = new ArrayList<>();
      for (double by : new double[] {factor, 1 / factor}) {
        double one = by > 1 ? Math.max(dies + 1, dies * by) : Math.min(dies - 1, dies * by);
        around.add(of(cpuNs, waitNs * by, readNs, dies, channelBytesPerS, linkBytesPerS));
        around.add(of(cpuNs, waitNs, readNs * by, dies, channelBytesPerS, linkBytesPerS));
        around.add(of(cpuNs, waitNs, readNs, one, channelBytesPerS, linkBytesPerS));
        around.add(of(cpuNs, waitNs, readNs, dies, channelBytesPerS * by, linkBytesPerS));
        around.add(of(cpuNs, waitNs, readNs, dies, channelBytesPerS, linkBytesPerS * by));
      }
      return around;
    }

    /** Returns the channels of the profile. */
    int channels() {
      return Math.min(dies, MAX_CHANNELS);
    }

    /** Returns the numbers by their paths in a profile. */
    Map<String, Long> numbers() {
      Map<String, Long> numbers = new LinkedHashMap<>();
      numbers.put("device.link_bytes_per_s", Math.round(linkBytesPerS));
      numbers.put("device.channel_bytes_per_s", Math.round(channelBytesPerS));
      numbers.put("device.flash_read_ns.page0", Math.round(readNs));
      numbers.put("device.flash_channels", (long) channels());
      numbers.put("device.flash_ways", (long) Math.min(MAX_WAYS, dies / channels()));
      numbers.put("host.read_cpu_ns", Math.round(cpuNs));
      numbers.put("host.read_wait_ns", Math.round(waitNs));
      return numbers;
    }
  }

  private DriveFit() {}

  private static List<Integer> depths(int bytes) {
    return DEEP_SIZES.contains(bytes) ? DEPTHS : List.of(1);
  }

  /** Measures all points several times, one after the other, and keeps the best of each. */
  static List<DriveReader.Point> measure(DriveReader reader, Progress progress) throws IOException {
    reader.measure(SIZES.get(0), 1); // the code is compiled
    int kinds = SIZES.stream().mapToInt(bytes -> depths(bytes).size()).sum();
    List<DriveReader.Point> points = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int at = 0;
      for (int bytes : SIZES) {
        for (int depth : depths(bytes)) {
          String step = "reads of " + bytes / 1024 + " KiB, " + depth + " at once";
          progress.tell(step, round * kinds + at, ROUNDS * kinds);
          DriveReader.Point point = reader.measure(bytes, depth);
          if (round == 0) {
            points.add(point);
          } else if (point.perSecond() > points.get(at).perSecond()) {
            points.set(at, point);
          }
          at++;
        }
      }
    }
    return points;
  }

  /**
   * Fits: looks for the numbers under which the model plays the points best, by least squares of
   * the logarithms of played over measured times. The processor's share is measured.
   *
   * @param points with reads alone of at least two sizes
   * @param hostBytesPerS bandwidth of the host's memory, which a read's bytes cross, too
   * @param profile makes the bytes of a profile of numbers of a drive
   */
  static Drive fit(
      List<DriveReader.Point> points, double hostBytesPerS, Function<Drive, byte[]> profile) {
    Drive best = null;
    double least = Double.MAX_VALUE;
    for (Drive start : starts(points, hostBytesPerS)) {
      Misfit misfit = (drive, most) -> error(points, profile.apply(drive), most);
      Drive found = descend(start, misfit);
      double error = misfit.of(found, least);
      if (error < least) {
        least = error;
        best = found;
      }
    }
    return best;
  }

  /** How badly a drive fits. */
  @FunctionalInterface
  private interface Misfit {
    /** Returns the error, or a part of it that has reached {@code most}. */
    double of(Drive drive, double most);
  }

  private static double error(List<DriveReader.Point> points, byte[] profile, double most) {
    double sum = 0;
    for (DriveReader.Point point : points) {
      if (sum >= most) {
        return sum;
      }
      double played = ReadPlay.latencyNs(profile, point.bytes(), point.depth());
      double error = Math.log(played / point.latencyNs());
      sum += error * error;
    }
    return sum;
  }

  /** Takes the best change of one number by a share, as long as one helps; then by half of it. */
  private static Drive descend(Drive start, Misfit misfit) {
    Drive best = start;
    double least = misfit.of(best, Double.MAX_VALUE);
    for (double step = MAX_STEP; step > MIN_STEP; step /= 2) {
      for (Drive from = null; from != best; ) {
        from = best;
        for (Drive other : from.around(1 + step)) {
          double sum = misfit.of(other, least);
          if (sum < least) {
            least = sum;
            best = other;
          }
        }
      }
    }
    return best;
  }

  /**
   * Returns where the search begins: reads alone as they are, and many at once bound by the link,
   * with as many dies as the most reads a second need; or bound by a single die and its channel,
   * which work on one read after the other, as a virtual machine's disk does.
   */
  private static List<Drive> starts(List<DriveReader.Point> points, double hostBytesPerS) {
    List<DriveReader.Point> alone = points.stream().filter(p -> p.depth() == 1).toList();
    double[] line = line(alone);
    int least = points.stream().mapToInt(DriveReader.Point::bytes).min().orElseThrow();
    double link =
        points.stream().mapToDouble(DriveReader.Point::bytesPerSecond).max().orElseThrow();
    double rate =
        points.stream()
            .filter(p -> p.bytes() == least)
            .mapToDouble(DriveReader.Point::perSecond)
            .max()
            .orElseThrow();
    double cpu =
        Math.min(
            line[0],
            alone.stream()
                .filter(p -> p.bytes() == least)
                .mapToDouble(DriveReader.Point::cpuNs)
                .min()
                .orElse(0));
    double perByte = line[1] - 1e9 / link - 1e9 / hostBytesPerS;
    double channel = perByte <= 0 ? MAX_BYTES_PER_S : 1e9 / perByte;
    double transfer = least * 1e9 / channel; // a die is busy until its bytes have left it
    double busy = Math.max(MIN_TR_NS, line[0] - cpu);
    double dies = Math.max(1, Math.floor(rate * (busy + transfer) / 1e9));
    double read = Math.min(busy, dies * 1e9 / rate - transfer);
    double one = Math.min(busy, 1e9 / rate);
    return List.of(
        Drive.of(cpu, line[0] - cpu - read, read, dies, channel, link),
        Drive.of(cpu, line[0] - cpu - one, one, 1, link, FAST_LINK * link));
  }

  /**
   * Returns the fixed time and the time of a byte, in ns, of reads alone: least squares of the
   * relative errors.
   */
  private static double[] line(List<DriveReader.Point> alone) {
    double one = 0;
    double x = 0;
    double xx = 0;
    double y = 0;
    double xy = 0;
    for (DriveReader.Point point : alone) {
      double weight = 1 / (point.latencyNs() * point.latencyNs());
      one += weight;
      x += weight * point.bytes();
      xx += weight * point.bytes() * point.bytes();
      y += weight * point.latencyNs();
      xy += weight * point.bytes() * point.latencyNs();
    }
    double slope = Math.max(0, (one * xy - x * y) / (one * xx - x * x));
    return new double[] {Math.max(MIN_TR_NS, (y - slope * x) / one), slope};
  }
}
