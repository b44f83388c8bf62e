/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the numbers of a drive in measured reads: a read alone takes a fixed time and a time for
 * each byte; many at once are bound by a number of reads a second, and by a number of bytes a
 * second. In the model's terms the fixed time is that of the host's processor, a wait, and tR; the
 * drive has as many dies as make the reads a second; the bytes of a read cross the die's own
 * channel, the host's memory and the link, which all share.
 */
final class DriveFit {
  /** Sizes of reads, in bytes. */
  static final List<Integer> SIZES = List.of(4096, 8192, 16_384, 32_768, 65_536, 131_072);

  /** Reads under way at once. */
  static final List<Integer> DEPTHS = List.of(1, 2, 4, 8, 16, 32, 64, 128, 256);

  /** Sizes that are read at all depths; the others alone. */
  static final List<Integer> DEEP_SIZES = List.of(4096, 16_384, 65_536, 131_072);

  /** A flash page: reads of so many bytes are one command, and rarely are there longer ones. */
  static final int FLASH_PAGE_BYTES = 65_536;

  private static final int ROUNDS = 3;
  private static final int MAX_CHANNELS = 64;
  private static final int MAX_WAYS = 64;
  private static final double MIN_TR_NS = 1000;
  private static final double MAX_TR_NS = 1_000_000;
  private static final double MAX_CHANNEL_BYTES_PER_S = 100e9;

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

  /** Measures all points several times, one after the other, and keeps the best of each. */
  static List<DriveReader.Point> measure(DriveReader reader, Consumer<String> progress)
      throws IOException {
    reader.measure(SIZES.get(0), 1); // the code is compiled
    List<DriveReader.Point> points = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int at = 0;
      for (int bytes : SIZES) {
        for (int depth : DEEP_SIZES.contains(bytes) ? DEPTHS : List.of(1)) {
          progress.accept("reads of " + bytes / 1024 + " KiB, " + depth + " at once");
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
   * Fits.
   *
   * @param points with reads alone of at least two sizes
   * @param hostBytesPerS bandwidth of the host's memory, which a read's bytes cross, too
   */
  static Drive fit(List<DriveReader.Point> points, double hostBytesPerS) {
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
    double channel = perByte <= 0 ? MAX_CHANNEL_BYTES_PER_S : 1e9 / perByte;
    channel = Math.min(channel, MAX_CHANNEL_BYTES_PER_S);
    double transfer = least * 1e9 / channel; // a die is busy until its bytes have left it
    double most = Math.max(MIN_TR_NS, Math.min(line[0] - cpu, MAX_TR_NS));
    int dies = (int) Math.floor(rate * (most + transfer) / 1e9);
    dies = Math.max(1, Math.min(dies, MAX_CHANNELS * MAX_WAYS));
    if (dies > MAX_CHANNELS) {
      dies = dies / MAX_CHANNELS * MAX_CHANNELS;
    }
    double read = Math.max(MIN_TR_NS, Math.min(most, dies * 1e9 / rate - transfer));
    return new Drive(cpu, Math.max(0, line[0] - cpu - read), read, dies, channel, link);
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
