/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.lab.UnitCosts;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Plain reads of flash pages: what the player says, beside hand formulas. */
final class RawReads {
  private static final int READS = 2048;
  private static final int PAGES = 1 << 16;
  private static final int[] DEPTHS = {1, 4, 16, 64, 256};

  private RawReads() {}

  /** Returns a table of single reads, and one of reads in order, several at a time. */
  static List<Table> tables(DeviceProfile profile) throws IOException {
    int bytes = (int) profile.get("device.flash_page_bytes");
    Table single =
        Table.of(
                "Plain reads: one at a time",
                "Random reads of whole flash pages without any program, beside what follows by"
                    + " hand: controller, command, mean tR, channel, error correction and DRAM, and"
                    + " on the host system call, command, link and completion too.")
            .text("side")
            .number("bytes", "B")
            .number("modelled", "us")
            .number("by hand", "us");
    Table inOrder =
        Table.of(
                "Plain reads: many at a time",
                "Many at once cannot exceed as many times a single one of the fastest kind of"
                    + " pages, nor the narrowest of channels, DRAM and link.")
            .text("side")
            .number("at a time", "")
            .number("modelled", "MB/s")
            .number("at most, by hand", "MB/s");
    UnitCosts costs = new UnitCosts(profile);
    for (boolean host : new boolean[] {false, true}) {
      String side = host ? "host" : "device";
      double handPs = host ? costs.hostPagePs(bytes) : costs.devicePagePs(bytes);
      double us = playUs(profile, host, bytes, 1, PAGES) / READS;
      single.row(side, bytes, us, handPs / 1e6);
      for (int depth : DEPTHS) {
        double least = costs.fastestDevicePagePs(bytes) + (host ? costs.wayPs(bytes) : 0);
        double bound = Math.min(depth * bytes * 1e12 / least, costs.mostBytesPerS(host));
        double mbPerS = (double) READS * bytes / playUs(profile, host, bytes, depth, 0);
        inOrder.row(side, depth, mbPerS, bound / 1e6);
      }
    }
    return List.of(single, inOrder);
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
