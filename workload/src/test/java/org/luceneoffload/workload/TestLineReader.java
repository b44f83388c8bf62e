/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestLineReader {
  private static List<String> lines(String text) throws IOException {
    List<String> lines = new ArrayList<>();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (LineReader reader = new LineReader(new ByteArrayInputStream(bytes))) {
      for (byte[] line = reader.next(); line != null; line = reader.next()) {
        lines.add(new String(line, StandardCharsets.UTF_8));
        assertEquals(lines.size(), reader.lineNumber());
      }
      assertNull(reader.next());
    }
    return lines;
  }

  @Test
  void lineEnds() throws IOException {
    assertEquals(List.of(), lines(""));
    assertEquals(List.of(""), lines("\n"));
    assertEquals(List.of("a"), lines("a"));
    assertEquals(List.of("a"), lines("a\n"));
    assertEquals(List.of("a", "", "b"), lines("a\r\n\r\nb"));
  }

  @Test
  void linesLongerThanTheBuffer() throws IOException {
    // Ends just before, at and after the edges of the 64 KiB buffer.
    for (int length : new int[] {65534, 65535, 65536, 65537, 131072, 300000}) {
      String line = "x".repeat(length);
      assertEquals(List.of(line, "y", line), lines(line + "\ny\n" + line));
      assertEquals(List.of(line, "y"), lines(line + "\r\ny\r\n"));
    }
  }
}
