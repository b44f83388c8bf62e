/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;

class TestSearchCommand {
  private static final List<String> QUERIES =
      List.of(
          "+w0 +w1",
          "w3 w50 w120",
          "+w2 -w0",
          "-w0 +w2",
          "+w1 w7 -w3",
          "+(w1 w2) +w9",
          "w150",
          "+w0 +nowhere",
          "nowhere",
          "w1^3 w2",
          "title:title");

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

  private static CliRun search(String device, Object... more) {
    Object[] all = new Object[more.length + 5];
    Object[] first = {"search", "--index", index(device), "--device", device};
    System.arraycopy(first, 0, all, 0, 5);
    System.arraycopy(more, 0, all, 5, more.length);
    return CliRun.of(all);
  }

  private static Path queries(String text) throws IOException {
    return Files.writeString(Files.createTempFile(temp, "queries", ".txt"), text);
  }

  private static boolean isExact(JsonNode answer) {
    return answer.get("relation").asText().equals("EQUAL_TO");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void bothSidesAgreeInEveryMode(String device) throws IOException {
    Path file = queries("# a comment\n\n" + String.join("\n", QUERIES) + "\n");
    for (String mode : List.of("top", "count", "docs")) {
      JsonNode report =
          search(device, "--on", "both", "--mode", mode, "--queries", file, "--json").ok().json();
      assertEquals(QUERIES.size(), report.get("queries_run").asInt());
      assertTrue(report.get("identical").asBoolean());
      assertEquals(0, report.get("differences").asInt());
      for (int i = 0; i < QUERIES.size(); i++) {
        JsonNode query = report.get("queries").get(i);
        assertEquals(QUERIES.get(i), query.get("query").asText());
        assertEquals(file + ":" + (i + 3), query.get("origin").asText());
        assertTrue(query.get("identical").isBoolean());
        assertTrue(query.get("identical").asBoolean());
        if (isExact(query.get("host")) && isExact(query.get("device"))) {
          assertEquals(query.get("host").get("count"), query.get("device").get("count"));
        }
        assertEquals(query.get("host").get("docs_crc32c"), query.get("device").get("docs_crc32c"));
        assertEquals(mode.equals("top"), query.get("host").has("hits"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void itIsSaidWhoAnswered(String device) {
    JsonNode report = search(device, "--on", "both", "+w0 +w1", "--json").ok().json();
    JsonNode work = report.get("work");
    if (device.equals("host")) {
      assertEquals(0, report.get("queries_offloaded").asInt());
      assertEquals(0, work.get("leaves_offloaded").asInt());
      assertEquals(1, work.get("reasons").size(), work.toString());
    } else {
      assertEquals(1, report.get("queries_offloaded").asInt(), work.toString());
      assertTrue(work.get("leaves_offloaded").asInt() > 0, work.toString());
      assertEquals(0, work.get("leaves_on_host").asInt());
      assertEquals(0, work.get("leaves_fallen_back").asInt());
      assertTrue(work.get("bytes_from_device").asLong() > 0, work.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aQueryThatPlansCannotExpressIsAnsweredAndSaidSo(String device) {
    JsonNode report = search(device, "--on", "both", "\"w0 w1\"~70000", "--json").ok().json();
    assertTrue(report.get("identical").asBoolean());
    assertEquals(0, report.get("queries_offloaded").asInt());
    assertFalse(report.get("work").get("reasons").isEmpty());
  }

  @Test
  void oneSideShowsHitsAndDocs() {
    JsonNode hits = search("host", "--on", "host", "--k", 3, "+w0 +w1", "--json").ok().json();
    JsonNode answer = hits.get("queries").get(0).get("host");
    assertNull(hits.get("queries").get(0).get("device"));
    assertNull(hits.get("identical"));
    assertEquals(3, answer.get("hits").size());
    JsonNode first = answer.get("hits").get(0);
    assertEquals(1, first.get("rank").asInt());
    assertEquals("Title of " + first.get("id").asText(), first.get("title").asText());
    assertEquals(
        first.get("score").floatValue(),
        Float.intBitsToFloat(Integer.parseUnsignedInt(first.get("score_bits").asText(), 16)));
    JsonNode docs = search("host", "--on", "host", "--mode", "docs", "w150", "--json").ok().json();
    JsonNode all = docs.get("queries").get(0).get("host");
    assertEquals(all.get("count").asInt(), all.get("docs").size());
    assertTrue(all.get("docs").size() > 0);
  }

  @Test
  void textNamesTheHitsAndTheOutcome() {
    String out = search("host", "--on", "both", "+w0 +w1", "w150").ok().out();
    assertTrue(out.contains("Title of d"), out);
    assertTrue(out.contains("identical"), out);
    assertTrue(out.contains("2 queries over 3,000 documents"), out);
    assertTrue(out.contains("without a device"), out);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"+( | query '+('", "foo AND | query 'foo AND'", "a:b:c | a:b:c", "\"open | open"})
  void badSyntaxIsNamed(String query, String words) throws IOException {
    search("host", query).fails(ExitCodes.USAGE, words);
    Path file = queries("w1\n" + query + "\n");
    search("host", "--queries", file).fails(ExitCodes.FAILURE, file + ":2: ", words);
    JsonNode error = search("host", query, "--json").json();
    assertEquals(ExitCodes.USAGE, error.get("exit_code").asInt());
    assertTrue(error.get("error").asText().contains(words));
  }

  @Test
  void aQueryMayStartWithAMinus() {
    for (String query : List.of("-hello +w1", "-kitten w1", "-w0 +w2")) {
      for (String[] args : new String[][] {{query}, {"--", query}}) {
        JsonNode report =
            search("host", Stream.concat(Stream.of("--json"), Stream.of(args)).toArray())
                .ok()
                .json();
        assertEquals(query, report.get("queries").get(0).get("query").asText());
        assertTrue(report.get("queries").get(0).get("device").get("count").asInt() > 0, query);
      }
    }
    search("host", "-k", 3, "w1").ok();
    assertEquals(3, search("host", "-k3", "w1", "--json").ok().json().get("k").asInt());
  }

  @Test
  void whatStandsBehindTwoMinusesIsAQuery() {
    JsonNode report = search("host", "--json", "--", "w1", "-h").ok().json();
    assertEquals("-h", report.get("queries").get(1).get("query").asText());
    search("host", "--", "--w1").fails(ExitCodes.USAGE, "query '--w1'");
    search("host", "--w1").fails(ExitCodes.USAGE, "unknown option");
  }

  /** As in an application: without the device that was asked for, the host answers. */
  @Test
  void withoutNativeLibraryTheHostAnswers() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "the simulator's native library is not there");
    for (boolean strict : new boolean[] {false, true}) {
      List<Object> args =
          new ArrayList<>(List.of("search", "--index", index("sim"), "--json", "+w0 +w1"));
      if (strict) {
        args.add("--strict");
      }
      List<String> command = ToolProcess.command(args.toArray());
      command.add(1, "-Dorg.luceneoffload.library=" + temp.resolve("none.so"));
      try (ToolProcess tool = ToolProcess.startCommand(temp, command)) {
        assertEquals(strict ? ExitCodes.FAILURE : ExitCodes.OK, tool.await(), tool.err());
        assertTrue(tool.err().contains("none.so"), "the reason is said: " + tool.err());
      }
    }
  }

  @Test
  void aStoreThatIsNoneIsNotADamagedIndex() throws IOException {
    assumeTrue(devices().contains("sim"), "the native library is not there");
    Path copy = temp.resolve("foreign");
    Files.createDirectory(copy);
    try (Stream<Path> files = Files.list(index("host"))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    Files.write(copy.resolve("offload.vol"), "x".repeat(1 << 16).getBytes(UTF_8));
    CliRun run = CliRun.of("search", "--index", copy, "--strict", "w1");
    run.fails(ExitCodes.FAILURE, "device sim", "The index is complete without it");
    assertFalse(run.err().contains("index is damaged"), run.err());
    CliRun.of("search", "--index", copy, "w1").ok();
  }

  @Test
  void wrongArgumentsAreNamed() throws IOException {
    search("host", "--k", 0, "w1").fails(ExitCodes.USAGE, "--k must be at least 1, not 0");
    search("host", "--k", "ten", "w1").fails(ExitCodes.USAGE, "--k", "ten");
    search("host").fails(ExitCodes.USAGE, "no query");
    search("host", "").fails(ExitCodes.USAGE, "an empty query");
    search("host", "--on", "mars", "w1").fails(ExitCodes.USAGE, "--on", "mars");
    search("host", "--mode", "best", "w1").fails(ExitCodes.USAGE, "--mode", "best");
    search("host", "--colour", "w1").fails(ExitCodes.USAGE, "--colour");
    search("host:x", "w1").fails(ExitCodes.USAGE, "host:x");
    CliRun.of("search", "--index", index("host"), "--device", "toaster", "w1")
        .fails(ExitCodes.USAGE, "toaster");
    search("host", "--queries", queries("# nothing\n\n"))
        .fails(ExitCodes.FAILURE, "holds no query");
    search("host", "--queries", temp.resolve("none")).fails(ExitCodes.FAILURE, "no such file");
    Path broken = temp.resolve("broken.txt");
    Files.write(broken, new byte[] {'a', '\n', (byte) 0xff, '\n'});
    search("host", "--queries", broken).fails(ExitCodes.FAILURE, broken + ":2: not UTF-8");
  }

  @Test
  void missingIndexesAreNamed() throws IOException {
    Path missing = temp.resolve("missing");
    CliRun.of("search", "--index", missing, "--device", "host", "w1")
        .fails(ExitCodes.FAILURE, "no such index: " + missing);
    assertFalse(Files.exists(missing), "looking makes nothing");
    CliRun.of("search", "--index", temp.resolve("c.jsonl"), "--device", "host", "w1")
        .fails(ExitCodes.FAILURE, "not an index but a file");
    Path empty = Files.createDirectory(temp.resolve("empty"));
    CliRun.of("search", "--index", empty, "--device", "host", "w1")
        .fails(ExitCodes.FAILURE, "not an index", empty.toString());
    Path damaged = Files.createDirectory(temp.resolve("damaged"));
    Files.write(damaged.resolve("segments_1"), new byte[100]);
    CliRun.of("search", "--index", damaged, "--device", "host", "w1")
        .fails(ExitCodes.FAILURE, "damaged");
  }
}
