/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.luceneoffload.papers.lab.Modelled;
import org.luceneoffload.papers.lab.Outcomes;
import org.luceneoffload.papers.study.Trend;

/** The paper's statements about how its figures move, checked on what was modelled. */
final class Trends {
  private final Outcomes outcomes;
  private final List<Trend> trends = new ArrayList<>();
  private boolean fitted;

  private Trends(Outcomes outcomes) {
    this.outcomes = outcomes;
  }

  /** Checks all statements about experiments that ran. */
  static List<Trend> check(Outcomes outcomes) {
    Trends trends = new Trends(outcomes);
    trends.fitted = true;
    trends.intersections();
    trends.fitted = false;
    trends.differences();
    trends.unions();
    return trends.trends;
  }

  private void intersections() {
    gain("intersection wins at every skew", "section 7.1", "intersection-skew", g -> least(g) > 1);
    gain(
        "its gain is smallest at skew 10, not at 1",
        "draft, figure of skew",
        "intersection-skew",
        g -> g.indexOf(least(g)) == 1);
    gain(
        "it gains more with higher skew, from 10 on",
        "section 7.1",
        "intersection-skew",
        g -> rises(g.subList(1, g.size())));
    gain(
        "it gains more with longer lists",
        "section 7.1, summary",
        "intersection-size",
        g -> last(g) > g.get(0));
    gain(
        "it gains more with more lists",
        "section 7.1, summary",
        "intersection-lists",
        g -> last(g) > g.get(0));
    gain(
        "two lists to three: little changes",
        "section 7.1, note 12",
        "intersection-lists",
        g -> Math.abs(g.get(1) / g.get(0) - 1) < 0.1);
    gain(
        "no clear correlation with the ratio, list A being short",
        "section 7.1",
        "intersection-ratio",
        g -> most(g) / least(g) < 1.1);
    gain(
        "equal lists: it gains more at a low ratio",
        "section 7.1, summary",
        "intersection-equal",
        g -> g.get(0) > last(g));
    gain(
        "equal lists: it wins even at 100 %",
        "section 7.1", "intersection-equal", g -> last(g) > 1);
    both(
        "equal lists at 100 %: ranked, it gains more",
        "section 7.2",
        "intersection-equal",
        "ranked-intersection-equal",
        (plain, ranked) -> last(ranked) > last(plain));
  }

  private void differences() {
    for (String ranked : new String[] {"", "ranked-"}) {
      String name = ranked + "difference";
      String source = ranked.isEmpty() ? "section 7.3" : "section 7.4";
      String sweep = name + "-skew";
      gain(name + " loses at skew 0.01 and 0.1", source, sweep, g -> most(g.subList(0, 2)) < 1);
      gain(name + " wins from skew 1 up", source, sweep, g -> least(g.subList(2, g.size())) > 1);
    }
    String skew = "difference-skew";
    series(
        "its time on the device rises from 0.01 to 0.1 and falls from there",
        skew,
        m -> m.device().elapsedMs(),
        "ms",
        t -> t.get(1) > t.get(0) && falls(t.subList(1, t.size())));
    series(
        "its time on the host rises from 0.01 to 1",
        skew,
        m -> m.host().elapsedMs(),
        "ms",
        t -> rises(t.subList(0, 3)));
    series("in energy it wins at every skew", skew, Modelled::energyGain, "x", g -> least(g) > 1);
    series(
        "equal lists: its time on the device falls from 10 % to 100 %",
        "difference-equal", m -> m.device().elapsedMs(), "ms", t -> t.get(3) < t.get(2));
    both(
        "equal lists: ranked, it gains more",
        "section 7.4",
        "difference-equal",
        "ranked-difference-equal",
        (plain, ranked) -> IntStream.range(0, 3).allMatch(i -> ranked.get(i) > plain.get(i)));
  }

  private void unions() {
    gain(
        "ranked union loses at every list size",
        "section 7.5",
        "ranked-union-size",
        g -> most(g) < 1);
    gain("it loses at every skew", "section 7.5", "ranked-union-skew", g -> most(g) < 1);
    gain(
        "equal lists: it loses at every ratio but 100 %",
        "draft, comment in section 7.5", "ranked-union-equal", g -> most(g.subList(0, 3)) < 1);
    gain(
        "it loses at every number of lists",
        "section 7.5, figure 20",
        "ranked-union-lists",
        g -> most(g) < 1);
    gain(
        "it loses more with more lists",
        "section 7.5, figure 20",
        "ranked-union-lists",
        g -> last(g) < g.get(0));
    series(
        "in energy it wins with two lists",
        "ranked-union-size",
        Modelled::energyGain,
        "x",
        g -> least(g) > 1);
  }

  private interface Pair {
    boolean holds(List<Double> one, List<Double> other);
  }

  private void gain(String text, String source, String sweep, Predicate<List<Double>> holds) {
    add(text, source, sweep, Modelled::latencyGain, "x", holds);
  }

  private void series(
      String text,
      String sweep,
      Function<Modelled, Double> value,
      String unit,
      Predicate<List<Double>> holds) {
    String source = sweep.startsWith("ranked-union") ? "section 7.5" : "section 7.3";
    add(text, source, sweep, value, unit, holds);
  }

  private void add(
      String text,
      String source,
      String sweep,
      Function<Modelled, Double> value,
      String unit,
      Predicate<List<Double>> holds) {
    try {
      List<Double> values = outcomes.all(sweep).stream().map(value).toList();
      trends.add(new Trend(text, source, fitted, holds.test(values), show(values, unit)));
    } catch (Outcomes.NotRun e) {
      // This run leaves it out, so nothing can be said.
    }
  }

  private void both(String text, String source, String one, String other, Pair holds) {
    try {
      List<Double> a = outcomes.all(one).stream().map(Modelled::latencyGain).toList();
      List<Double> b = outcomes.all(other).stream().map(Modelled::latencyGain).toList();
      String seen = show(a, "x") + "; ranked " + show(b, "x");
      trends.add(new Trend(text, source, fitted, holds.holds(a, b), seen));
    } catch (Outcomes.NotRun e) {
      // As above.
    }
  }

  private static String show(List<Double> values, String unit) {
    return String.join(
            ", ",
            values.stream()
                .map(v -> String.format(Locale.ROOT, unit.equals("ms") ? "%.0f" : "%.2f", v))
                .toList())
        + " "
        + unit;
  }

  private static double least(List<Double> values) {
    return values.stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  private static double most(List<Double> values) {
    return values.stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  private static double last(List<Double> values) {
    return values.get(values.size() - 1);
  }

  private static boolean rises(List<Double> values) {
    return IntStream.range(1, values.size()).allMatch(i -> values.get(i) > values.get(i - 1));
  }

  private static boolean falls(List<Double> values) {
    return IntStream.range(1, values.size()).allMatch(i -> values.get(i) < values.get(i - 1));
  }
}
