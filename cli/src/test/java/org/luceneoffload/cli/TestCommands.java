/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.codec.ImageCheck;

/** Commands explain, bench, check, device, and what all commands share. */
class TestCommands {
  @TempDir private static Path temp;

  static List<String> devices() {
    return CliRun.devices();
  }

  @BeforeAll
  static void indexes() throws IOException {
    SmallCorpus.index(temp);
  }

  private static Path index(String device) {
    return SmallCorpus.index(temp, device);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void explainSaysWhere(String device) {
    Object[] args = {
      "explain",
      "--index",
      index(device),
      "--device",
      device,
      "+w0 -w1",
      "\"w0 w1\"~70000",
      "--json"
    };
    JsonNode queries = CliRun.of(args).ok().json().get("queries");
    assertEquals("+body:w0 -body:w1", queries.get(0).get("query").asText());
    JsonNode leaves = queries.get(0).get("leaves");
    if (device.equals("host")) {
      assertEquals("NO_DEVICE", queries.get(0).get("refusal").get("reason").asText());
    } else {
      assertTrue(leaves.size() > 0);
      for (JsonNode leaf : leaves) {
        assertEquals("DEVICE", leaf.get("place").asText(), leaf.toString());
      }
      assertTrue(queries.get(1).has("refusal"), "a phrase of more slop than plans have");
    }
    String text =
        CliRun.of("explain", "--index", index(device), "--device", device, "+w0 -w1").ok().out();
    assertTrue(text.contains("+body:w0 -body:w1"), text);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void benchHasARowForEachKindAndShape(String device) throws IOException {
    Path file = Files.createTempFile(temp, "queries", ".txt");
    Files.writeString(file, "+w0 +w1\n+w3 +w9\nw5 w20\n+w2 -w0\n# mixed\n+w1 w7 -w3\n");
    Object[] args = {
      "bench",
      "--index",
      index(device),
      "--device",
      device,
      "--queries",
      file,
      "--rounds",
      2,
      "--warmup",
      1,
      "--json"
    };
    JsonNode report = CliRun.of(args).ok().json();
    assertEquals(5, report.get("queries").asInt());
    assertEquals(2, report.get("rounds").asInt());
    assertEquals("measured", report.get("clock").asText());
    assertEquals(0, report.get("differences").asInt());
    Map<String, JsonNode> rows = new TreeMap<>();
    for (JsonNode row : report.get("rows")) {
      rows.put(row.get("kind").asText() + " " + row.get("shape").asText(), row);
      double lucene = row.get("lucene_us").asDouble();
      double offload = row.get("offload_us").asDouble();
      assertTrue(lucene > 0 && offload > 0, row.toString());
      assertEquals(
          lucene / offload, row.get("ratio_geomean").asDouble(), 0.01 * lucene / offload + 0.001);
      assertTrue(row.get("ratio_total").asDouble() > 0);
      assertEquals(0, row.get("differences").asInt());
      assertEquals(!device.equals("host"), row.get("leaves_offloaded").asInt() > 0);
    }
    assertEquals(16, rows.size());
    assertEquals(2, rows.get("TOP_10_COUNT AND").get("queries").asInt());
    assertEquals(1, rows.get("DOCS MIXED").get("queries").asInt());
  }

  @Test
  void benchRefusesWrongNumbers() throws IOException {
    Path file = Files.writeString(temp.resolve("q.txt"), "w1\n");
    Object[] zero = {
      "bench", "--index", index("host"), "--device", "host", "--queries", file, "--rounds", 0
    };
    CliRun.of(zero).fails(ExitCodes.USAGE, "--rounds");
    CliRun.of("bench", "--index", index("host"), "--device", "host")
        .fails(ExitCodes.USAGE, "--queries");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void checkComparesEveryList(String device) {
    JsonNode report =
        CliRun.of("check", "--index", index(device), "--device", device, "--json").ok().json();
    assertTrue(report.get("ok").asBoolean());
    assertTrue(report.get("lucene_clean").asBoolean());
    assertTrue(report.get("identical").asBoolean());
    if (device.equals("host")) {
      assertEquals(0, report.get("lists").asInt());
    } else {
      assertEquals(report.get("segments"), report.get("segments_compared"));
      assertTrue(report.get("lists").asInt() > 200, report.toString());
    }
  }

  @Test
  void checkFindsDamage() throws IOException {
    Path index = temp.resolve("damaged");
    Path corpus = temp.resolve("c.jsonl");
    CliRun.of("index", "--index", index, "--device", "host", "--corpus", corpus).ok();
    try (var files = Files.list(index)) {
      Path largest =
          files
              .filter(file -> !file.getFileName().toString().startsWith("segments"))
              .max(java.util.Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(largest);
      bytes[bytes.length / 2] ^= 1;
      Files.write(largest, bytes);
    }
    CliRun run = CliRun.of("check", "--index", index, "--device", "host", "--json");
    assertEquals(ExitCodes.FAILURE, run.code(), run.err());
    assertFalse(run.json().get("lucene_clean").asBoolean());
    assertFalse(run.json().get("ok").asBoolean());
    assertEquals(1, run.json().get("lucene_problems").size());
  }

  @Test
  void deviceListsBackends() {
    JsonNode backends = CliRun.of("device", "--json").ok().json().get("backends");
    assertEquals("host", backends.get(0).get("name").asText());
    assertTrue(backends.get(0).get("available").asBoolean());
    for (JsonNode backend : backends) {
      assertEquals(backend.get("available").asBoolean(), !backend.has("reason"));
      if (backend.has("capabilities")) {
        assertEquals(4096, backend.get("capabilities").get("page_bytes").asInt());
        assertTrue(backend.get("capabilities").get("modes").size() > 0);
      }
    }
    assertTrue(CliRun.of("device").ok().out().contains("host  available"));
  }

  @Test
  void usageErrors() {
    CliRun.of("serach", "--index", "x", "hello")
        .fails(ExitCodes.USAGE, "no command 'serach'; did you mean 'search'?");
    CliRun.of("frobnicate").fails(ExitCodes.USAGE, "no command 'frobnicate'");
    CliRun.of("search", "w1").fails(ExitCodes.USAGE, "--index");
    CliRun.of("device", "--wat").fails(ExitCodes.USAGE, "--wat");
    CliRun.of("completion", "--wat").fails(ExitCodes.USAGE, "--wat");
    JsonNode error = CliRun.of("device", "--wat", "--json").json();
    assertEquals(ExitCodes.USAGE, error.get("exit_code").asInt());
    assertTrue(error.get("error").asText().contains("--wat"));
  }

  @Test
  void withoutACommandTheHelpIsShown() {
    CliRun.of().fails(ExitCodes.USAGE, "Usage: offload", "bench", "profile");
  }

  @Test
  void versionsHelpAndCompletion() {
    String version = CliRun.of("--version").ok().out();
    assertTrue(version.startsWith("offload "), version);
    assertTrue(version.contains("Lucene ") && version.contains("Java "), version);
    assertTrue(CliRun.of("help", "completion").ok().out().contains("Usage: offload completion"));
    assertTrue(CliRun.of("help", "index").ok().out().contains("Usage: offload index"));
    assertTrue(CliRun.of("help").ok().out().contains("Usage: offload [-h]"));
    CliRun.of("help", "index", "extra").fails(ExitCodes.USAGE, "'extra'", "offload help --help");
    CliRun.of("help", "nosuch").fails(ExitCodes.USAGE, "no command 'nosuch'");
    CliRun.of("help", "--nosuch").fails(ExitCodes.USAGE, "--nosuch");
    String script = CliRun.of("completion").ok().out();
    assertTrue(script.contains("complete -F"), script);
    assertTrue(script.contains("--placement"), script);
    assertEquals(script, CliRun.of("completion", "zsh").ok().out());
    String fish = CliRun.of("completion", "fish").ok().out();
    for (String line : fish.lines().toList()) {
      assertTrue(line.startsWith("complete -c offload -n "), line);
      assertEquals(0, line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2, line);
    }
    assertTrue(fish.contains(" -n __fish_use_subcommand -f -a index -d 'Make or"), fish);
    assertTrue(fish.contains("from search' -l placement -r -f -a 'AUTO ALWAYS"), fish);
    CliRun.of("completion", "tcsh").fails(ExitCodes.USAGE, "tcsh");
  }

  @Test
  void theListOfCommandsHasWholeSentences() {
    String help = CliRun.of("--help").ok().out();
    boolean listed = false;
    for (String line : help.lines().toList()) {
      listed |= line.startsWith("Commands:");
      if (listed && line.startsWith("  ") && !line.startsWith("   ")) {
        assertTrue(line.endsWith("."), line);
        assertTrue(line.length() <= 80, line);
      }
    }
    assertTrue(listed, help);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo", "index", "search", "explain", "bench", "check", "import", "repair", "detach",
        "device"
      })
  void everyCommandHasHelpAndJson(String command) {
    String help = CliRun.of(command, "--help").ok().out();
    assertTrue(help.contains("Usage: offload " + command), help);
    assertTrue(help.contains("--json"), help);
  }

  @Test
  void controlCharactersAreNotSentToTheTerminal() throws IOException {
    Path corpus = temp.resolve("control.jsonl");
    Files.writeString(
        corpus, "{\"id\":\"a\\u0007\",\"title\":\"\\u001b[31mred\\r\\n\",\"body\":\"x\"}\n");
    Path index = temp.resolve("control");
    CliRun.of("index", "--index", index, "--device", "host", "--corpus", corpus).ok();
    String out =
        CliRun.of("search", "--index", index, "--device", "host", "x \u009bmore").ok().out();
    assertTrue(out.contains("\\u001b[31mred\\u000d\\u000a"), out);
    assertTrue(out.contains("a\\u0007"), out);
    assertTrue(out.contains("x \\u009bmore"), out);
    assertTrue(out.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n'), out);
    CliRun.of("search", "--index", index, "--device", "host", "\u001b[31m(")
        .fails(ExitCodes.USAGE, "\\u001b[31m(");
  }

  @Test
  void aLongListOfProblemsIsCutInText() throws IOException {
    assumeTrue(devices().contains("sim"), "the native library is not there");
    Path index = temp.resolve("bits");
    SmallCorpus.makeIndex(index, "sim");
    Path store = index.resolve("offload.vol");
    byte[] bytes = Files.readAllBytes(store);
    for (int page = 0; page < bytes.length; page += 4096) {
      // Pages that are full, not the volume's own: they hold lists.
      int end = Math.min(bytes.length, page + 4096);
      long used = IntStream.range(page, end).filter(i -> bytes[i] != 0).count();
      if (used > 2048) {
        bytes[page + 1000] ^= 1;
      }
    }
    Files.write(store, bytes);
    CliRun json = CliRun.of("check", "--index", index, "--json");
    assertEquals(ExitCodes.DIFFERENCE, json.code(), json.err());
    int problems = json.json().get("problems").size();
    assertTrue(problems > 10, json.out());
    String text = CliRun.of("check", "--index", index).out();
    String count = problems == ImageCheck.MAX_PROBLEMS ? "at least " + problems : "" + problems;
    assertTrue(text.contains("Device lists: " + count + " problems; "), text);
    assertTrue(text.contains("... and " + (problems - 10) + " more, see --json"), text);
    assertTrue(text.lines().count() < 20, text);
  }

  @Test
  void verboseShowsWhere() {
    CliRun run =
        CliRun.of("search", "--index", temp.resolve("none"), "--device", "host", "w1", "--verbose");
    assertEquals(ExitCodes.FAILURE, run.code());
    assertTrue(run.err().contains("\tat "), run.err());
  }
}
