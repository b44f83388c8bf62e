/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.papers.pageindex.IndexLab.Load;

/**
 * The fit of what the paper leaves open, each number to one figure: how many commands a host has
 * under way, what the firmware does for a command of the index, and what an insert costs beside its
 * index.
 */
final class IndexFit {
  private static final String AHEAD = "host.read_ahead";
  private static final String CHECK = "device.work.index_check.core_millicycles";
  private static final String INSERT_ROWS = "workload.insert_rows";

  /** Work of an insert beside its index, in rows: fitted, and in no profile. */
  static final int INSERTED = 5_320;

  private static final double TREE_OVER_NONE = 3;
  private static final double S_SCAN = 0.92;
  private static final double S_INSERT = 1.58;
  private static final int MAX_AHEAD = 16;
  private static final int MAX_CHECK = 100_000_000;
  private static final int MAX_ROWS = 100_000;

  private final IndexLab lab;
  private final Map<String, Long> fitted = new LinkedHashMap<>();
  private DeviceProfile profile;
  private int insertRows = 1;

  private IndexFit(IndexLab lab, DeviceProfile profile) {
    this.lab = lab;
    this.profile = profile;
  }

  /** Returns the names of the numbers of the profile that are fitted. */
  static List<String> paths() {
    return List.of(AHEAD, CHECK);
  }

  /** Returns a fitted number as the report uses it: of the profile, or of the workload. */
  static long inUse(DeviceProfile profile, String name) {
    return name.equals(INSERT_ROWS) ? INSERTED : profile.get(name);
  }

  /** Fits; what the numbers to fit are in the profile does not matter. */
  static Map<String, Long> fit(DeviceProfile start, Progress progress) throws IOException {
    try (IndexLab lab = new IndexLab(start, 1)) {
      IndexFit fit = new IndexFit(lab, start);
      for (String path : paths()) {
        fit.profile = fit.profile.with(path, 1, "fitted");
      }
      fit.reads(progress);
      fit.commands(progress);
      return fit.fitted;
    }
  }

  private interface Use {
    void of(long value);
  }

  private void set(String name, long value, Use use) {
    long rounded = Search.rounded(value);
    use.of(rounded);
    fitted.put(name, rounded);
  }

  private double ms(Load load, Kind kind) throws IOException {
    lab.use(profile, insertRows);
    return lab.run(load, kind).ms();
  }

  private void turn(
      String name, double target, long most, Use use, Search.Measure measure, Progress progress)
      throws IOException {
    Search.Measure used =
        value -> {
          use.of(value);
          return measure.at(value);
        };
    String step = "fitting " + name;
    long reached =
        Search.reach(target, most, Search.told(used, progress, step, Search.looksOfReach(most)));
    set(name, reached, use);
  }

  private Use inProfile(String path) {
    return value -> profile = profile.with(path, value, "fitted");
  }

  private void reads(Progress progress) throws IOException {
    Use ahead = inProfile(AHEAD);
    long best = 1;
    double least = Double.MAX_VALUE;
    for (long value = 1; value <= MAX_AHEAD; value++) {
      progress.tell("fitting the host's reads", (int) value - 1, MAX_AHEAD);
      ahead.of(value);
      double error = Math.abs(treeOverNone() - TREE_OVER_NONE);
      if (error < least) {
        least = error;
        best = value;
      }
    }
    set(AHEAD, best, ahead);
  }

  private double treeOverNone() throws IOException {
    double most = 0;
    for (Load load : List.of(Load.SCAN, Load.JOIN, Load.DELETE)) {
      most = Math.max(most, ms(load, Kind.NONE) / ms(load, Kind.TREE));
    }
    return most;
  }

  private void commands(Progress progress) throws IOException {
    double slower = ms(Load.SCAN, Kind.TREE) / S_SCAN;
    turn(CHECK, slower, MAX_CHECK, inProfile(CHECK), value -> ms(Load.SCAN, Kind.S), progress);
    turn(
        INSERT_ROWS,
        -S_INSERT,
        MAX_ROWS,
        value -> insertRows = (int) value,
        value -> -ms(Load.INSERT, Kind.TREE) / ms(Load.INSERT, Kind.S),
        progress);
  }
}
