/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.Search;
import org.luceneoffload.papers.pageindex.IndexLab.Kind;
import org.luceneoffload.papers.pageindex.IndexLab.Settings;

/**
 * The fit of what the paper leaves open: it decomposes the published times of a host tree, of
 * FLIXR-S, of inserts and of the small cache into costs, one after the other. Each has a target of
 * its own. Results are rounded to three digits.
 */
public final class IndexFit {
  private static final String NODE = "host.work.tree_node.access_ps";
  private static final String ROW = "host.work.tuple_read.core_millicycles";
  private static final String COMMAND = "host.work.index_check.access_ps";

  /** Fitted numbers that are of the workload and the software, and stand in no profile. */
  static final Settings SETTINGS = new Settings(396_000, 97, 1090, 1);

  private static final String TREE_PPM = "s4.tree_ppm";
  private static final String HOST_STEPS = "s4.host_steps";
  private static final String INSERT_ROWS = "s4.insert_rows";
  private static final String CACHE_PPM = "s4.cache_ppm";

  private static final double INDEX_TRAFFIC = 0.36;
  private static final double INDEX_TIME = 0.475;
  private static final double IDEAL_GAIN = 1.281;
  private static final double S_SCAN = 0.92;
  private static final double S_INSERT = 1.58;
  private static final double HS_ALL = 1.526;
  private static final double S_CACHE = 0.941;
  private static final long MAX_PPM = 1_000_000;

  private DeviceProfile profile;
  private Settings settings = new Settings(1, 1, 1, 1);

  private IndexFit(DeviceProfile start) {
    profile = start;
  }

  /** Returns the names of the numbers of the profile that are fitted. */
  static List<String> paths() {
    return List.of(NODE, ROW, COMMAND);
  }

  /** Returns a fitted number as the report uses it: of the profile, or of the settings. */
  public static long inUse(DeviceProfile profile, String name) {
    return switch (name) {
      case TREE_PPM -> SETTINGS.treePpm();
      case HOST_STEPS -> SETTINGS.hostSteps();
      case INSERT_ROWS -> SETTINGS.insertRows();
      case CACHE_PPM -> SETTINGS.cachePpm();
      default -> profile.get(name);
    };
  }

  /**
   * Fits.
   *
   * @param start a profile; what the numbers to fit are there does not matter
   * @param progress is told what is fitted
   * @return the numbers, by name
   * @throws IOException if the model refuses an experiment
   */
  public static Map<String, Long> fit(DeviceProfile start, Consumer<String> progress)
      throws IOException {
    IndexFit fit = new IndexFit(start);
    for (String path : paths()) {
      fit.profile = fit.profile.with(path, 1, "fitted");
    }
    Map<String, Long> fitted = new LinkedHashMap<>();
    fit.tree(fitted, progress);
    fit.rest(fitted, progress);
    return fitted;
  }

  private interface Use {
    void of(long value);
  }

  private void turn(
      Map<String, Long> fitted,
      String name,
      double target,
      long most,
      Use use,
      Search.Measure measure)
      throws IOException {
    long reached =
        Search.reach(
            target,
            most,
            value -> {
              use.of(value);
              return measure.at(value);
            });
    long rounded = Search.rounded(reached);
    use.of(rounded);
    fitted.put(name, rounded);
  }

  private Use inProfile(String path) {
    return value -> profile = profile.with(path, value, "fitted");
  }

  private IndexLab lab() {
    return new IndexLab(profile, settings);
  }

  private double scan(Kind kind) throws IOException {
    return lab().scan(kind).ms();
  }

  private static int small(long value) {
    return Math.toIntExact(value);
  }

  /** Fits the tree: of its time, nodes that are read take one part, and searching them another. */
  private void tree(Map<String, Long> fitted, Consumer<String> progress) throws IOException {
    progress.accept("fitting the host tree");
    turn(
        fitted,
        TREE_PPM,
        -INDEX_TRAFFIC,
        MAX_PPM,
        v -> settings = new Settings(small(v), 1, 1, 1),
        v -> -lab().scan(Kind.TREE).indexShare());
    double reading = scan(Kind.TREE) - scan(Kind.IDEAL_TREE);
    double whole = reading / (1 - 1 / IDEAL_GAIN);
    double searching = INDEX_TIME * whole - reading;
    turn(
        fitted,
        NODE,
        searching,
        100_000_000,
        inProfile(NODE),
        v -> scan(Kind.IDEAL_TREE) - scan(Kind.ORACLE));
    turn(fitted, ROW, whole, 100_000_000, inProfile(ROW), v -> scan(Kind.TREE));
  }

  private void rest(Map<String, Long> fitted, Consumer<String> progress) throws IOException {
    progress.accept("fitting FLIXR's commands");
    double tree = scan(Kind.TREE);
    turn(fitted, COMMAND, tree / S_SCAN, 100_000_000, inProfile(COMMAND), v -> scan(Kind.S));
    turn(
        fitted,
        INSERT_ROWS,
        -S_INSERT,
        100_000,
        v -> settings = new Settings(settings.treePpm(), 1, small(v), 1),
        v -> -gain(lab().insert(Kind.TREE), lab().insert(Kind.S)));
    turn(
        fitted,
        HOST_STEPS,
        -HS_ALL,
        1000,
        v -> settings = new Settings(settings.treePpm(), small(v), settings.insertRows(), 1),
        v -> -all(lab(), Kind.HS));
    turn(
        fitted,
        CACHE_PPM,
        S_CACHE,
        MAX_PPM,
        v ->
            settings =
                new Settings(
                    settings.treePpm(), settings.hostSteps(), settings.insertRows(), small(v)),
        v -> scan(Kind.S) / scan(Kind.S_CACHED));
  }

  static double gain(IndexLab.Outcome tree, IndexLab.Outcome other) {
    return tree.ms() / other.ms();
  }

  /** Returns the mean gain over the host tree in scans, deletes and inserts. */
  static double all(IndexLab lab, Kind kind) throws IOException {
    return (gain(lab.scan(Kind.TREE), lab.scan(kind))
            + gain(lab.delete(Kind.TREE), lab.delete(kind))
            + gain(lab.insert(Kind.TREE), lab.insert(kind)))
        / 3;
  }
}
