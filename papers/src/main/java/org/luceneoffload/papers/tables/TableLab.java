/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.classic.table.TableScan;

/** Scans of the paper's synthetic tables, scaled down, and what they would take at full size. */
final class TableLab {
  /** Rows of each synthetic table (section 4.1.1). */
  static final long ROWS = 400_000_000;

  /** Columns of the tables Synthetic4, Synthetic16 and Synthetic64. */
  static final List<Integer> TABLES = List.of(4, 16, 64);

  /** Columns of the widest. */
  static final int WIDEST = 64;

  /** Fraction of the rows that the report scans. */
  static final int SCALE = 512;

  /** Selectivities of the paper, in millionths. */
  static final List<Integer> SELECTIVITIES = List.of(1_000, 100_000, 1_000_000);

  private static final double PS_A_S = 1e12;
  private static final double PJ_A_J = 1e12;
  private static final String HDD = "Do et al. 2013";
  private static final long HDD_MW = 8_700;

  private TableLab() {}

  /**
   * What a scan of the whole table takes.
   *
   * @param seconds elapsed
   * @param systemJ energy of the whole system, what it draws when idle included
   * @param ioJ energy of the drive, the same
   * @param matches rows of the scaled table that matched
   * @param busy share of the time that a resource is in use, one unit of it on average
   */
  record Full(double seconds, double systemJ, double ioJ, long matches, Map<String, Double> busy) {
    double systemW() {
      return systemJ / seconds;
    }

    double ioW() {
      return ioJ / seconds;
    }
  }

  static TableScan table(int columns, Layout layout, int scale) {
    return new TableScan(columns, ROWS / scale, layout);
  }

  /**
   * Runs queries, and plays each under a profile.
   *
   * @throws ProfileException if the model gives no report
   */
  static List<Full> run(
      TableStore store,
      DeviceProfile profile,
      int side,
      int columns,
      Layout layout,
      List<Query> queries,
      int scale)
      throws ProfileException {
    List<TableScan.Recorded> all = table(columns, layout, scale).run(store, side, queries);
    try {
      byte[] bytes = profile.wireArray();
      Full[] results = new Full[all.size()];
      for (int i = 0; i < results.length; i++) {
        ModelReport report = ModelReport.read(all.get(i).log().play(bytes, side));
        Full full = full(report, all.get(i).found().matches(), scale);
        results[i] =
            new Full(
                full.seconds(), full.systemJ(), full.ioJ(), full.matches(), busy(profile, report));
      }
      return List.of(results);
    } finally {
      all.forEach(recorded -> recorded.log().close());
    }
  }

  /**
   * Takes a report to the full size. A scan is in a steady state but for its beginning and its last
   * poll, so all else grows with the table; powers stay what they are.
   */
  static Full full(ModelReport report, long matches, int scale) {
    double once = report.partMs("fixed") / 1e3;
    if (report.bytesSent() <= 1 << 20) {
      once += report.partMs("link") / 1e3; // one answer: one wait for a poll
    }
    double elapsed = report.elapsedPs() / PS_A_S;
    double seconds = (elapsed - once) * scale + once;
    double factor = seconds / elapsed;
    return new Full(
        seconds, joules(report, true) * factor, joules(report, false) * factor, matches, Map.of());
  }

  /** Returns the share of the time that each resource which may bound a scan is in use. */
  private static Map<String, Double> busy(DeviceProfile profile, ModelReport report) {
    Map<String, Long> units =
        Map.of(
            "core", profile.get("device.core_count"),
            "dram_bus", 1L,
            "channel", profile.get("device.flash_channels"),
            "link", 1L,
            "host_core", profile.get("host.core_count"));
    Map<String, Double> shares = new TreeMap<>();
    units.forEach(
        (resource, count) ->
            shares.put(
                resource,
                (double) report.busyPs().getOrDefault(resource, 0L) / count / report.elapsedPs()));
    return shares;
  }

  private static double joules(ModelReport report, boolean host) {
    double sum = 0;
    for (String component : report.idlePj().keySet()) {
      if (host || !component.startsWith("host")) {
        sum += report.idlePj().get(component) + report.activePj().get(component);
      }
    }
    return sum / PJ_A_J;
  }

  /**
   * Returns the same host with the paper's hard disk: 80 MB/s (table 1), and 13 kJ in 1,494 s
   * (table 2) whatever it does.
   */
  static DeviceProfile hardDisk(DeviceProfile profile) {
    DeviceProfile disk = profile.with("device.link_bytes_per_s", 80_000_000, HDD + ", table 1");
    for (String path : profile.values().keySet()) {
      boolean power = path.startsWith("device.power.") || path.matches("device\\..*_pj(_.*)?");
      if (power && disk.get(path) != 0) {
        disk = disk.with(path, 0, "in the power of the disk");
      }
    }
    return disk.with("device.power.controller.idle_mw", HDD_MW, HDD + ", table 2");
  }
}
