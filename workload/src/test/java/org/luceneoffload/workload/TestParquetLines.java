/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of Parquet files, which {@code make_parquet.py} wrote, as lines of JSON. */
class TestParquetLines {
  private static final List<String> ROWS =
      List.of(
          "{'id':'1','body':'two words','long':-9223372036854775808,'byte':200,'u32':4294967295,"
              + "'u64':18446744073709551615,'real':0.1,'price':1.50,'is':true,'day':'2024-05-31',"
              + "'local':'2024-05-31T12:00:00.250Z','instant':'2024-05-31T12:00:00.250Z',"
              + "'list':['a',null],'counts':[4294967295],'place':{'lat':48.85,'lon':2.35},"
              + "'a.b':'dot'}",
          "{'id':'2','body':'größer','long':null,'byte':1,'u32':1,'u64':1,'real':null,"
              + "'price':null,'is':null,'day':null,'local':null,'instant':null,'list':[],"
              + "'counts':null,'place':null,'a.b':null}");

  @TempDir private Path temp;

  private static Path file(String name) throws Exception {
    return Path.of(TestParquetLines.class.getResource("/parquet/" + name + ".parquet").toURI());
  }

  private static List<String> lines(Path file, TypedFields fields) throws Exception {
    List<String> lines = new ArrayList<>();
    CorpusReader reader = new CorpusReader(List.of(file));
    reader.read(
        fields,
        batch -> {
          for (byte[] line : batch.lines()) {
            lines.add(new String(line, StandardCharsets.UTF_8).replace('"', '\''));
          }
          return true;
        });
    assertEquals(reader.totalBytes(), reader.consumedBytes(), "the end is all");
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "snappy", "gzip", "zstd"})
  void rowsAreLines(String name) throws Exception {
    assertEquals(ROWS, lines(file(name), TypedFields.NONE));
  }

  @Test
  void namedFieldsAloneAreRead() throws Exception {
    assertEquals(
        List.of("{'id':'1','body':'b'}"),
        lines(file("others"), TypedFields.parse(List.of("other:long"))));
  }

  @ParameterizedTest
  @CsvSource({
    "map:keyword, others, 'cannot be read after line 0: column \"map\" has values that JSON has"
        + " not: maps'",
    "raw:keyword, others, 'column \"raw\" has values that JSON has not: BYTE_ARRAY'",
    "other:long, lz4, 'compressed with LZ4_RAW; these are read: [UNCOMPRESSED, SNAPPY, GZIP,"
        + " ZSTD]'",
  })
  void whatIsNotReadIsNamed(String field, String name, String why) throws Exception {
    Path file = file(name);
    TypedFields fields = TypedFields.parse(List.of(field));
    InputException e = assertThrows(InputException.class, () -> lines(file, fields));
    assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  /** A damaged file has fewer or other rows, or its name is in the error. */
  @Test
  void damageIsSaid() throws Exception {
    byte[] whole = Files.readAllBytes(file("none"));
    Path file = temp.resolve("damaged.parquet");
    int failures = 0;
    for (int at = 0; at < whole.length; at += 61) {
      byte[] damaged = whole.clone();
      Arrays.fill(damaged, at, Math.min(at + 8, damaged.length), (byte) 0xff);
      for (byte[] bytes : List.of(damaged, Arrays.copyOf(whole, at))) {
        Files.write(file, bytes);
        try {
          lines(file, TypedFields.NONE);
        } catch (InputException e) {
          assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
          failures++;
        }
      }
    }
    assertTrue(failures > whole.length / 61, "failures: " + failures);
  }
}
