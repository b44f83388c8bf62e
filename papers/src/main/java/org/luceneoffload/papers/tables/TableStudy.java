/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.classic.table.TableScan;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Runs the experiments of the paper of 2013, and compares. */
public final class TableStudy {
  private static final String SECTION = "section 4.2.1";
  private static final List<String> NOTES =
      List.of(
          "Tables of 1/"
              + TableLab.SCALE
              + " of the paper's rows are scanned, page by page, and played by the model; times and"
              + " energies are extrapolated to full size. A scan is in a steady state, so all but"
              + " its opening and its last poll grows with the table. Energy includes what an idle"
              + " system draws, as in the paper.",
          "The document at hand ends in section 4.2.1: the results of selection with aggregation"
              + " are known from the abstract alone, those of TPC-H and the values of table 3 not"
              + " at all. Its plots are lost, so curves over selectivity are modelled, and compared"
              + " in words only. The lists of columns of its queries are garbled: here a selection"
              + " returns one column of the rows that match, an aggregation the sum of it.",
          "Number and clock of the device's cores are not given: one core at 400 MHz runs programs,"
              + " as in the paper of 2016. The hard disk is a link of 80 MB/s that draws 8.7 W,"
              + " which is 13 kJ in 1,494 s (table 2).");

  private final DeviceProfile profile;
  private final Consumer<String> progress;
  private final int scale;
  private final Map<String, Full> device = new LinkedHashMap<>();
  private final Map<String, Full> host = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param profile device and host
   * @param progress is told what runs
   */
  public TableStudy(DeviceProfile profile, Consumer<String> progress) {
    this(profile, progress, TableLab.SCALE);
  }

  /** With another scale than the report's. */
  TableStudy(DeviceProfile profile, Consumer<String> progress, int scale) {
    this.profile = profile;
    this.progress = progress;
    this.scale = scale;
  }

  /**
   * Runs.
   *
   * @throws IOException if the model refuses a scan, or the published figures cannot be read
   */
  public PaperReport run() throws IOException {
    try (TableStore store = new TableStore()) {
      for (int columns : TableLab.TABLES) {
        scan(store, columns);
      }
    }
    List<Table> sections = new ArrayList<>();
    sections.add(everyScan());
    progress.accept("s2: several sessions");
    sections.addAll(SessionStudy.run(profile));
    String name = profile.name();
    return new PaperReport(
        Papers.TABLES,
        "Query processing on Smart SSDs (Do et al., SIGMOD 2013)",
        name,
        profile.title(),
        NOTES,
        PaperReport.fitted(profile, TableFit.paths()),
        PaperReport.compare(Papers.TABLES, name, values(), TableReasons.KNOWN),
        PaperReport.judge(Papers.TABLES, name, trends(), TableReasons.KNOWN),
        sections,
        List.of());
  }

  /** Scans one table: its row pages on both sides and for the hard disk, then its column pages. */
  private void scan(TableStore store, int columns) throws IOException {
    List<Query> queries = new ArrayList<>();
    for (boolean sums : new boolean[] {false, true}) {
      TableLab.SELECTIVITIES.forEach(ppm -> queries.add(Query.ofPpm(ppm, sums)));
    }
    progress.accept("s2: scans of " + columns + " columns");
    put(
        device,
        "NSM",
        columns,
        scan(store, profile, ModelSide.DEVICE, columns, Layout.NSM, queries));
    put(host, "SSD", columns, scan(store, profile, ModelSide.HOST, columns, Layout.NSM, queries));
    if (columns == TableLab.WIDEST) {
      DeviceProfile disk = TableLab.hardDisk(profile);
      put(host, "HDD", columns, scan(store, disk, ModelSide.HOST, columns, Layout.NSM, queries));
    }
    put(
        device,
        "PAX",
        columns,
        scan(store, profile, ModelSide.DEVICE, columns, Layout.PAX, queries));
  }

  private List<Full> scan(
      TableStore store,
      DeviceProfile device,
      int side,
      int columns,
      Layout layout,
      List<Query> queries)
      throws IOException {
    return TableLab.run(store, device, side, columns, layout, queries, scale);
  }

  private static void put(Map<String, Full> results, String what, int columns, List<Full> all) {
    int count = TableLab.SELECTIVITIES.size();
    for (int i = 0; i < all.size(); i++) {
      results.put(
          key(what, columns, i >= count, TableLab.SELECTIVITIES.get(i % count)), all.get(i));
    }
  }

  private static String key(String what, int columns, boolean sums, int ppm) {
    return what + " " + columns + " " + sums + " " + ppm;
  }

  private Full device(Layout layout, int columns, int ppm) {
    return device.get(key(layout.name(), columns, false, ppm));
  }

  private Full host(int columns, int ppm) {
    return host.get(key("SSD", columns, false, ppm));
  }

  private Map<String, Double> values() throws IOException {
    int ppm = TableLab.SELECTIVITIES.get(0);
    Map<String, Double> values = new LinkedHashMap<>();
    for (int columns : TableLab.TABLES) {
      values.put("s2.rows." + columns, (double) TableScan.rowsOf(columns));
      values.put("s2.size." + columns, TableLab.table(columns, Layout.NSM, 1).bytes() / 1e9);
    }
    Full disk = host.get(key("HDD", 64, false, TableLab.SELECTIVITIES.get(0)));
    Full ssd = host(64, ppm);
    Full nsm = device(Layout.NSM, 64, ppm);
    Full pax = device(Layout.PAX, 64, ppm);
    values.put("s2.ssd.64", ssd.seconds());
    values.put("s2.hdd.64", disk.seconds());
    values.put("s2.bandwidth", bandwidth(ModelSide.DEVICE) / bandwidth(ModelSide.HOST));
    values.put("s2.nsm.64", nsm.seconds());
    values.put("s2.pax.64", pax.seconds());
    double narrow = host(4, ppm).seconds();
    values.put("s2.nsm.4", device(Layout.NSM, 4, ppm).seconds() / narrow);
    values.put("s2.pax.4", device(Layout.PAX, 4, ppm).seconds() / narrow);
    values.put("s2.gain.ssd", ssd.seconds() / pax.seconds());
    values.put("s2.gain.hdd", disk.seconds() / pax.seconds());
    values.put("s2.pax.nsm", nsm.seconds() / pax.seconds());
    values.put("s2.energy.ssd", ssd.systemJ() / pax.systemJ());
    values.put("s2.energy.hdd", disk.systemJ() / pax.systemJ());
    values.put("s2.io.ssd", ssd.ioJ() / pax.ioJ());
    values.put("s2.io.hdd", disk.ioJ() / pax.ioJ());
    values.put("s2.aggregation", bestAggregation());
    return values;
  }

  private double bestAggregation() {
    double best = 0;
    for (int columns : TableLab.TABLES) {
      for (int ppm : TableLab.SELECTIVITIES) {
        Full ssd = host.get(key("SSD", columns, true, ppm));
        for (Layout layout : Layout.values()) {
          Full smart = device.get(key(layout.name(), columns, true, ppm));
          best = Math.max(best, ssd.seconds() / smart.seconds());
        }
      }
    }
    return best;
  }

  /** Measures sequential reads of 256 KB, eight at a time, in bytes a second. */
  private double bandwidth(int side) throws IOException {
    int bytes = TableScan.HOST_READ_PAGES * TableScan.PAGE_BYTES;
    ModelReport report =
        ModelReport.read(ClassicModel.playReads(profile.wireArray(), side, 2000, bytes, 8, 0, 0));
    return 1e12 * report.bytesRead() / report.elapsedPs();
  }

  private List<Trend> trends() {
    int ppm = TableLab.SELECTIVITIES.get(0);
    List<Trend> trends = new ArrayList<>();
    double[] narrow = {gain(Layout.NSM, 4, ppm), gain(Layout.PAX, 4, ppm)};
    double[] wide = {gain(Layout.NSM, 64, ppm), gain(Layout.PAX, 64, ppm)};
    trends.add(
        new Trend(
            "the Smart SSD loses with narrow rows and wins with wide ones",
            SECTION,
            true,
            Math.max(narrow[0], narrow[1]) < 1 && Math.min(wide[0], wide[1]) > 1,
            "gains of NSM and PAX: "
                + numbers(narrow)
                + " of 4 columns, "
                + numbers(wide)
                + " of 64"));
    double[] cells = {narrow[0], narrow[1], gain(Layout.NSM, 16, ppm), gain(Layout.PAX, 16, ppm)};
    trends.add(
        new Trend(
            "with 4 and 16 columns the Smart SSD is usually slower",
            SECTION,
            false,
            Arrays.stream(cells).filter(g -> g < 1).count() > 2,
            "gains: " + numbers(cells)));
    double[] falling =
        TableLab.SELECTIVITIES.stream().mapToDouble(s -> gain(Layout.PAX, 64, s)).toArray();
    trends.add(
        new Trend(
            "the gain falls as more rows match",
            SECTION + ", figure 5",
            false,
            falling[0] > falling[1] && falling[1] > falling[2],
            "gains of PAX at 0.1, 10, 100 %: " + numbers(falling)));
    Full ssd = host(64, ppm);
    Full pax = device(Layout.PAX, 64, ppm);
    double[] kinds = {
      ssd.ioJ() / pax.ioJ(), ssd.seconds() / pax.seconds(), ssd.systemJ() / pax.systemJ()
    };
    trends.add(
        new Trend(
            "the gain in energy of the drive is less than that in time, which is less than that in"
                + " energy of the system",
            SECTION + ", table 2",
            true,
            kinds[0] < kinds[1] && kinds[1] < kinds[2],
            "gains: " + numbers(kinds)));
    return trends;
  }

  private double gain(Layout layout, int columns, int ppm) {
    return host(columns, ppm).seconds() / device(layout, columns, ppm).seconds();
  }

  private static String numbers(double... values) {
    List<String> texts = new ArrayList<>();
    for (double value : values) {
      texts.add(String.format(Locale.ROOT, "%.2f", value));
    }
    return String.join(", ", texts);
  }

  private Table everyScan() {
    List<List<String>> rows = new ArrayList<>();
    for (boolean sums : new boolean[] {false, true}) {
      for (int columns : TableLab.TABLES) {
        for (int ppm : TableLab.SELECTIVITIES) {
          Full ssd = host.get(key("SSD", columns, sums, ppm));
          Full nsm = device.get(key("NSM", columns, sums, ppm));
          Full pax = device.get(key("PAX", columns, sums, ppm));
          rows.add(
              List.of(
                  sums ? "aggregation" : "selection",
                  columns + "",
                  numbers(ppm / 1e4) + " %",
                  numbers(ssd.seconds()),
                  numbers(nsm.seconds()),
                  numbers(pax.seconds()),
                  numbers(ssd.seconds() / nsm.seconds()),
                  numbers(ssd.seconds() / pax.seconds()),
                  numbers(ssd.systemJ() / pax.systemJ()),
                  numbers(ssd.ioJ() / pax.ioJ())));
        }
      }
    }
    return Table.ofText(
        "Every scan",
        "Seconds of the whole table; gains of the Smart SSD over the regular one. The regular SSD"
            + " reads row pages.",
        List.of(
            "query",
            ">columns",
            ">rows that match",
            ">SSD",
            ">NSM",
            ">PAX",
            ">gain, NSM",
            ">gain, PAX",
            ">gain in system energy, PAX",
            ">gain in drive energy, PAX"),
        rows);
  }
}
