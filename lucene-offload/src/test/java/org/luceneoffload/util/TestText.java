/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestText {
  @Test
  void aLineStaysOneLine() {
    String plain = "body:\"größe\\n\" 漢字";
    assertSame(plain, Text.line(plain));
    assertEquals("a\\u000ab\\u000d\\u0009", Text.line("a\nb\r\t"));
    assertEquals(
        "\\u001b[31m \\u2028\\u2029\\u202e\\u0085",
        Text.line("\u001b[31m \u2028\u2029\u202e\u0085"));
  }

  @Test
  void objectsThatDoNotTell() {
    assertEquals("[1]", Text.of(java.util.List.of(1)));
    Object silent =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException("expected");
          }
        };
    assertTrue(Text.of(silent).contains("UnsupportedOperationException"), Text.of(silent));
    Object none =
        new Object() {
          @Override
          public String toString() {
            return null;
          }
        };
    assertEquals("null", Text.of(none));
  }
}
