/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;

/** Many queries, large answers, deep queries, a reader that has gone. */
class TestSearchLimits {
  private static final int DOCUMENTS = 100_000;

  @TempDir private static Path temp;
  private static Path index;

  @BeforeAll
  static void index() throws IOException {
    Path corpus = temp.resolve("c.jsonl");
    Files.writeString(
        corpus,
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> "{\"id\":" + i + ",\"body\":\"every w" + i % 7 + "\"}\n")
            .collect(Collectors.joining()));
    index = temp.resolve("index");
    CliRun.of("index", "--index", index, "--device", "host", "--corpus", corpus).ok();
  }

  private static Path queries(int number) throws IOException {
    return Files.writeString(
        Files.createTempFile(temp, "queries", ".txt"), "every w1\n".repeat(number));
  }

  @Test
  void docIdsOfEarlierQueriesAreNotKept() throws Exception {
    // 400 KB of doc IDs on either side of each: more than the heap has.
    int number = QuickRun.times(250, 1000);
    try (ToolProcess search =
        ToolProcess.startCommand(
            temp,
            ToolProcess.commandWithHeap(
                "96m",
                "search",
                "--index",
                index,
                "--device",
                "host",
                "--on",
                "both",
                "--mode",
                "docs",
                "--queries",
                queries(number),
                "--json"))) {
      assertEquals(ExitCodes.OK, search.await(), search.err());
      JsonNode report = new JsonMapper().readTree(search.out());
      assertEquals(number, report.get("queries_run").asInt());
      assertTrue(report.get("identical").asBoolean());
      assertEquals(
          DOCUMENTS, report.get("queries").get(number - 1).get("host").get("count").asInt());
    }
  }

  @Test
  void theRunEndsWhenNobodyReadsItsOutput() throws Exception {
    Process search =
        new ProcessBuilder(
                ToolProcess.command(
                    "search",
                    "--index",
                    index,
                    "--device",
                    "host",
                    "--mode",
                    "docs",
                    "--queries",
                    queries(20_000)))
            .redirectError(temp.resolve("err").toFile())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new java.io.InputStreamReader(search.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("every w1", out.readLine());
    } // closes the pipe
    try {
      assertTrue(search.waitFor(300, TimeUnit.SECONDS), "goes on although nobody reads");
      assertEquals(ExitCodes.OUTPUT_CLOSED, search.exitValue());
      assertEquals("", Files.readString(temp.resolve("err")));
    } finally {
      search.destroyForcibly();
    }
  }

  @Test
  void aQueryThatIsNestedTooDeeplyIsOneError() throws IOException {
    String deep = "(".repeat(200_000) + "every" + ")".repeat(200_000);
    Path file = Files.writeString(temp.resolve("deep.txt"), "every\n" + deep + "\n");
    CliRun run =
        CliRun.of("search", "--index", index, "--device", "host", "--queries", file, "--json");
    run.fails(ExitCodes.FAILURE, file + ":2: ", "nested too deeply");
    assertTrue(run.err().length() < 1000, () -> run.err().length() + " characters");
    assertEquals(ExitCodes.FAILURE, run.json().get("exit_code").asInt());
  }

  @Test
  void tooSmallAHeapIsOneError() throws Exception {
    try (ToolProcess search =
        ToolProcess.startCommand(
            temp,
            ToolProcess.commandWithHeap(
                "48m",
                "search",
                "--index",
                index,
                "--device",
                "host",
                "--k",
                2_000_000_000,
                "every",
                "--json",
                "--queries",
                queries(6_000_000)))) {
      assertEquals(ExitCodes.FAILURE, search.await(), search.err());
      assertTrue(search.err().contains("offload: out of memory"), search.err());
      assertFalse(search.err().contains("\tat "), search.err());
      JsonNode problem = new JsonMapper().readTree(search.out());
      assertTrue(problem.get("error").asText().contains("OFFLOAD_JAVA_OPTS"));
    }
  }

  @Test
  void whatFailsInTheMiddleIsStillOneDocument() throws IOException {
    // More clauses than Lucene allows, but only once the prefix is written out.
    String wide = IntStream.range(0, 2000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    String halves = "(" + wide.substring(0, 3000) + ") (" + wide.substring(3000, 6000) + ") ";
    Path file = Files.writeString(temp.resolve("wide.txt"), "every w1\n" + halves + "\nevery w2\n");
    CliRun run =
        CliRun.of("search", "--index", index, "--device", "host", "--queries", file, "--json");
    run.fails(ExitCodes.FAILURE, "wide.txt:2: ");
    JsonNode report = run.json();
    assertEquals(1, report.get("queries").size());
    assertEquals(ExitCodes.FAILURE, report.get("exit_code").asInt());
    assertTrue(report.get("error").asText().contains("wide.txt:2: "));
  }
}
