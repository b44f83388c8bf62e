/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

class TestCoverageCommand {
  private static final String DEVICE = "sim";

  @TempDir private static Path temp;

  @BeforeAll
  static void index() throws IOException {
    assumeTrue(CliRun.devices().contains(DEVICE), "the simulator's native library is not there");
    SmallCorpus.index(temp);
  }

  private static CliRun coverage(String log, Object... more) throws IOException {
    Path file = Files.writeString(temp.resolve("log"), log);
    Object[] args = new Object[5 + more.length];
    System.arraycopy(
        new Object[] {"coverage", "--index", SmallCorpus.index(temp, DEVICE), "--queries", file},
        0,
        args,
        0,
        5);
    System.arraycopy(more, 0, args, 5, more.length);
    return CliRun.of(args);
  }

  @Test
  void tellsPlacesByShape() throws IOException {
    JsonNode report =
        coverage(
                """
                +w0 +w1
                +w2 +w3
                {"name":"twice","count":2,"body":{"query":{"match":{"body":"w0 w1"}}}}
                {"query":{"regexp":{"body":"w1.*5"}}}
                {"query":{"match":{"body":"w3 w4"}},"rescore":{"window_size":10}}
                {"query":{"knn":{}}}
                nosuchword
                """,
                "--json")
            .ok()
            .json();
    assertEquals(8, report.get("requests").asInt());
    assertEquals(7, report.get("lines").asInt());
    Map<String, JsonNode> shapes = new HashMap<>();
    report.get("shapes").forEach(shape -> shapes.put(shape.get("shape").asText(), shape));
    JsonNode and = shapes.get("Boolean(+Term*); top hits");
    assertEquals("DEVICE", and.get("place").asText());
    assertEquals(2, and.get("requests").asInt());
    JsonNode or = shapes.get("Boolean(Term*); top hits");
    assertEquals(2, or.get("requests").asInt());
    assertEquals(2, or.get("names").get("twice").asInt());
    JsonNode rescore = shapes.get("Boolean(Term*); top hits; \"rescore\"");
    assertEquals("PARTLY", rescore.get("place").asText());
    assertTrue(rescore.get("reasons").toString().contains("rescore"), rescore.toString());
    assertEquals(
        "UNTRANSLATED", shapes.get("query \"knn\" is not translated").get("place").asText());
    assertEquals("NOWHERE", shapes.get("Term; top hits").get("place").asText());
    assertTrue(shapes.containsKey("Regexp; top hits"), shapes.toString());
    long sum = 0;
    for (JsonNode place : report.get("places")) {
      sum += place.get("requests").asLong();
    }
    assertEquals(8, sum);
  }

  @Test
  void printsTables() throws IOException {
    String out = coverage("+w0 +w1\n").ok().out();
    assertTrue(out.contains("1 request in 1 line"), out);
    assertTrue(out.contains("100.0 %"), out);
  }

  /** Real logs have such lines. */
  @Test
  void countsLinesThatAreNoQuery() throws IOException {
    JsonNode report =
        coverage(
                """
                +w0
                "not closed
                {"query":{"match":{}}}
                {"query":
                created:[2020-01-01 TO
                """,
                "--json")
            .ok()
            .json();
    JsonNode wrong = null;
    for (JsonNode shape : report.get("shapes")) {
      wrong = shape.get("shape").asText().equals("wrong syntax") ? shape : wrong;
    }
    assertEquals(4, wrong.get("requests").asInt(), report.toString());
    assertEquals("UNTRANSLATED", wrong.get("place").asText());
    String reason = wrong.get("reasons").get(0).asText();
    assertTrue(reason.contains("log:2") && reason.contains("a quote is not closed"), reason);
    assertEquals(1, wrong.get("reasons").size(), "only the first is shown");
  }

  @Test
  void usageErrors() {
    CliRun.of("coverage").fails(ExitCodes.USAGE, "--catalogue");
    CliRun.of("coverage", "--catalogue", "--index", temp).fails(ExitCodes.USAGE, "--catalogue");
  }

  /** docs/SHAPES.md ends in what the tool prints. */
  @Test
  void documentIsTrue() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "SHAPES.md"));
    String tables = CliRun.of("coverage", "--catalogue", "--markdown").ok().out();
    assertTrue(
        document.endsWith("\n" + tables),
        () ->
            "docs/SHAPES.md must end in these lines (offload coverage --catalogue --markdown):\n"
                + tables);
  }
}
