/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.pageindex.IndexLab.Kind;
import org.luceneoffload.papers.pageindex.IndexLab.Outcome;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;

/** Runs the experiments of the paper on page indexes, and compares. */
public final class IndexStudy {
  private static final int WRITES = 4096;
  private static final List<String> NOTES =
      List.of(
          "The paper gives neither absolute times nor the layout of rows, the size of tree nodes,"
              + " the cached share of the tree or queue depths. Here: a table of 2,048 pages of 16"
              + " KB with rows of 128 bytes, whose key grows with the rows but for some disorder;"
              + " queries of sixteen ranges of 100 rows; a tree of three levels with nodes of 16"
              + " KB, 16 bytes a row. What is fitted decomposes the published figures into costs,"
              + " and predicts nothing.",
          "All are scans, deletes and inserts with equal weights. Joins, TPC-C and TPC-H are not"
              + " modelled, nor is the tree in the SSD: their figures follow from no documented"
              + " input. Figures of single queries are in plots that are lost. Traffic is counted"
              + " in reads of the host.",
          "The share of the cached index is at its bound: all index pages come from flash once a"
              + " query. How many rows the second key matches is not given: here half, so its"
              + " figure has no target.",
          "A command that the device answers without a read follows the one before closely in"
              + " FLIXR-S, whose time for it is fitted; in FLIXR-HS it is one command after the"
              + " other.");

  private final DeviceProfile profile;
  private final Consumer<String> progress;
  private final IndexLab lab;
  private final Map<Kind, Outcome> scans = new LinkedHashMap<>();
  private final Map<Kind, Outcome> deletes = new LinkedHashMap<>();
  private final Map<Kind, Outcome> inserts = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param profile device and host
   * @param progress is told what runs
   */
  public IndexStudy(DeviceProfile profile, Consumer<String> progress) {
    this.profile = profile;
    this.progress = progress;
    lab = new IndexLab(profile, IndexFit.SETTINGS);
  }

  /**
   * Runs.
   *
   * @throws IOException if the model refuses an experiment, or the published figures cannot be read
   */
  public PaperReport run() throws IOException {
    progress.accept("s4: scans, deletes, inserts");
    for (Kind kind : Kind.values()) {
      scans.put(kind, lab.scan(kind));
    }
    for (Kind kind : List.of(Kind.TREE, Kind.S, Kind.HS)) {
      deletes.put(kind, lab.delete(kind));
    }
    for (Kind kind : List.of(Kind.NONE, Kind.TREE, Kind.S, Kind.HS)) {
      inserts.put(kind, lab.insert(kind));
    }
    String name = profile.name();
    return new PaperReport(
        Papers.PAGE_INDEX,
        "FLIXR: page indexes in the SSD (Koo et al., IEEE TC 2022)",
        name,
        profile.title(),
        NOTES,
        fitted(),
        PaperReport.compare(Papers.PAGE_INDEX, name, values(), IndexReasons.KNOWN),
        PaperReport.judge(Papers.PAGE_INDEX, name, trends(), IndexReasons.KNOWN),
        List.of(everyKind()),
        List.of());
  }

  private List<Calibrated> fitted() {
    List<Calibrated> all = new ArrayList<>(PaperReport.fitted(profile, IndexFit.paths()));
    IndexLab.Settings s = IndexFit.SETTINGS;
    all.add(
        setting("share of the tree in memory", s.treePpm(), "ppm", "36 % of the traffic is index"));
    all.add(setting("search in the least keys", s.hostSteps(), "% of a node", "+52.6 % over all"));
    all.add(setting("an insert beside its index", s.insertRows(), "rows", "+58 % of S on inserts"));
    all.add(setting("share of the index cached", s.cachePpm(), "ppm", "94.1 % with 16 MB"));
    return all;
  }

  private static Calibrated setting(String name, long value, String unit, String to) {
    return new Calibrated(name, value, unit, to);
  }

  private double scanGain(Kind kind) {
    return IndexFit.gain(scans.get(Kind.TREE), scans.get(kind));
  }

  private double deleteGain(Kind kind) {
    return IndexFit.gain(deletes.get(Kind.TREE), deletes.get(kind));
  }

  private double insertGain(Kind kind) {
    return IndexFit.gain(inserts.get(Kind.TREE), inserts.get(kind));
  }

  private double all(Kind kind) {
    return (scanGain(kind) + deleteGain(kind) + insertGain(kind)) / 3;
  }

  private static double reads(Outcome outcome) {
    return outcome.dataReads() + outcome.indexReads();
  }

  private Map<String, Double> values() throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    double page = PageTable.PAGE_BYTES;
    values.put("s4.space.1", 100 * RedoIndex.ENTRY_BYTES / page);
    values.put("s4.space.3", 100 * 3 * RedoIndex.ENTRY_BYTES / page);
    values.put(
        "s4.space.tree",
        100.0 * 3 * RedoIndex.ENTRY_BYTES / (PageTable.ROWS * PageTable.TREE_ENTRY_BYTES));
    double tree = scans.get(Kind.TREE).ms();
    values.put("s4.tree.traffic", 100 * scans.get(Kind.TREE).indexShare());
    values.put("s4.tree.time", 100 * (1 - scans.get(Kind.ORACLE).ms() / tree));
    values.put("s4.tree.ideal", scanGain(Kind.IDEAL_TREE));
    values.put(
        "s4.hs.traffic", 100 * (1 - reads(scans.get(Kind.HS)) / reads(scans.get(Kind.TREE))));
    values.put("s4.hs.all", all(Kind.HS));
    values.put("s4.hs.scan", scanGain(Kind.HS));
    values.put("s4.hs.delete", deleteGain(Kind.HS));
    values.put("s4.s.scan", scanGain(Kind.S));
    values.put("s4.s.delete", deleteGain(Kind.S));
    values.put("s4.s.insert", insertGain(Kind.S));
    values.put("s4.hs.insert", insertGain(Kind.HS));
    values.put("s4.s.all", all(Kind.S));
    values.put("s4.cache.s", 100 * scans.get(Kind.S).ms() / scans.get(Kind.S_CACHED).ms());
    values.put("s4.cache.hs", 100 * scans.get(Kind.HS).ms() / scans.get(Kind.HS_CACHED).ms());
    values.put("s4.keys", scans.get(Kind.HS).ms() / scans.get(Kind.HS_TWO_KEYS).ms());
    values.put("s4.writes", lab.writes(true, WRITES) / lab.writes(false, WRITES));
    return values;
  }

  private List<Trend> trends() {
    List<Trend> trends = new ArrayList<>();
    trends.add(
        trend(
            "HS is faster than S on scans and deletes",
            scanGain(Kind.HS) > scanGain(Kind.S) && deleteGain(Kind.HS) > deleteGain(Kind.S),
            scanGain(Kind.HS),
            scanGain(Kind.S),
            deleteGain(Kind.HS),
            deleteGain(Kind.S)));
    trends.add(
        trend(
            "S is faster than HS on inserts",
            insertGain(Kind.S) > insertGain(Kind.HS),
            insertGain(Kind.S),
            insertGain(Kind.HS)));
    trends.add(
        trend(
            "both are faster than a host tree over all",
            all(Kind.S) > 1 && all(Kind.HS) > 1,
            all(Kind.S),
            all(Kind.HS)));
    trends.add(
        trend(
            "no index is best on inserts",
            insertGain(Kind.NONE) >= insertGain(Kind.S),
            insertGain(Kind.NONE),
            insertGain(Kind.S)));
    double hs = scans.get(Kind.HS).dataReads();
    double exact = scans.get(Kind.TREE).dataReads();
    trends.add(trend(IndexReasons.MORE_DATA, hs > exact && hs < 1.1 * exact, hs, exact));
    trends.add(
        new Trend(
            "after a crash at any point exactly the entries whose redo bit is 0 are built again",
            "section 4.6",
            false,
            CrashCheck.holds(),
            CrashCheck.CRASHES + " crashes"));
    return trends;
  }

  private static Trend trend(String text, boolean holds, double... seen) {
    List<String> texts = new ArrayList<>();
    for (double value : seen) {
      texts.add(number(value));
    }
    return new Trend(text, "section 6", false, holds, String.join(", ", texts));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }

  private Table everyKind() {
    List<List<String>> rows = new ArrayList<>();
    scans.forEach(
        (kind, scan) ->
            rows.add(
                List.of(
                    kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    number(scan.ms()),
                    number(scanGain(kind)),
                    number((double) scan.dataReads() / IndexLab.QUERIES),
                    number((double) scan.indexReads() / IndexLab.QUERIES),
                    deletes.containsKey(kind) ? number(deleteGain(kind)) : "",
                    inserts.containsKey(kind) ? number(insertGain(kind)) : "")));
    return Table.ofText(
        "Every kind of index",
        "Oracle: the pages that the tree names, found for nothing. Skipper: least and greatest key"
            + " of 4,096 rows in the host's memory, as Lucene's DocValuesSkipper has them; it is"
            + " not in the paper. Gains are over the host tree.",
        List.of(
            "index",
            ">scan, ms",
            ">gain",
            ">data pages",
            ">index nodes",
            ">gain, delete",
            ">gain, insert"),
        rows);
  }
}
