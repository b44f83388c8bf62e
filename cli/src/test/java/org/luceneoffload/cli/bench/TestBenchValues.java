/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;

/** The kinds of work of bench that read values, on the best device there is. */
class TestBenchValues {
  private static final String DEVICE = CliRun.devices().getLast();

  @TempDir private static Path temp;
  private static JsonNode report;

  /** The small corpus with a number and a keyword in each line. */
  @BeforeAll
  static void measure() throws IOException {
    String[] plain = SmallCorpus.lines(42, SmallCorpus.DOCUMENTS).split("\n");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < plain.length; i++) {
      String values =
          String.format(Locale.ROOT, "{\"size\":%d,\"kind\":\"k%d\",", i * 7919L % 5003, i % 11);
      lines.add(values + plain[i].substring(1));
    }
    Path corpus = Files.write(temp.resolve("c.jsonl"), lines);
    Path index = temp.resolve("i");
    CliRun.of("index", "--index", index, "--device", DEVICE, "--corpus", corpus).ok();
    Path queries =
        Files.writeString(
            temp.resolve("q.txt"), "+w0 +w1\n+w0 +w9\n+w3 +w1\nw0\nw1 w2 w3\nw5 w6\n");
    report =
        CliRun.of(
                "bench",
                "--index",
                index,
                "--device",
                DEVICE,
                "--queries",
                queries,
                "--rounds",
                QuickRun.times(1, 2),
                "--warmup",
                0,
                "--threads",
                QuickRun.times(1, 2),
                "--json")
            .ok()
            .json();
  }

  @Test
  void sweepHasShapesOfValues() {
    CliRun run =
        CliRun.of(
            "bench",
            "--index",
            temp.resolve("i"),
            "--device",
            DEVICE,
            "--shapes",
            "values",
            "--rounds",
            1,
            "--warmup",
            0);
    String text = run.ok().out();
    assertTrue(text.contains("#size 10 %, top 10") && text.contains("frequent, sorted"), text);
    assertTrue(text.contains("20 words, terms kind"), text);
  }

  /** Cold, one kind is measured, with its classes. */
  @Test
  void anyKindIsMeasuredCold() {
    JsonNode cold =
        CliRun.of(
                "bench",
                "--index",
                temp.resolve("i"),
                "--device",
                DEVICE,
                "--queries",
                temp.resolve("q.txt"),
                "--cold",
                "--kind",
                "AGGREGATE",
                "--warmup",
                0,
                "--json")
            .ok()
            .json();
    assertEquals(0, cold.get("differences").asInt());
    assertEquals(2, cold.get("rows").size());
    cold.get("rows").forEach(row -> assertEquals("AGGREGATE", row.get("kind").asText()));
    cold.get("classes").forEach(row -> assertTrue(is(row, "aggregate"), row.toString()));
    assertTrue(cold.get("classes").size() > 0);
  }

  private static List<JsonNode> of(String part, String kind) {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode row : report.path(part)) {
      if (row.get("kind").asText().equals(kind)) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void everyKindIsMeasuredAndCompared() {
    assertEquals(0, report.get("differences").asInt());
    TreeSet<String> kinds = new TreeSet<>();
    report.get("rows").forEach(row -> kinds.add(row.get("kind").asText()));
    assertTrue(
        kinds.containsAll(
            List.of("FILTERED_TOP_10", "FILTERED_COUNT", "SORTED_TOP_10", "AGGREGATE")),
        kinds.toString());
    JsonNode plain = of("rows", "TOP_10").getFirst();
    for (JsonNode row : of("rows", "AGGREGATE")) {
      assertEquals(3, row.get("queries").asInt());
      assertTrue(row.get("lucene_us").asDouble() > 0 && row.get("offload_us").asDouble() > 0);
      plain.fieldNames().forEachRemaining(name -> assertTrue(row.has(name), name));
      boolean host = DEVICE.equals("host");
      assertEquals(host, row.get("leaves_offloaded").asLong() == 0, row.toString());
      assertEquals(host, row.get("leaves_on_host").asLong() > 0, row.toString());
    }
    assertEquals(QuickRun.times(0, 2), of("throughput", "AGGREGATE").size());
  }

  @Test
  void classesOfAggregatesAreThoseOfTheirKind() {
    List<String> found = new ArrayList<>();
    for (JsonNode row : of("classes", "AGGREGATE")) {
      found.add(
          String.join(
              " ",
              row.get("shape").asText(),
              row.get("by").asText(),
              row.get("name").asText(),
              row.get("queries").asText()));
    }
    assertEquals(
        List.of(
            "AND aggregate histogram size 1",
            "AND aggregate stats size 1",
            "AND aggregate terms kind 1",
            "OR aggregate histogram size 1",
            "OR aggregate stats size 1",
            "OR aggregate terms kind 1"),
        found);
    assertTrue(of("classes", "FILTERED_COUNT").stream().allMatch(r -> is(r, "filter")));
    assertTrue(of("classes", "SORTED_TOP_10").stream().noneMatch(r -> is(r, "filter")));
  }

  private static boolean is(JsonNode row, String by) {
    return row.get("by").asText().equals(by);
  }
}
