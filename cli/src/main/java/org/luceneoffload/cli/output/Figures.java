/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.util.Locale;

/** Numbers for people. */
public final class Figures {
  private static final double MAX_SCALE = 1e15;

  private Figures() {}

  /** Returns a count, such as {@code 1,234,567}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns a count of things, such as {@code 1 hit} or {@code 2 hits}. */
  public static String count(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns a size, such as {@code 12.3 KiB}. */
  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /** Returns a time, such as {@code 85 us}, {@code 12.3 ms} or {@code 1.2 s}. */
  public static String micros(double micros) {
    if (micros < 1000) {
      return String.format(Locale.ROOT, "%.0f us", micros);
    } else if (micros < 1e6) {
      return String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
    }
    return String.format(Locale.ROOT, "%.1f s", micros / 1e6);
  }

  /** Returns a time, such as {@code 45 s}, {@code 3 min 05 s} or {@code 2 h 03 min}. */
  public static String duration(double seconds) {
    long s = Math.round(seconds);
    if (s < 60) {
      return s + " s";
    } else if (s < 3600) {
      return String.format(Locale.ROOT, "%d min %02d s", s / 60, s % 60);
    }
    return String.format(Locale.ROOT, "%d h %02d min", s / 3600, s / 60 % 60);
  }

  /**
   * Rounds for JSON: to three decimals, or to three digits below a tenth. A small ratio does not
   * become 0.
   */
  public static double round(double value) {
    double scale = 1000;
    while (value != 0 && Math.abs(value) * scale < 100 && scale < MAX_SCALE) {
      scale *= 10;
    }
    return Math.round(value * scale) / scale;
  }

  /** Cuts a text to {@code width} characters; cut text ends in "...". */
  public static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 3) + "...";
  }
}
