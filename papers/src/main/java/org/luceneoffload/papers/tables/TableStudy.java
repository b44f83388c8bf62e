/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.TableScan;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.papers.tables.TableScans.Where;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Runs the experiments of the paper of 2013, and compares. */
public final class TableStudy implements Study {
  private static final String SECTION = "section 4.2.1";
  private static final List<String> COSTS =
      List.of(
          "device.work.tuple_read",
          "device.work.column_read",
          "host.work.tuple_read",
          "host.work.column_read");
  private static final List<String> NOTES =
      List.of(
          "Tables of 1/"
              + TableLab.SCALE
              + " of the paper's rows are written to a simulated device, scanned there page by"
              + " page, and played by the model; times and energies are extrapolated to full size."
              + " A scan is in a steady state, so all but its opening and its last poll grows with"
              + " the table. Energy includes what an idle system draws, as in the paper.",
          "The document at hand ends in section 4.2.1: the results of selection with aggregation"
              + " are known from the abstract alone, those of TPC-H and the values of table 3 not"
              + " at all. Its plots are lost, so curves over selectivity are modelled, and compared"
              + " in words and at the points that the text gives. The lists of columns of its"
              + " queries are garbled: here a selection returns one column of the rows that match,"
              + " an aggregation the sum of it.",
          "Number and clock of the device's cores are not given: one core at 400 MHz runs programs,"
              + " as in the paper of 2016. The hard disk is a link of 80 MB/s that draws 8.7 W,"
              + " which is 13 kJ in 1,494 s (table 2); so all figures of the disk are derived, and"
              + " with them the gains over it.");

  /**
   * Bytes of a page's header and of a slot, rows and bytes of a row of LINEITEM (section 4.1.1).
   */
  private static final int HEADER_BYTES = 96;

  private static final int SLOT_BYTES = 2;
  private static final long LINEITEM_ROWS = 600_000_000;
  private static final int LINEITEM_BYTES = 148;

  private final int scale;

  /** With tables as small as the report's. */
  public TableStudy() {
    this(TableLab.SCALE);
  }

  /** With another scale than the report's. */
  TableStudy(int scale) {
    this.scale = scale;
  }

  @Override
  public String paper() {
    return Papers.TABLES;
  }

  @Override
  public String missing(DeviceProfile profile) {
    return profile.missing("paper s2", COSTS);
  }

  @Override
  public Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException {
    return TableFit.fit(profile, progress);
  }

  @Override
  public PaperReport run(DeviceProfile profile, Progress progress) throws IOException {
    TableScans scans = TableScans.run(profile, scale, progress);
    progress.tell("s2: several sessions, and a wider gap");
    List<Table> tables = new ArrayList<>();
    tables.add(TableFigures.everyScan(scans));
    tables.add(TableFigures.bounds(scans));
    tables.addAll(SessionStudy.run(profile));
    progress.tell("s2: the production engine");
    tables.addAll(EngineStudy.run(profile, scans));
    List<Plot> plots = new ArrayList<>(TableFigures.plots(scans));
    plots.add(BandwidthStudy.run(profile));
    boolean own = Papers.isOwn(Papers.TABLES, profile);
    return new PaperReport(
        Papers.TABLES,
        "Query processing on Smart SSDs (Do et al., SIGMOD 2013)",
        profile.name(),
        profile.title(),
        own,
        NOTES,
        PaperReport.fitted(profile, TableFit.paths()),
        PaperReport.compare(Papers.TABLES, own, values(profile, scans), TableReasons.KNOWN),
        PaperReport.judge(own, trends(scans), TableReasons.KNOWN),
        tables,
        plots);
  }

  private static Map<String, Double> values(DeviceProfile profile, TableScans scans)
      throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    for (int columns : TableLab.TABLES) {
      values.put("s2.rows." + columns, (double) TableScan.rowsOf(columns));
      values.put("s2.size." + columns, TableLab.table(columns, Layout.NSM, 1).bytes() / 1e9);
    }
    values.put("s2.size.lineitem", lineItemGb());
    double inside = bandwidth(profile, ModelSide.DEVICE);
    values.put("s2.bandwidth", inside / bandwidth(profile, ModelSide.HOST));
    values.put("s2.bandwidth.hdd", inside / bandwidth(TableLab.hardDisk(profile), ModelSide.HOST));
    Full ssd = scans.first(Where.SSD, 64);
    Full nsm = scans.first(Where.NSM, 64);
    Full pax = scans.first(Where.PAX, 64);
    Full disk = scans.first(Where.HDD, 64);
    values.put("s2.ssd.64", ssd.seconds());
    values.put("s2.nsm.64", nsm.seconds());
    values.put("s2.pax.64", pax.seconds());
    double narrow = scans.first(Where.SSD, 4).seconds();
    values.put("s2.nsm.4", scans.first(Where.NSM, 4).seconds() / narrow);
    values.put("s2.pax.4", scans.first(Where.PAX, 4).seconds() / narrow);
    values.put("s2.gain.ssd", ssd.seconds() / pax.seconds());
    values.put("s2.gain.hdd", disk.seconds() / pax.seconds());
    values.put("s2.pax.nsm", nsm.seconds() / pax.seconds());
    values.put("s2.energy.ssd", ssd.systemJ() / pax.systemJ());
    values.put("s2.energy.hdd", disk.systemJ() / pax.systemJ());
    values.put("s2.io.ssd", ssd.ioJ() / pax.ioJ());
    values.put("s2.io.hdd", disk.ioJ() / pax.ioJ());
    for (int ppm : TableLab.SELECTIVITIES) {
      Full scan = scans.of(Where.HDD, 64, false, ppm);
      String at = "." + percent(ppm);
      values.put("s2.hdd.64" + at, scan.seconds());
      values.put("s2.hdd.system" + at, scan.systemJ() / 1e3);
      values.put("s2.hdd.io" + at, scan.ioJ() / 1e3);
    }
    values.put("s2.aggregation", bestAggregation(scans, Full::seconds));
    values.put("s2.aggregation.energy", bestAggregation(scans, Full::systemJ));
    return values;
  }

  private static String percent(int ppm) {
    return ppm % 10_000 == 0 ? "" + ppm / 10_000 : "" + ppm / 1e4;
  }

  private static double lineItemGb() {
    long each = (TableScan.PAGE_BYTES - HEADER_BYTES) / (LINEITEM_BYTES + SLOT_BYTES);
    return Math.ceilDiv(LINEITEM_ROWS, each) * TableScan.PAGE_BYTES / 1e9;
  }

  private static double bestAggregation(TableScans scans, ToDoubleFunction<Full> value) {
    double best = 0;
    for (int columns : TableLab.TABLES) {
      for (int ppm : TableLab.SELECTIVITIES) {
        double ssd = value.applyAsDouble(scans.of(Where.SSD, columns, true, ppm));
        for (Where where : List.of(Where.NSM, Where.PAX)) {
          best = Math.max(best, ssd / value.applyAsDouble(scans.of(where, columns, true, ppm)));
        }
      }
    }
    return best;
  }

  /** Measures sequential reads of 256 KB, eight at a time, in bytes a second. */
  private static double bandwidth(DeviceProfile profile, int side) throws IOException {
    int bytes = TableScan.HOST_READ_PAGES * TableScan.PAGE_BYTES;
    ModelReport report =
        ModelReport.read(ClassicModel.playReads(profile.wireArray(), side, 2000, bytes, 8, 0, 0));
    return 1e12 * report.bytesRead() / report.elapsedPs();
  }

  private static List<Trend> trends(TableScans scans) {
    int ppm = TableLab.SELECTIVITIES.get(0);
    List<Trend> trends = new ArrayList<>();
    double[] narrow = {scans.gain(Where.NSM, 4, ppm), scans.gain(Where.PAX, 4, ppm)};
    double[] wide = {scans.gain(Where.NSM, 64, ppm), scans.gain(Where.PAX, 64, ppm)};
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
    double[] cells = {
      narrow[0], narrow[1], scans.gain(Where.NSM, 16, ppm), scans.gain(Where.PAX, 16, ppm)
    };
    trends.add(
        new Trend(
            "with 4 and 16 columns the Smart SSD is usually slower",
            SECTION,
            false,
            Arrays.stream(cells).filter(g -> g < 1).count() > 2,
            "gains: " + numbers(cells)));
    double[] falling =
        TableLab.SELECTIVITIES.stream().mapToDouble(s -> scans.gain(Where.PAX, 64, s)).toArray();
    trends.add(
        new Trend(
            "the gain falls as more rows match",
            SECTION + ", figure 5",
            false,
            falling[0] > falling[1] && falling[1] > falling[2],
            "gains of PAX at 0.1, 10, 100 %: " + numbers(falling)));
    Full ssd = scans.first(Where.SSD, 64);
    Full pax = scans.first(Where.PAX, 64);
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

  private static String numbers(double... values) {
    List<String> texts = new ArrayList<>();
    for (double value : values) {
      texts.add(String.format(Locale.ROOT, "%.2f", value));
    }
    return String.join(", ", texts);
  }
}
