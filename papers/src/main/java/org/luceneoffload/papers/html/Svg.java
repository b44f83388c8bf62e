/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import java.util.List;
import java.util.Locale;

/** A plot in the paper's form: bars of both sides, group by group, as SVG without any script. */
final class Svg {
  private static final int WIDTH = 430;
  private static final int HEIGHT = 260;
  private static final int LEFT = 62;
  private static final int RIGHT = 8;
  private static final int TOP = 34;
  private static final int BOTTOM = 44;
  private static final double LOG_FROM = 20;
  private static final String[] COLORS = {"#1f6fb4", "#c8c8c8", "#e0913a", "#5a9e5a"};

  /**
   * Bars of one color.
   *
   * @param name for the legend
   * @param values one for each group, above 0
   */
  record Bars(String name, List<Double> values) {}

  /**
   * The contents of a plot.
   *
   * @param title above it
   * @param xTitle below the groups
   * @param yTitle beside the axis
   * @param groups names of the groups
   * @param bars two series or more
   * @param notes a short text above each group
   */
  record Plot(
      String title,
      String xTitle,
      String yTitle,
      List<String> groups,
      List<Bars> bars,
      List<String> notes) {}

  private final StringBuilder out = new StringBuilder();
  private final Plot plot;
  private final boolean log;
  private final double low;
  private final double high;

  private Svg(Plot plot) {
    this.plot = plot;
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Bars bars : plot.bars()) {
      for (double value : bars.values()) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    log = least > 0 && most / least > LOG_FROM;
    low = log ? StrictMath.pow(10, Math.floor(StrictMath.log10(least))) : 0;
    high = log ? StrictMath.pow(10, Math.ceil(StrictMath.log10(most))) : nice(most);
  }

  /**
   * Draws a plot; whether its axis is logarithmic follows from the values, and is written on it.
   */
  static String draw(Plot plot) {
    Svg svg = new Svg(plot);
    svg.frame();
    svg.axis();
    svg.groups();
    svg.legend();
    svg.out.append("</svg>\n");
    return svg.out.toString();
  }

  /**
   * Returns where an axis ends that shows values up to {@code most}: 1, 1.5, 2, 3, 4, 5, 6 or 8
   * times a power of ten, the least of these that is not below it; 1 if there is no value above 0.
   */
  private static double nice(double most) {
    if (most <= 0) {
      return 1;
    }
    double power = StrictMath.pow(10, Math.floor(StrictMath.log10(most)));
    for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8}) {
      if (most <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private double y(double value) {
    double span = HEIGHT - TOP - BOTTOM;
    double share =
        log
            ? StrictMath.log10(Math.max(value, low) / low) / StrictMath.log10(high / low)
            : value / high;
    return HEIGHT - BOTTOM - span * share;
  }

  private void frame() {
    format(
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, Html.escape(plot.title()));
    text(WIDTH / 2.0, 14, "middle", plot.title(), "t");
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, "middle", plot.xTitle(), "a");
    format(
        "<text transform=\"translate(12 %.1f) rotate(-90)\" text-anchor=\"middle\""
            + " class=\"a\">%s</text>\n",
        (TOP + HEIGHT - BOTTOM) / 2.0, Html.escape(plot.yTitle() + (log ? " (log)" : "")));
  }

  private void axis() {
    if (log) {
      for (double tick = low; tick <= high * 1.001; tick *= 10) {
        tick(tick);
      }
    } else {
      for (int i = 0; i <= 4; i++) {
        tick(high * i / 4);
      }
    }
  }

  private void tick(double value) {
    double y = y(value);
    format(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n",
        LEFT, WIDTH - RIGHT, y, y);
    text(LEFT - 5, y + 4, "end", number(value), "n");
  }

  private void groups() {
    int count = plot.groups().size();
    double room = (double) (WIDTH - LEFT - RIGHT) / count;
    double width = 0.8 * room / plot.bars().size();
    for (int i = 0; i < count; i++) {
      double from = LEFT + room * i + 0.1 * room;
      double top = HEIGHT;
      for (int j = 0; j < plot.bars().size(); j++) {
        double y = y(plot.bars().get(j).values().get(i));
        top = Math.min(top, y);
        format(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
            from + width * j, y, width, HEIGHT - BOTTOM - y, COLORS[j % COLORS.length]);
      }
      text(from + 0.4 * room, HEIGHT - BOTTOM + 14, "middle", plot.groups().get(i), "n");
      if (i < plot.notes().size()) {
        text(from + 0.4 * room, top - 3, "middle", plot.notes().get(i), "n");
      }
    }
  }

  private void legend() {
    double x = LEFT;
    for (int j = 0; j < plot.bars().size(); j++) {
      String name = plot.bars().get(j).name();
      format(
          "<rect x=\"%.1f\" y=\"20\" width=\"9\" height=\"9\" fill=\"%s\"/>\n",
          x, COLORS[j % COLORS.length]);
      text(x + 13, 28, "start", name, "n");
      x += 24 + 6.2 * name.length();
    }
  }

  private void text(double x, double y, String anchor, String text, String style) {
    format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n",
        x, y, anchor, style, Html.escape(text));
  }

  private static String number(double value) {
    if (value >= 10 || value == 0) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, "%.3g", value).replaceFirst("\\.?0+$", "");
  }

  private void format(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values));
  }
}
