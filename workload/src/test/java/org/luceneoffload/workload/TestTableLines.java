/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of tables as lines of JSON. */
class TestTableLines {
  @TempDir private Path temp;

  /** Returns the lines that are not blank, each with its number. */
  private List<String> lines(String name, byte[] bytes, TypedFields fields) throws Exception {
    Path file = Files.write(temp.resolve(name), bytes);
    List<String> lines = new ArrayList<>();
    new CorpusReader(List.of(file))
        .read(
            fields,
            batch -> {
              for (int i = 0; i < batch.lines().size(); i++) {
                if (!CorpusLine.isBlank(batch.lines().get(i))) {
                  String origin = batch.origin(i);
                  lines.add(
                      origin.substring(origin.lastIndexOf(':') + 1)
                          + " "
                          + new String(batch.lines().get(i), StandardCharsets.UTF_8));
                }
              }
              return true;
            });
    return lines;
  }

  private List<String> lines(String name, String text) throws Exception {
    return lines(name, text.getBytes(StandardCharsets.UTF_8), TypedFields.NONE);
  }

  @Test
  void rowsKeepTheNumbersOfTheirLines() throws Exception {
    String table = "id,body,n\r\n1,\"two\nlines, \"\"said\"\"\",3\r\n\r\n2,b,-1.5e3\n3,c,\n";
    List<String> expected =
        List.of(
            "2 {\"id\":\"1\",\"body\":\"two\\nlines, \\\"said\\\"\",\"n\":3}",
            "5 {\"id\":\"2\",\"body\":\"b\",\"n\":-1.5e3}",
            "6 {\"id\":\"3\",\"body\":\"c\"}");
    assertEquals(expected, lines("c.csv", table));
    assertEquals(expected, lines("d.CSV", "\ufeff" + table));
    Path packed = temp.resolve("p.csv.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(table.getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(expected, lines("p.csv.gz", Files.readAllBytes(packed), TypedFields.NONE));
  }

  @Test
  void quotationMarksMeanNothingBetweenTabs() throws Exception {
    assertEquals(
        List.of("2 {\"id\":\"1\",\"body\":\"\\\"a, b\",\"place\":\"48.85,2.35\"}"),
        lines("c.tsv", "id\tbody\tplace\n1\t\"a, b\t48.85,2.35\n"));
  }

  @Test
  void numbersOfAFieldOfKeywordsAreTexts() throws Exception {
    byte[] table = "id,body,zip,n\n007,5,01067,7\n8,b,10115,x\n".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        List.of(
            "2 {\"id\":\"007\",\"body\":\"5\",\"zip\":\"01067\",\"n\":7}",
            "3 {\"id\":\"8\",\"body\":\"b\",\"zip\":\"10115\",\"n\":\"x\"}"),
        lines("c.csv", table, TypedFields.parse(List.of("zip:keyword", "n:long"))));
  }

  @ParameterizedTest
  @CsvSource({
    "'id,body\n1,a\n2,b,c\n', 2, Too many entries",
    "'id,body\n1,a\n2\n', 2, Not enough column values",
    "'id,body\n1,\"a\n', 0, Missing closing quote",
  })
  void aWrongRowIsNamed(String table, int line, String why) {
    InputException e = assertThrows(InputException.class, () -> lines("c.csv", table));
    assertTrue(e.getMessage().contains("c.csv: cannot be read after line " + line), e.getMessage());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void whatIsNotUtf8IsSaid() {
    byte[] table = "id,body\n1,\u00e4\n".getBytes(StandardCharsets.ISO_8859_1);
    InputException e =
        assertThrows(InputException.class, () -> lines("c.csv", table, TypedFields.NONE));
    assertTrue(e.getMessage().contains("not UTF-8"), e.getMessage());
  }
}
