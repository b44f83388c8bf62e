/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.pageindex.IndexLab.Load;
import org.luceneoffload.papers.pageindex.IndexLab.Outcome;
import org.luceneoffload.papers.study.Calibrated;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Trend;

/** Runs the experiments of the paper on page indexes, and compares. */
public final class IndexStudy implements Study {
  private static final int WRITES = 4096;
  private static final List<Load> TPC_C = List.of(Load.NEW_ORDER, Load.PAYMENT);
  private static final List<Load> JOINS = List.of(Load.Q4, Load.Q14);
  private static final List<Load> WITHOUT_JOIN = List.of(Load.SCAN, Load.DELETE, Load.INSERT);

  /** Loads that only read. */
  static final List<Load> READS =
      List.of(Load.SCAN, Load.JOIN, Load.Q1, Load.Q4, Load.Q6, Load.Q14);

  private static final List<String> NEEDED =
      List.of(
          "host.work.tuple_read.core_millicycles",
          "host.work.tree_node.core_millicycles",
          "device.work.tuple_read.core_millicycles",
          "device.work.index_check.core_millicycles",
          "device.work.tree_node.core_millicycles");

  @Override
  public String paper() {
    return Papers.PAGE_INDEX;
  }

  @Override
  public String missing(DeviceProfile profile) {
    for (String path : NEEDED) {
      if (profile.get(path) == 0) {
        return paper()
            + " needs "
            + path
            + ", which profile "
            + profile.name()
            + " leaves out; without it a row, an index entry or a node takes no time";
      }
    }
    return null;
  }

  @Override
  public Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException {
    return IndexFit.fit(profile, progress);
  }

  @Override
  public long inUse(DeviceProfile profile, String path) {
    return IndexFit.inUse(profile, path);
  }

  @Override
  public PaperReport run(DeviceProfile profile, Progress progress) throws IOException {
    progress.tell("s4: kernels, queries and transactions");
    try (IndexLab lab = new IndexLab(profile, IndexFit.INSERTED)) {
      IndexResults results = new IndexResults(lab);
      ProductIndex product = ProductIndex.of(lab);
      boolean own = Papers.isOwn(Papers.PAGE_INDEX, profile);
      return new PaperReport(
          Papers.PAGE_INDEX,
          "FLIXR: page indexes in the SSD (Koo et al., IEEE TC 2022)",
          profile.name(),
          profile.title(),
          own,
          IndexReasons.NOTES,
          fitted(profile),
          PaperReport.compare(
              Papers.PAGE_INDEX, own, values(lab, results, product), IndexReasons.KNOWN),
          PaperReport.judge(own, trends(results, product), IndexReasons.KNOWN),
          IndexTables.tables(results, product, lab.plan()),
          IndexTables.plots(results));
    }
  }

  private static List<Calibrated> fitted(DeviceProfile profile) {
    List<Calibrated> all = new ArrayList<>(PaperReport.fitted(profile, IndexFit.paths()));
    all.add(
        new Calibrated(
            "workload.insert_rows",
            IndexFit.INSERTED,
            "rows",
            "fitted: inserts with FLIXR-S are 58 % faster; work of an insert beside its index"));
    return all;
  }

  private static Map<String, Double> values(IndexLab lab, IndexResults r, ProductIndex product)
      throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("s4.space.1", product.pagePercent());
    values.put("s4.space.3", 3 * product.pagePercent());
    values.put("s4.space.tree", product.treePercent());
    kernels(r, values);
    databases(r, values);
    keys(r, values);
    values.put("s4.cache.s", cached(r, Kind.S, Kind.S_CACHED));
    values.put("s4.cache.hs", cached(r, Kind.HS, Kind.HS_CACHED));
    values.put("s4.writes", lab.writes(false, WRITES) / lab.writes(true, WRITES));
    return values;
  }

  private static void kernels(IndexResults r, Map<String, Double> values) throws IOException {
    double most = 0;
    for (Load load : List.of(Load.SCAN, Load.JOIN, Load.DELETE)) {
      most = Math.max(most, 1 / r.gain(load, Kind.NONE));
    }
    values.put("s4.tree.none", most);
    for (Load load : IndexLab.KERNELS) {
      values.put("s4.hs." + load.title, r.gain(load, Kind.HS));
      values.put("s4.s." + load.title, r.gain(load, Kind.S));
    }
    values.put("s4.hs.kernels", r.gain(WITHOUT_JOIN, Kind.HS));
  }

  private static void databases(IndexResults r, Map<String, Double> values) throws IOException {
    List<Load> all = IndexLab.DATABASES;
    values.put("s4.tree.time", IndexResults.mean(all, r::indexTime));
    values.put("s4.tree.time.tpcc", IndexResults.mean(TPC_C, r::indexTime));
    values.put("s4.tree.ideal", r.gain(all, Kind.IDEAL_TREE));
    values.put("s4.tree.device", r.gain(all, Kind.DEVICE_TREE));
    for (Kind kind : List.of(Kind.S, Kind.HS)) {
      String id = kind == Kind.S ? "s4.s." : "s4.hs.";
      values.put(id + "all", r.gain(all, kind));
      values.put(id + "tpcc", r.gain(TPC_C, kind));
      values.put(id + "joins", r.gain(JOINS, kind));
    }
    values.put(
        "s4.tree.traffic",
        IndexResults.mean(all, load -> r.traffic(load, r.of(load, Kind.TREE).nodeBytes())));
    values.put(
        "s4.hs.traffic",
        100 - IndexResults.mean(all, load -> r.traffic(load, r.of(load, Kind.HS).dataBytes())));
    values.put(
        "s4.hs.update",
        IndexResults.mean(
            all,
            load -> {
              Outcome hs = r.of(load, Kind.HS);
              return 100.0 * hs.updateBytes() / hs.bytes();
            }));
  }

  /** Adds figures of two keys in queries 6 and 14, which are over a host's tree with one. */
  private static void keys(IndexResults r, Map<String, Double> values) throws IOException {
    values.put("s4.keys.hs", twoKeys(r, Kind.HS));
    values.put("s4.keys.s", twoKeys(r, Kind.S));
    values.put("s4.keys", twoKeys(r, Kind.HS) / r.gain(List.of(Load.Q6, Load.Q14), Kind.HS));
    double data = 0;
    double all = 0;
    for (Load load : List.of(Load.Q6, Load.Q14)) {
      Outcome one = r.of(load, Kind.TREE);
      Outcome two = r.of(withTwoKeys(load), Kind.TREE);
      data += 50 - 50.0 * two.dataBytes() / one.dataBytes();
      all += 50 - 50.0 * two.bytes() / one.bytes();
    }
    values.put("s4.keys.data", data);
    values.put("s4.keys.traffic", all);
  }

  private static Load withTwoKeys(Load load) {
    return load == Load.Q6 ? Load.Q6_TWO_KEYS : Load.Q14_TWO_KEYS;
  }

  private static double twoKeys(IndexResults r, Kind kind) throws IOException {
    return IndexResults.mean(
        List.of(Load.Q6, Load.Q14),
        load -> r.of(load, Kind.TREE).ms() / r.of(withTwoKeys(load), kind).ms());
  }

  private static double cached(IndexResults r, Kind all, Kind cached) throws IOException {
    return IndexResults.mean(READS, load -> 100 * r.of(load, all).ms() / r.of(load, cached).ms());
  }

  private static List<Trend> trends(IndexResults r, ProductIndex product) throws IOException {
    List<Trend> trends = new ArrayList<>();
    boolean most = true;
    for (Load load : List.of(Load.SCAN, Load.JOIN, Load.DELETE)) {
      most &= r.gain(load, Kind.HS) > Math.max(r.gain(load, Kind.S), r.gain(load, Kind.NONE));
      most &= r.gain(load, Kind.HS) > Math.max(1, r.gain(load, Kind.DEVICE_TREE));
    }
    trends.add(
        trend(
            "HS is the fastest in scan, join and delete",
            "section 6.1",
            most,
            r.gain(Load.SCAN, Kind.HS),
            r.gain(Load.JOIN, Kind.HS),
            r.gain(Load.DELETE, Kind.HS)));
    double s = r.gain(Load.INSERT, Kind.S);
    trends.add(
        trend(
            "S is the fastest of the indexes on inserts",
            "section 6.1",
            s > r.gain(Load.INSERT, Kind.HS) && s > 1 && s > r.gain(Load.INSERT, Kind.DEVICE_TREE),
            s,
            r.gain(Load.INSERT, Kind.HS),
            r.gain(Load.INSERT, Kind.DEVICE_TREE)));
    trends.add(
        trend(
            "no index is best on inserts",
            "section 6.1",
            r.gain(Load.INSERT, Kind.NONE) > s,
            r.gain(Load.INSERT, Kind.NONE),
            s));
    deviceTree(r, trends);
    databaseTrends(r, trends);
    trends.add(
        new Trend(
            "after the power failed exactly the entries whose redo bit is 0 are built again",
            "section 4.6",
            false,
            product.rebuilt() == ProductIndex.REWRITTEN && product.rebuiltAfterFlush() == 0,
            product.rebuilt() + " of " + ProductIndex.REWRITTEN + ", by the engine"));
    return trends;
  }

  private static void deviceTree(IndexResults r, List<Trend> trends) throws IOException {
    double scan = r.gain(Load.SCAN, Kind.DEVICE_TREE) / r.gain(Load.SCAN, Kind.S);
    double join = r.gain(Load.JOIN, Kind.DEVICE_TREE) / r.gain(Load.JOIN, Kind.S);
    trends.add(
        trend(
            IndexReasons.DEVICE_TREE_LIKE_S,
            "section 6.1",
            Math.max(scan, join) < 1.2 && Math.min(scan, join) > 0.8,
            scan,
            join));
    double delete = r.gain(Load.DELETE, Kind.DEVICE_TREE);
    double insert = r.gain(Load.INSERT, Kind.DEVICE_TREE);
    trends.add(
        trend(
            IndexReasons.DEVICE_TREE_WRITES,
            "section 6.1",
            delete < 1 && insert < 1,
            delete,
            insert));
    long inside = 0;
    long host = 0;
    for (Load load : IndexLab.DATABASES) {
      inside += r.of(load, Kind.DEVICE_TREE).bytes();
      host += r.of(load, Kind.TREE).dataBytes();
    }
    trends.add(
        trend(
            "a tree in the SSD has the traffic of the data pages alone",
            "section 6.3",
            inside == host,
            inside,
            host));
  }

  private static void databaseTrends(IndexResults r, List<Trend> trends) throws IOException {
    trends.add(
        trend(
            IndexReasons.BOTH_WIN,
            "section 6.2",
            r.gain(IndexLab.DATABASES, Kind.S) > 1 && r.gain(IndexLab.DATABASES, Kind.HS) > 1,
            r.gain(IndexLab.DATABASES, Kind.S),
            r.gain(IndexLab.DATABASES, Kind.HS)));
    double q1 = r.gain(Load.Q1, Kind.S);
    double q6 = r.gain(Load.Q6, Kind.S);
    trends.add(
        trend(
            IndexReasons.S_LOSES,
            "section 6.2",
            q1 < 1 && q6 < 1 && r.gain(Load.Q1, Kind.HS) > 1 && r.gain(Load.Q6, Kind.HS) > 1,
            q1,
            q6,
            r.gain(Load.Q1, Kind.HS),
            r.gain(Load.Q6, Kind.HS)));
    double hs = 0;
    double exact = 0;
    for (Load load : IndexLab.DATABASES) {
      hs += r.of(load, Kind.HS).dataBytes();
      exact += r.of(load, Kind.TREE).dataBytes();
    }
    trends.add(
        trend(IndexReasons.MORE_DATA, "section 6.3", hs > exact && hs < 1.1 * exact, hs / exact));
  }

  private static Trend trend(String text, String source, boolean holds, double... seen) {
    List<String> texts = new ArrayList<>();
    for (double value : seen) {
      texts.add(String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value));
    }
    return new Trend(text, source, false, holds, String.join(", ", texts));
  }
}
