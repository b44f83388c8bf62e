/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Text of others, such as titles and queries, made fit for a terminal. */
public final class Printable {
  private Printable() {}

  /**
   * Returns a text whose control characters are written as {@code \}{@code u001b}: they could
   * colour, move or hide what a terminal shows. Line ends are control characters, too.
   */
  public static String text(String text) {
    return escape(text, Printable::isControl);
  }

  /** Returns the same, but keeps line feeds. */
  public static String lines(String text) {
    return escape(text, c -> c != '\n' && isControl(c));
  }

  private static String escape(String text, IntPredicate escaped) {
    if (text.chars().noneMatch(escaped)) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.chars()
        .forEach(
            c -> {
              if (escaped.test(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                safe.append((char) c);
              }
            });
    return safe.toString();
  }

  /**
   * Returns whether a character is a control, as are separators of lines and paragraphs, and what
   * turns the direction of writing.
   */
  private static boolean isControl(int c) {
    return Character.isISOControl(c) || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
  }
}
