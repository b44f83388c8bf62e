/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.luceneoffload.papers.classic.Operation;

/** All experiments of the paper on synthetic lists. */
public final class Matrix {
  /** Entries of the longer list, unless its size varies: 10 MB. */
  public static final int LONGEST = 10 * Workload.MB;

  private static final int SKEW = 100;
  private static final int RATIO_PPM = 10_000;
  private static final int[] SIZES_MB = {1, 10, 50, 100};
  private static final int[] SKEWS = {1, 10, 100, 1000, 10_000};
  private static final int[] RATIOS_PPM = {1_000, 10_000, 100_000, 1_000_000};
  private static final int PPM_A_PERCENT = 10_000;

  /** One seed: experiments that vary something else share their lists. */
  public static final long SEED = 1;

  private Matrix() {}

  /** Returns the sweeps, in the order of the paper. */
  public static List<Sweep> sweeps() {
    List<Sweep> sweeps = new ArrayList<>();
    for (boolean ranked : new boolean[] {false, true}) {
      intersections(sweeps, ranked);
    }
    for (boolean ranked : new boolean[] {false, true}) {
      differences(sweeps, ranked);
    }
    unions(sweeps);
    return sweeps;
  }

  private static void intersections(List<Sweep> sweeps, boolean ranked) {
    Operation op = Operation.INTERSECTION;
    String like = "section 7.2: similar to the unranked one";
    sweeps.add(size(op, ranked, ranked ? like : "figure 9"));
    sweeps.add(skew(op, ranked, ranked ? like : "figure 10"));
    sweeps.add(ratio(op, ranked, ranked ? like : "figure 11"));
    sweeps.add(equal(op, ranked, ranked ? "figure 14" : "figure 12"));
    sweeps.add(lists(op, ranked, ranked ? like : "figure 13"));
  }

  private static void differences(List<Sweep> sweeps, boolean ranked) {
    Operation op = Operation.DIFFERENCE;
    String like = "section 7.4: similar to the unranked one";
    sweeps.add(size(op, ranked, ranked ? like : "figure 15"));
    sweeps.add(differenceSkew(ranked, ranked ? "figure 18" : "figure 16"));
    sweeps.add(
        ratio(op, ranked, ranked ? like : "section 7.3, note 13: no noticeable changes, omitted"));
    sweeps.add(equal(op, ranked, ranked ? "figure 19" : "figure 17"));
  }

  private static void unions(List<Sweep> sweeps) {
    Operation op = Operation.UNION;
    String summary = "section 7.5: about 1.2 times slower, plot omitted";
    sweeps.add(size(op, true, summary));
    sweeps.add(skew(op, true, summary));
    sweeps.add(ratio(op, true, summary));
    sweeps.add(equal(op, true, summary));
    sweeps.add(lists(op, true, "figure 20"));
  }

  private static Sweep size(Operation op, boolean ranked, String paper) {
    List<Sweep.Point> points = new ArrayList<>();
    for (int mb : SIZES_MB) {
      points.add(
          point("" + mb, op, ranked, Workload.of(2, mb * Workload.MB, SKEW, RATIO_PPM, SEED)));
    }
    return sweep("size", "list size", op, ranked, paper, "size of list B, MB", points);
  }

  private static Sweep skew(Operation op, boolean ranked, String paper) {
    List<Sweep.Point> points = new ArrayList<>();
    for (int skew : SKEWS) {
      points.add(point("" + skew, op, ranked, Workload.of(2, LONGEST, skew, RATIO_PPM, SEED)));
    }
    return sweep("skew", "skew", op, ranked, paper, "skew, |B| / |A|", points);
  }

  /** Returns the sweep over the ratio of the lengths; below 1 the first list is the longer one. */
  private static Sweep differenceSkew(boolean ranked, String paper) {
    Operation op = Operation.DIFFERENCE;
    List<Sweep.Point> points = new ArrayList<>();
    for (int skew : new int[] {100, 10}) {
      points.add(
          point(
              number(1.0 / skew),
              op,
              ranked,
              Workload.of(2, LONGEST, skew, RATIO_PPM, SEED).swapped()));
    }
    for (int skew : new int[] {1, 10, 100}) {
      points.add(point("" + skew, op, ranked, Workload.of(2, LONGEST, skew, RATIO_PPM, SEED)));
    }
    return sweep("skew", "skew", op, ranked, paper, "skew, |B| / |A|", points);
  }

  private static Sweep ratio(Operation op, boolean ranked, String paper) {
    return sweep(
        "ratio",
        "intersection ratio",
        op,
        ranked,
        paper,
        "intersection ratio, %",
        ratios(op, ranked, SKEW));
  }

  private static Sweep equal(Operation op, boolean ranked, String paper) {
    return sweep(
        "equal",
        "intersection ratio of equal lists of 10 MB",
        op,
        ranked,
        paper,
        "intersection ratio, %",
        ratios(op, ranked, 1));
  }

  private static List<Sweep.Point> ratios(Operation op, boolean ranked, int skew) {
    List<Sweep.Point> points = new ArrayList<>();
    for (int ppm : RATIOS_PPM) {
      points.add(
          point(
              number((double) ppm / PPM_A_PERCENT),
              op,
              ranked,
              Workload.of(2, LONGEST, skew, ppm, SEED)));
    }
    return points;
  }

  private static Sweep lists(Operation op, boolean ranked, String paper) {
    List<Sweep.Point> points =
        IntStream.rangeClosed(2, 8)
            .mapToObj(
                lists ->
                    point(
                        "" + lists, op, ranked, Workload.of(lists, LONGEST, SKEW, RATIO_PPM, SEED)))
            .toList();
    return sweep("lists", "number of lists", op, ranked, paper, "number of lists", points);
  }

  private static Sweep sweep(
      String what,
      String title,
      Operation op,
      boolean ranked,
      String paper,
      String parameter,
      List<Sweep.Point> points) {
    String name = new ClassicExperiment(op, ranked, points.get(0).experiment().workload()).text();
    return new Sweep(
        name.replace(' ', '-') + "-" + what,
        name + ": " + title,
        paper,
        parameter,
        op == Operation.INTERSECTION,
        points);
  }

  private static Sweep.Point point(String label, Operation op, boolean ranked, Workload workload) {
    return new Sweep.Point(label, new ClassicExperiment(op, ranked, workload));
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.replaceFirst("\\.?0+$", "");
  }
}
