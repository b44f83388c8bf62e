/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.Locale;

/** Text that comes from an application, for messages. */
public final class Text {
  private Text() {}

  /**
   * Returns what an object's {@code toString} returns, or its class if that throws.
   *
   * @param object of any class, not null
   */
  public static String of(Object object) {
    try {
      return String.valueOf(object.toString());
    } catch (RuntimeException | StackOverflowError e) {
      return object.getClass().getName() + " (its toString throws " + e.getClass().getName() + ")";
    }
  }

  /**
   * Returns a text on one line: control characters and line separators become escapes, as in Java's
   * strings.
   */
  public static String line(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (breaksLine(text.charAt(i))) {
        return escape(text);
      }
    }
    return text;
  }

  private static boolean breaksLine(char c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT // among them those that turn the direction of writing
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static String escape(String text) {
    StringBuilder line = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (breaksLine(c)) {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }
}
