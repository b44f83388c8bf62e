/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;

/** Typed fields: named, guessed, read from lines, asked for. */
public class TestTypedFields {
  private static final long DAY = 24 * 60 * 60 * 1000L;

  private static byte[] line(String fields) {
    return ("{\"id\": \"1\", \"body\": \"b\", " + fields + "}").getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void typesAreGuessedFromTheFirstLines() {
    TypedFields fields =
        TypedFields.guess(
            List.of(
                line("\"day\": \"2024-05-31\", \"n\": 3, \"x\": 1, \"tags\": [\"a\", \"b\"]"),
                line("\"day\": null, \"n\": -4, \"x\": 1.5, \"tags\": \"c\", \"o\": {}"),
                "no JSON".getBytes(StandardCharsets.UTF_8)));
    assertEquals("day:date, n:long, x:double, tags:keyword", fields.toString());
    assertTrue(fields.isGuessed());
  }

  @Test
  void valuesThatDoNotFitAreLeftOutOnlyIfTheTypeWasGuessed() {
    TypedFields guessed = TypedFields.guess(List.of(line("\"n\": 3")));
    CorpusLine parsed = CorpusLine.parse(line("\"n\": [1, \"two\", 3]"), "f:1", guessed);
    assertEquals(2, parsed.typed().getFields("n").length);
    assertEquals(1, guessed.leftOut());

    TypedFields named = TypedFields.parse(List.of("n:long"));
    InputException e =
        assertThrows(
            InputException.class, () -> CorpusLine.parse(line("\"n\": \"two\""), "f:1", named));
    assertEquals("f:1: field \"n\": not a long: \"two\"", e.getMessage());
  }

  @Test
  void wrongFieldsAreRefused() {
    for (String text : List.of("n", ":long", "n:int", "body:keyword", "")) {
      assertThrows(InputException.class, () -> TypedFields.parse(List.of(text)), text);
    }
    assertThrows(InputException.class, () -> TypedFields.parse(List.of("n:long", "n:date")));
  }

  private static Query parse(String query) {
    TypedFields fields = TypedFields.parse(List.of("day:date", "n:long", "cat:keyword"));
    return new Queries(fields).parse(new QueryLine(query, null));
  }

  @Test
  void queriesAskForValues() {
    long may31 = 19874 * DAY;
    assertEquals(
        LongField.newRangeQuery("day", may31, may31 + DAY - 1), parse("day:2024\\-05\\-31"));
    assertEquals(
        LongField.newRangeQuery("day", may31, may31 + 2 * DAY - 1),
        parse("day:[2024-05-31 TO 2024-06-01]"));
    assertEquals(
        LongField.newRangeQuery("day", may31 + DAY, may31 + 2 * DAY - 1),
        parse("day:{2024-05-31 TO 2024-06-02}"));
    assertEquals(LongField.newRangeQuery("n", 4, Long.MAX_VALUE), parse("n:{3 TO *]"));
    assertEquals(LongField.newRangeQuery("n", 3, 3), parse("n:3"));
    assertEquals(KeywordField.newExactQuery("cat", "math.CO"), parse("cat:\"math.CO\""));
    assertEquals(new FieldExistsQuery("n"), parse("n:*"));
  }

  @Test
  void wrongValuesOfAQueryAreNamed() {
    InputException e = assertThrows(InputException.class, () -> parse("n:[a TO 3]"));
    assertTrue(e.getMessage().contains("field \"n\" needs an integer, not 'a'"), e.getMessage());
    e = assertThrows(InputException.class, () -> parse("day:[May TO *]"));
    assertTrue(e.getMessage().contains("needs a date"), e.getMessage());
  }
}
