/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.papers.tables.TableScans.Where;

/** Tables and plots of the scans of the paper of 2013. */
final class TableFigures {
  private static final List<Where> PLOTTED = List.of(Where.SSD, Where.NSM, Where.PAX);
  private static final List<String> NAMES =
      List.of("regular SSD", "Smart SSD, NSM", "Smart SSD, PAX");
  private static final Axis SELECTIVITY = new Axis("rows that match", "%", false);

  /** What may bound a scan: the resource, and what the report calls it. */
  private static final Map<String, String> BOUNDS =
      Map.of(
          "core", "core",
          "dram_bus", "DRAM bus",
          "channel", "flash channels",
          "link", "host link",
          "host_core", "host cores");

  private TableFigures() {}

  /** Returns the times and gains of every scan. */
  static Table everyScan(TableScans scans) {
    Table table =
        Table.of(
                "Every scan",
                "The whole table; gains of the Smart SSD over the regular one, which reads row"
                    + " pages.")
            .text("query")
            .number("columns", "")
            .number("rows that match", "%")
            .number("SSD", "s")
            .number("NSM", "s")
            .number("PAX", "s")
            .number("gain, NSM", "x")
            .number("gain, PAX", "x")
            .number("gain in system energy, PAX", "x")
            .number("gain in drive energy, PAX", "x");
    for (boolean sums : new boolean[] {false, true}) {
      for (int columns : TableLab.TABLES) {
        for (int ppm : TableLab.SELECTIVITIES) {
          Full ssd = scans.of(Where.SSD, columns, sums, ppm);
          Full nsm = scans.of(Where.NSM, columns, sums, ppm);
          Full pax = scans.of(Where.PAX, columns, sums, ppm);
          table.row(
              sums ? "aggregation" : "selection",
              columns,
              ppm / 1e4,
              ssd.seconds(),
              nsm.seconds(),
              pax.seconds(),
              ssd.seconds() / nsm.seconds(),
              ssd.seconds() / pax.seconds(),
              ssd.systemJ() / pax.systemJ(),
              ssd.ioJ() / pax.ioJ());
        }
      }
    }
    return table;
  }

  /** Returns what each scan is bound by. */
  static Table bounds(TableScans scans) {
    Table table =
        Table.of(
                "What bounds a scan",
                "Share of the time that a resource is in use, selections of 0.1 %. Near 100 % it"
                    + " bounds the scan. With 64 columns and PAX on the paper's drive that is the"
                    + " core: 1,870 cycles of a page and 16 of a row are 5.8 us, the bus takes 5.3"
                    + " us for 8 KB. So a faster bus alone gains nothing, see the plot of"
                    + " bandwidths.")
            .text("scan")
            .number("columns", "")
            .number("core", "%")
            .number("DRAM bus", "%")
            .number("flash channels", "%")
            .number("host link", "%")
            .number("host cores", "%")
            .text("bound by");
    for (int columns : TableLab.TABLES) {
      for (int i = 0; i < PLOTTED.size(); i++) {
        Map<String, Double> busy = scans.first(PLOTTED.get(i), columns).busy();
        String bound =
            busy.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
        table.row(
            NAMES.get(i),
            columns,
            100 * busy.get("core"),
            100 * busy.get("dram_bus"),
            100 * busy.get("channel"),
            100 * busy.get("link"),
            100 * busy.get("host_core"),
            BOUNDS.get(bound));
      }
    }
    return table;
  }

  /** Returns figures 4 to 6, with the points that the text gives. */
  static List<Plot> plots(TableScans scans) {
    List<Plot> plots = new ArrayList<>();
    plots.add(figure4(scans));
    for (boolean sums : new boolean[] {false, true}) {
      String figure = sums ? "Figure 6" : "Figure 5";
      String query = sums ? "selection with aggregation" : "selection";
      Plot seconds =
          selectivity(
              scans,
              figure + " a: time, " + query,
              new Axis("time", "s", false),
              sums,
              Full::seconds);
      if (!sums) {
        seconds
            .published("paper: regular SSD", points(207.0))
            .published("paper: Smart SSD, NSM", points(115.0))
            .published("paper: Smart SSD, PAX", points(78.0));
      }
      plots.add(seconds);
      plots.add(
          selectivity(
              scans,
              figure + " b: energy of the system, " + query,
              new Axis("energy", "kJ", false),
              sums,
              full -> full.systemJ() / 1e3));
      plots.add(
          selectivity(
              scans,
              figure + " c: energy of the drive, " + query,
              new Axis("energy", "kJ", false),
              sums,
              full -> full.ioJ() / 1e3));
    }
    return plots;
  }

  /** Returns published points over the selectivities, of which the text gives the first alone. */
  private static List<Double> points(Double first) {
    return Arrays.asList(first, null, null);
  }

  private static Plot figure4(TableScans scans) {
    Plot plot =
        Plot.of(
            "Figure 4: time, selection of 0.1 %",
            "The text gives the times of Synthetic64 alone.",
            new Axis("table", "", false),
            new Axis("time", "s", false),
            TableLab.TABLES.stream().map(columns -> "Synthetic" + columns).toList());
    for (int i = 0; i < PLOTTED.size(); i++) {
      Where where = PLOTTED.get(i);
      plot.add(
          NAMES.get(i),
          Mark.BARS,
          TableLab.TABLES.stream().map(c -> scans.first(where, c).seconds()).toList());
    }
    return plot.published("paper: regular SSD", Arrays.asList(null, null, 207.0))
        .published("paper: Smart SSD, NSM", Arrays.asList(null, null, 115.0))
        .published("paper: Smart SSD, PAX", Arrays.asList(null, null, 78.0));
  }

  private static Plot selectivity(
      TableScans scans, String title, Axis y, boolean sums, ToDoubleFunction<Full> value) {
    Plot plot =
        Plot.of(
            title,
            "Synthetic64.",
            SELECTIVITY,
            y,
            TableLab.SELECTIVITIES.stream().map(ppm -> "" + ppm / 1e4).toList());
    for (int i = 0; i < PLOTTED.size(); i++) {
      Where where = PLOTTED.get(i);
      plot.add(
          NAMES.get(i),
          Mark.BARS,
          TableLab.SELECTIVITIES.stream()
              .map(ppm -> value.applyAsDouble(scans.of(where, TableLab.WIDEST, sums, ppm)))
              .toList());
    }
    return plot;
  }
}
