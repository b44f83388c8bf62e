/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.lab.UnitCosts;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Plain reads of flash pages: what the player says, beside hand formulas.
 *
 * @param side {@code device} or {@code host}
 * @param pageBytes bytes of a read: a flash page
 * @param latencyUs mean latency of single random reads
 * @param handUs the same by hand
 * @param depths bandwidth of reads in order
 */
public record RawReads(
    String side, long pageBytes, double latencyUs, double handUs, List<Depth> depths) {
  private static final int READS = 2048;
  private static final int PAGES = 1 << 16;
  private static final int[] DEPTHS = {1, 4, 16, 64, 256};

  /**
   * Reads in order, so many of them at a time.
   *
   * @param depth reads at a time
   * @param mbPerS modelled bandwidth, MB/s
   * @param boundMbPerS what it cannot exceed by hand: as many reads at once as there are, each as
   *     long as a single one of the fastest kind of pages, and the narrowest of channels, DRAM and
   *     link
   */
  public record Depth(int depth, double mbPerS, double boundMbPerS) {}

  /** Measures both sides. */
  static List<RawReads> of(DeviceProfile profile) throws IOException {
    List<RawReads> sides = new ArrayList<>();
    for (boolean host : new boolean[] {false, true}) {
      sides.add(side(profile, host));
    }
    return sides;
  }

  private static RawReads side(DeviceProfile profile, boolean host) throws IOException {
    int bytes = (int) profile.get("device.flash_page_bytes");
    UnitCosts costs = new UnitCosts(profile);
    double handPs = host ? costs.hostPagePs(bytes) : costs.devicePagePs(bytes);
    double latencyUs = playUs(profile, host, bytes, 1, PAGES) / READS;
    List<Depth> depths = new ArrayList<>();
    for (int depth : DEPTHS) {
      double us = playUs(profile, host, bytes, depth, 0);
      double least = costs.fastestDevicePagePs(bytes) + (host ? costs.wayPs(bytes) : 0);
      double bound = Math.min(depth * bytes * 1e12 / least, costs.mostBytesPerS(host));
      depths.add(new Depth(depth, (double) READS * bytes / us, bound / 1e6));
    }
    return new RawReads(host ? "host" : "device", bytes, latencyUs, handPs / 1e6, depths);
  }

  private static double playUs(DeviceProfile profile, boolean host, int bytes, int depth, int pages)
      throws IOException {
    int lbas = (int) Math.min(Integer.MAX_VALUE, (long) pages * bytes / 4096);
    byte[] report =
        ClassicModel.playReads(
            profile.wireArray(),
            host ? ModelSide.HOST : ModelSide.DEVICE,
            READS,
            bytes,
            depth,
            lbas,
            1);
    return ModelReport.read(report).elapsedPs() / 1e6;
  }
}
