/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.model.ModelPrinter;
import org.luceneoffload.model.Profiles;

/** {@code --profile} and {@code --trace}: modelled time and energy beside the answers. */
class TestModelledSearch {
  private static final String[] QUERIES = {"+w0 +w1", "w3 w50 w120", "+w2 -w0", "w150"};
  private static final String PROFILE = "smart-ssd-sas";

  @TempDir private static Path temp;

  @BeforeAll
  static void index() throws IOException {
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    CliRun.of("index", "--index", temp.resolve("index"), "--corpus", corpus, "--threads", 1).ok();
  }

  private static CliRun run(String command, Object... more) {
    return CliRun.of(
        Stream.concat(
                Stream.of(command, "--index", temp.resolve("index"), "--strict"), Stream.of(more))
            .toArray());
  }

  private static JsonNode search(Object... more) {
    return run("search", Stream.concat(Stream.of(more), Stream.of(QUERIES)).toArray()).ok().json();
  }

  private static long sum(JsonNode amounts) {
    long sum = 0;
    for (JsonNode amount : amounts) {
      sum += amount.asLong();
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"top", "count", "docs"})
  void answersStayAndCostsAddUp(String mode) {
    JsonNode plain = search("--json", "--on", "both", "--mode", mode);
    JsonNode modelled = search("--json", "--on", "both", "--mode", mode, "--profile", PROFILE);
    assertTrue(modelled.get("identical").asBoolean());
    assertEquals(PROFILE, modelled.get("profile").asText());
    assertNull(plain.get("profile"));
    for (int i = 0; i < QUERIES.length; i++) {
      JsonNode before = plain.get("queries").get(i).get("device");
      JsonNode answer = modelled.get("queries").get(i).get("device");
      for (String field : List.of("count", "relation", "hits", "docs_crc32c")) {
        assertEquals(before.get(field), answer.get(field), field);
      }
      assertNull(before.get("modelled"));
      JsonNode cost = answer.get("modelled");
      assertEquals(PROFILE, cost.get("profile").asText());
      for (String side : List.of("device", "host")) {
        JsonNode s = cost.get(side);
        assertEquals(s.get("elapsed_ps").asLong(), sum(s.get("parts_ps")), "parts");
        assertEquals(s.get("energy_over_idle_pj").asLong(), sum(s.get("active_pj")), "energy");
      }
      if (mode.equals("top")) {
        assertTrue(cost.get("programs").asInt() >= 1);
        assertTrue(cost.get("device").get("page_loads").asLong() >= 1);
        assertTrue(cost.get("latency_ratio").asDouble() > 0);
      }
    }
  }

  @Test
  void everyProfileTellsTheSameTwice() {
    Set<JsonNode> costs = new HashSet<>();
    for (String profile : Profiles.names()) {
      JsonNode first = search("--json", "--profile", profile);
      JsonNode second = search("--json", "--profile", profile);
      for (int i = 0; i < QUERIES.length; i++) {
        JsonNode cost = first.get("queries").get(i).get("device").get("modelled");
        assertEquals(cost, second.get("queries").get(i).get("device").get("modelled"));
        costs.add(cost.get("device"));
      }
    }
    assertEquals(Profiles.names().size() * QUERIES.length, costs.size(), "devices differ");
  }

  @Test
  void theTraceShowsWhatTheQueryDid() throws IOException {
    Path file = temp.resolve("trace.json");
    JsonNode report =
        run("search", "--json", "--profile", PROFILE, "--trace", file, "w0 w3 w7").ok().json();
    assertEquals(0, report.get("trace_lost").asLong());
    JsonNode cost = report.get("queries").get(0).get("device").get("modelled");
    JsonNode trace = new JsonMapper().readTree(Files.readString(file));
    assertEquals(PROFILE, trace.get("otherData").get("profile").asText());
    Map<String, String> names = new HashMap<>();
    Map<String, Double> ends = new HashMap<>();
    Map<String, Integer> senses = new HashMap<>();
    double[] last = new double[3];
    for (JsonNode event : trace.get("traceEvents")) {
      String track = event.get("pid").asInt() + "/" + event.get("tid").asInt();
      if (event.get("ph").asText().equals("M")) {
        if (event.get("name").asText().equals("thread_name")) {
          names.put(track, event.get("args").get("name").asText());
        }
        continue;
      }
      double start = event.get("ts").asDouble();
      double end = start + event.get("dur").asDouble();
      assertTrue(start >= 0 && end >= start, event::toString);
      ends.merge(track, end, Math::max);
      int process = event.get("pid").asInt();
      last[process] = Math.max(last[process], end);
      if (event.get("name").asText().equals("sense")) {
        senses.merge(String.valueOf(process), 1, Integer::sum);
      }
    }
    assertEquals(names.keySet(), ends.keySet(), "every track has a name, and something on it");
    assertTrue(
        names
            .values()
            .containsAll(List.of("request 0", "link to host", "core 0", "dram bus", "host core 0")),
        names::toString);
    assertTrue(names.values().stream().anyMatch(name -> name.startsWith("flash channel ")));
    for (int process = 1; process <= 2; process++) {
      JsonNode side = cost.get(process == 1 ? "device" : "host");
      assertEquals(side.get("elapsed_ps").asLong() / 1e6, last[process], 0.01 * last[process]);
      assertEquals(side.get("flash_reads").asInt(), senses.get(String.valueOf(process)));
    }
  }

  @Test
  void explainShowsTheBreakdown() {
    String text = run("explain", "--profile", PROFILE, "+w0 +w1", "nowhere").ok().out();
    for (String word : List.of("modelled on " + PROFILE, "io", "energy, flash", "simulated")) {
      assertTrue(text.contains(word), text);
    }
    assertTrue(text.contains("nothing ran on the device"), text);
    assertTrue(text.contains("found by   and\n"), text);
    JsonNode report = run("explain", "--json", "--profile", PROFILE, "+w0 +w1").ok().json();
    assertEquals(PROFILE, report.get("profile").asText());
    assertTrue(report.get("modelled").get(0).get("device").get("elapsed_ps").asLong() > 0);
    assertTrue(report.get("ways").get(0).get("and").asInt() > 0, report.toString());
    assertNull(run("explain", "--json", "w0").ok().json().get("modelled"));
    assertNull(run("explain", "--json", "w0").ok().json().get("ways"));
  }

  @Test
  void textSaysThatItIsModelled() {
    String text = run("search", "--profile", PROFILE, "w0 w1").ok().out();
    assertTrue(text.contains("modelled on smart-ssd-sas: device "), text);
    assertTrue(text.contains(ModelPrinter.FOOTNOTE), text);
    assertFalse(run("search", "w0 w1").ok().out().contains("modelled"));
  }

  @Test
  void aFileIsAProfileToo() throws IOException {
    Path file = temp.resolve("mine.json");
    String text;
    try (var in = Profiles.class.getResourceAsStream("profiles/" + PROFILE + ".json")) {
      text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
    Files.writeString(file, text);
    assertEquals(
        search("--json", "--profile", PROFILE).get("queries").get(0).get("device").get("modelled"),
        search("--json", "--profile", file).get("queries").get(0).get("device").get("modelled"));
    String absurd = text.replaceFirst("(\"core_hz\": *\\{ *\"value\": *)[0-9_]+", "$10");
    assertNotEquals(text, absurd);
    Files.writeString(file, absurd);
    run("search", "--profile", file, "w0").fails(ExitCodes.FAILURE, "core_hz");
  }

  @Test
  void misuseIsNamed() {
    run("search", "--trace", "x", "w0").fails(ExitCodes.USAGE, "--trace needs --profile");
    run("search", "--profile", PROFILE, "--trace", "x", "w0", "w1")
        .fails(ExitCodes.USAGE, "one query, not 2");
    run("search", "--profile", PROFILE, "--on", "host", "w0").fails(ExitCodes.USAGE, "--on host");
    run("search", "--profile", "no-such-device", "w0")
        .fails(ExitCodes.USAGE, "no-such-device", "pcie5-csd");
    run("search", "--profile", temp.resolve("none.json"), "w0")
        .fails(ExitCodes.FAILURE, "none.json", "no such file");
    run("search", "--profile", PROFILE, "--device", "host", "w0")
        .fails(ExitCodes.FAILURE, "without one");
    run("search", "--profile", PROFILE, "--trace", temp.resolve("no/such/dir/t.json"), "w0")
        .fails(ExitCodes.FAILURE, "--trace cannot be written", "no such file", "t.json");
  }
}
