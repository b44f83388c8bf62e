/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.classic.table.TableScan;
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * The fit of what the paper leaves open, from values that are far off. Three costs of the device,
 * of a page, of a row and of a value in a column page, follow by least squares from its four times
 * at 0.1 %: two of the widest table, two of the narrowest relative to the regular SSD. Then four
 * powers, each with a target of its own. Results are rounded to three digits.
 */
public final class TableFit {
  private static final String PAGE = "device.work.page_open.core_millicycles";
  private static final String ROW = "device.work.tuple_read.core_millicycles";
  private static final String VALUE = "device.work.column_read.core_millicycles";
  private static final String DRIVE_IDLE = "device.power.controller.idle_mw";
  private static final String CORE_ACTIVE = "device.power.core.active_mw";
  private static final String HOST_IDLE = "host.power.host.idle_mw";
  private static final String HOST_BYTE = "host.read_pj_per_byte";

  /** Small enough to play thousands of times: a scan is in a steady state. */
  private static final int SCALE = 2048;

  /**
   * Large enough for the wait for the last poll to weigh little, and the first read of the host.
   */
  private static final int LARGE_SCALE = 256;

  private static final String POWER = "PAX64, large";

  private static final Query SELECTION = Query.ofPpm(TableLab.SELECTIVITIES.get(0), false);
  private static final int STEPS = 26;
  private static final double MAX_PAGE = 4_000_000;
  private static final double MAX_ITEM = 200_000;
  private static final long MAX_POWER = 100_000;

  /** 1.04 kJ in 207 s, 0.522 kJ in 78 s, 57 kJ in 207 s. */
  private static final double DRIVE_W = 1040.0 / 207;

  private static final double DEVICE_W = 522.0 / 78;
  private static final double SYSTEM_W = 57_000.0 / 207;
  private static final double IDLE_W = 235;

  private final Map<String, EventLogs> logs = new LinkedHashMap<>();
  private DeviceProfile profile;

  /** A table's scans. */
  private record EventLogs(TableScan.Recorded recorded, int side, int scale) {}

  private TableFit(DeviceProfile start) throws IOException {
    profile = start;
    try (TableStore store = new TableStore()) {
      for (int columns : List.of(4, 64)) {
        for (Layout layout : Layout.values()) {
          scan(store, name(layout, columns), columns, layout, ModelSide.DEVICE, SCALE);
        }
        scan(store, "SSD" + columns, columns, Layout.NSM, ModelSide.HOST, LARGE_SCALE);
      }
      scan(store, POWER, 64, Layout.PAX, ModelSide.DEVICE, LARGE_SCALE);
    }
  }

  private void scan(
      TableStore store, String name, int columns, Layout layout, int side, int scale) {
    TableScan table = TableLab.table(columns, layout, scale);
    logs.put(name, new EventLogs(table.run(store, side, List.of(SELECTION)).get(0), side, scale));
  }

  private static String name(Layout layout, int columns) {
    return layout.name() + columns;
  }

  /** Returns the names of the numbers that are fitted. */
  public static List<String> paths() {
    return List.of(PAGE, ROW, VALUE, DRIVE_IDLE, CORE_ACTIVE, HOST_BYTE, HOST_IDLE);
  }

  /**
   * Fits.
   *
   * @param start a profile; what the numbers to fit are there does not matter
   * @param progress is told what is fitted
   * @return the numbers, by place
   * @throws IOException if the model refuses a scan
   */
  public static Map<String, Long> fit(DeviceProfile start, Progress progress) throws IOException {
    TableFit fit = new TableFit(start);
    try {
      for (String path : paths()) {
        fit.set(path, 1000);
      }
      fit.times(progress);
      fit.powers(progress);
    } finally {
      fit.logs.values().forEach(l -> l.recorded().log().close());
    }
    Map<String, Long> fitted = new LinkedHashMap<>();
    for (String path : paths()) {
      fitted.put(path, fit.profile.get(path));
    }
    return fitted;
  }

  private void set(String path, long value) {
    profile = profile.with(path, value, "fitted");
  }

  private TableLab.Full play(String name) throws IOException {
    EventLogs scan = logs.get(name);
    byte[] report = scan.recorded().log().play(profile.wireArray(), scan.side());
    return TableLab.full(ModelReport.read(report), 0, scan.scale());
  }

  private void times(Progress progress) throws IOException {
    double narrow = play("SSD4").seconds();
    Search.Measure error = value -> page(value, narrow);
    int looks = Search.looksOfLeast(STEPS);
    long page =
        Search.least(
            MAX_PAGE, STEPS, Search.told(error, progress, "fitting the cost of a page", looks));
    page(Search.rounded(page), narrow);
  }

  /** Returns the sum of squares for a cost of a page, and the best costs of rows and values. */
  private double page(long cost, double narrow) throws IOException {
    set(PAGE, cost);
    return item(ROW, Layout.NSM, 115, 2.6 * narrow) + item(VALUE, Layout.PAX, 78, 1.22 * narrow);
  }

  private double item(String path, Layout layout, double wideSeconds, double narrowSeconds)
      throws IOException {
    Search.Measure error =
        value -> {
          set(path, value);
          double wide = play(name(layout, 64)).seconds() / wideSeconds - 1;
          double narrow = play(name(layout, 4)).seconds() / narrowSeconds - 1;
          return wide * wide + narrow * narrow;
        };
    return error.at(Search.rounded(Search.least(MAX_ITEM, STEPS, error)));
  }

  private void powers(Progress progress) throws IOException {
    progress.tell("fitting powers");
    turn(DRIVE_IDLE, DRIVE_W, value -> play("SSD64").ioW());
    turn(CORE_ACTIVE, DEVICE_W, value -> play(POWER).ioW());
    set(HOST_IDLE, Search.rounded((long) (1e3 * IDLE_W) - idleWithout(HOST_IDLE)));
    turn(HOST_BYTE, SYSTEM_W, value -> play("SSD64").systemW());
  }

  /** Returns the power of the idle system but for one number, in mW. */
  private long idleWithout(String path) {
    List<String> many = new ArrayList<>(profile.values().keySet());
    many.removeIf(p -> !p.endsWith(".idle_mw") || p.equals(path));
    return many.stream().mapToLong(profile::get).sum(); // of a component, not of each unit
  }

  private void turn(String path, double target, Search.Measure measure) throws IOException {
    long reached =
        Search.reach(
            target,
            MAX_POWER,
            value -> {
              set(path, value);
              return measure.at(value);
            });
    set(path, Search.rounded(reached));
  }
}
