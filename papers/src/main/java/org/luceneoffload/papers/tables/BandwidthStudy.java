/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * The gap between the bandwidth inside the device and that of its link, which figure 1 expects to
 * grow: what the Smart SSD gains from it, with cores as they are and with faster ones.
 */
final class BandwidthStudy {
  private static final int SCALE = 2048;
  private static final double[] GAPS = {1, 2, 2.8, 5, 10, 20};
  private static final int[] SPEEDS = {1, 4, 16};
  private static final double PUBLISHED_GAP = 2.8;
  private static final double PUBLISHED_GAIN = 2.6;
  private static final int READ_AHEAD = 512;

  /** The fastest clock that a profile may have. */
  private static final long MAX_HZ = 10_000_000_000L;

  private static final String WHY = "an experiment";

  private BandwidthStudy() {}

  /** Plays the selection of 0.1 % of the widest table, column pages, under wider and wider gaps. */
  static Plot run(DeviceProfile profile) throws IOException {
    Query query = Query.ofPpm(TableLab.SELECTIVITIES.get(0), false);
    Plot plot =
        Plot.of(
            "Figure 1: the gap of bandwidths, and what the Smart SSD gains",
            "Selection of 0.1 % of Synthetic64, PAX. Figure 1 says that the bandwidth inside is"
                + " about 5 times that of the link, soon more than 10 times; the paper's drive has"
                + " 2.8 times. With the core as it is the gain ends there: the core bounds it.",
            new Axis("bandwidth inside over that of the link", "x", true),
            new Axis("gain over the regular SSD", "x", false));
    try (TableStore store = new TableStore();
        EventLog wide = log(store, Layout.PAX, ModelSide.DEVICE, query);
        EventLog regular = log(store, Layout.NSM, ModelSide.HOST, query)) {
      double host = seconds(regular, profile, ModelSide.HOST);
      for (int speed : SPEEDS) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (double gap : GAPS) {
          x.add(gap);
          y.add(host / seconds(wide, with(profile, gap, speed), ModelSide.DEVICE));
        }
        plot.add(new Plot.Series("core x " + speed, Mark.LINE, false, x, y));
      }
    }
    return plot.add(
        new Plot.Series(
            "paper", Mark.POINTS, true, List.of(PUBLISHED_GAP), List.of(PUBLISHED_GAIN)));
  }

  private static EventLog log(TableStore store, Layout layout, int side, Query query) {
    return TableLab.table(TableLab.WIDEST, layout, SCALE)
        .run(store, side, List.of(query))
        .get(0)
        .log();
  }

  private static double seconds(EventLog log, DeviceProfile profile, int side) throws IOException {
    ModelReport report = ModelReport.read(log.play(profile.wireArray(), side));
    return TableLab.full(report, 0, SCALE).seconds();
  }

  /** Returns a device whose bus and channels give so many times the bandwidth of the link. */
  private static DeviceProfile with(DeviceProfile profile, double gap, int speed) {
    long link = profile.get("device.link_bytes_per_s");
    long channel = profile.get("device.channel_bytes_per_s");
    return profile
        .with("device.dram_bytes_per_s", (long) (gap * link), WHY)
        .with("device.channel_bytes_per_s", (long) (channel * Math.max(1, gap / 2)), WHY)
        .with("device.program_read_ahead", READ_AHEAD, WHY)
        .with("device.core_hz", Math.min(MAX_HZ, speed * profile.get("device.core_hz")), WHY);
  }
}
