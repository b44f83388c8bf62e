/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;

/** The names and the sums of what {@code search --json} says of the device's work. */
class TestSearchJson {
  /** Names that users' scripts rely on: never rename one, add new ones here and in README.md. */
  private static final List<String> NUMBERS =
      List.of(
          "queries_compiled",
          "queries_refused",
          "leaves_offloaded",
          "leaves_on_host",
          "leaves_fallen_back",
          "plans_executed",
          "plans_failed",
          "bytes_to_device",
          "bytes_from_device",
          "host_bytes",
          "pages_read",
          "pages_skipped",
          "blocks_decoded",
          "blocks_skipped",
          "postings_decoded",
          "docs_scored");

  private static final List<String> TABLES =
      List.of("ways", "refusals", "fallbacks", "troubles", "reasons");

  private static final Set<String> REPORT =
      Set.of(
          "index",
          "device",
          "on",
          "mode",
          "k",
          "documents",
          "segments",
          "queries_asked",
          "queries_run",
          "queries_offloaded",
          "identical",
          "differences",
          "work",
          "queries");

  private static final Set<String> QUERY = Set.of("query", "identical", "device", "host");
  private static final Set<String> ANSWER = Set.of("count", "relation", "hits", "micros", "work");

  @TempDir private static Path temp;
  private static JsonNode report;

  @BeforeAll
  static void search() throws IOException {
    Path index = temp.resolve("index");
    SmallCorpus.makeIndex(index, "sim");
    report =
        CliRun.of(
                "search",
                "--index",
                index,
                "--device",
                "sim",
                "--on",
                "both",
                "--json",
                "+w0 +w1",
                "w3 w50 w120",
                "\"w0 w1\"~70000",
                "+w2 -w0",
                "\"w1 w2\"~70000",
                "nowhere")
            .ok()
            .json();
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void theNamesAreTheOnesThatAreDocumented() throws IOException {
    assertEquals(new TreeSet<>(REPORT), names(report));
    Set<String> work = new TreeSet<>(NUMBERS);
    work.addAll(TABLES);
    assertEquals(work, names(report.get("work")));
    for (JsonNode query : report.get("queries")) {
      assertEquals(new TreeSet<>(QUERY), names(query));
      assertEquals(new TreeSet<>(ANSWER), names(query.get("device")));
      assertEquals(work, names(query.get("device").get("work")));
    }
    Path readme = Path.of("README.md");
    String text = Files.readString(Files.exists(readme) ? readme : Path.of("cli", "README.md"));
    for (String name : work) {
      assertTrue(text.contains("`" + name + "`"), name + " is not in README.md");
    }
  }

  @Test
  void theQueriesAddUpToTheReport() {
    JsonNode total = report.get("work");
    for (String name : NUMBERS) {
      long sum = 0;
      for (JsonNode query : report.get("queries")) {
        JsonNode number = query.get("device").get("work").get(name);
        assertTrue(number.isIntegralNumber(), name);
        sum += number.asLong();
      }
      assertEquals(sum, total.get(name).asLong(), name);
    }
    for (String table : TABLES) {
      for (String reason : names(total.get(table))) {
        long sum = 0;
        for (JsonNode query : report.get("queries")) {
          sum += query.get("device").get("work").get(table).path(reason).asLong();
        }
        assertEquals(sum, total.get(table).get(reason).asLong(), reason);
      }
    }
  }

  @Test
  void theWorkIsWhatTheQueriesNeed() {
    JsonNode total = report.get("work");
    assertEquals(2, total.get("queries_refused").asInt());
    assertEquals(2, total.get("refusals").get("plans cannot express this query").asInt());
    assertEquals(0, total.get("fallbacks").size());
    assertEquals(0, total.get("troubles").size());
    assertEquals(total.get("refusals"), total.get("reasons"));
    JsonNode first = report.get("queries").get(0).get("device").get("work");
    int segments = report.get("segments").asInt();
    assertEquals(1, first.get("queries_compiled").asInt());
    assertEquals(segments, first.get("leaves_offloaded").asInt());
    assertEquals(segments, first.get("plans_executed").asInt());
    assertTrue(first.get("bytes_to_device").asLong() > 0);
    assertTrue(first.get("bytes_from_device").asLong() > 0);
    assertTrue(first.get("pages_read").asLong() > 0);
    assertEquals(segments, first.get("ways").get("and").asInt());
    JsonNode phrase = report.get("queries").get(2).get("device").get("work");
    assertEquals(0, phrase.get("plans_executed").asInt());
    assertEquals(0, phrase.get("bytes_to_device").asInt());
  }
}
