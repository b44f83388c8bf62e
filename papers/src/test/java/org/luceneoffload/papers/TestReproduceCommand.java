/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.model.Profiles;

/** {@code offload reproduce} and {@code offload profile}, with the real model. */
class TestReproduceCommand {
  private static void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  @Test
  void theToolFindsTheCommand() {
    String help = CliRun.of("help").ok().out();
    assertTrue(help.matches("(?s).*\n  profile  [^\n]*\n  reproduce  [^\n]*\n  help  .*"), help);
    assertTrue(CliRun.of("help", "reproduce").ok().out().contains("--calibrate"));
  }

  @Test
  void aQuestionMarkListsTheExperiments() {
    String parts = CliRun.of("reproduce", "--only", "?").ok().out();
    assertTrue(parts.lines().count() > 5, parts);
    assertTrue(parts.contains("real"), parts);
  }

  @Test
  void aPartOfThePaperIsReproducedTwiceAlike(@TempDir Path dir) throws IOException {
    assumeSimulator();
    JsonNode report =
        CliRun.of("reproduce", "--json", "--only", "intersection-skew", "--out", dir.resolve("a"))
            .ok()
            .json();
    CliRun text =
        CliRun.of("reproduce", "--only", "intersection-skew", "--out", dir.resolve("b")).ok();
    assertTrue(text.out().contains("accesses a page"), text.out());
    assertTrue(text.err().contains("1 of 5 experiments"), text.err());
    for (String file :
        new String[] {
          "report.html", "report.json", "published.csv", "trends.csv", "experiments.csv"
        }) {
      assertEquals(-1, Files.mismatch(dir.resolve("a/" + file), dir.resolve("b/" + file)), file);
    }
    assertEquals(1, report.get("sweeps").size());
    report
        .get("figures")
        .forEach(figure -> assertEquals("pass", figure.get("verdict").asText(), figure::toString));
    // Busy parts add up to the whole.
    JsonNode device = report.get("sweeps").get(0).get("points").get(0).get("device");
    double sum = 0;
    for (JsonNode part : device.get("parts_ms")) {
      sum += part.asDouble();
    }
    assertEquals(device.get("elapsed_ms").asDouble(), sum, 1e-6);
  }

  @Test
  void calibrationGivesTheProfilesNumbersAgain() {
    assumeSimulator();
    JsonNode numbers = CliRun.of("reproduce", "--calibrate", "--json").ok().json();
    assertEquals(14, numbers.size());
    for (JsonNode number : numbers) {
      assertEquals(
          number.get("in_profile").asLong(), number.get("fitted").asLong(), number::toString);
    }
  }

  @Test
  void plainReadsAreThoseOfTheHandFormulas(@TempDir Path dir) {
    assumeSimulator();
    for (String profile : Profiles.names()) {
      CliRun run =
          CliRun.of("reproduce", "--json", "--only", "reads", "--profile", profile, "--out", dir);
      for (JsonNode side : run.ok().json().get("reads")) {
        double hand = side.get("hand_us").asDouble();
        assertEquals(hand, side.get("latency_us").asDouble(), 0.01 * hand, profile);
        double before = 0;
        for (JsonNode depth : side.get("depths")) {
          double mbPerS = depth.get("mb_per_s").asDouble();
          assertTrue(mbPerS <= 1.001 * depth.get("bound_mb_per_s").asDouble(), profile + depth);
          assertTrue(mbPerS >= 0.999 * before, profile + depth);
          before = mbPerS;
        }
        // Many at once come near the narrowest of channels, DRAM and link.
        JsonNode last = side.get("depths").get(side.get("depths").size() - 1);
        assertTrue(before > 0.9 * last.get("bound_mb_per_s").asDouble(), profile + last);
      }
    }
  }

  @Test
  void choosingBeforeRunningLosesLittle(@TempDir Path dir) {
    assumeSimulator();
    for (String only : new String[] {"difference-skew", "ranked-intersection-ratio"}) {
      JsonNode regret =
          CliRun.of("reproduce", "--json", "--only", only, "--out", dir).ok().json().get("regret");
      assertTrue(regret.get("experiments").asInt() >= 4, regret::toString);
      assertTrue(regret.get("mean_pct").asDouble() <= 5, regret::toString);
    }
  }

  @Test
  void thePapersFiguresAreNoTargetsOfOtherDevices(@TempDir Path dir) {
    assumeSimulator();
    JsonNode report =
        CliRun.of("reproduce", "--json", "--only", "query", "--profile", "pcie5-csd", "--out", dir)
            .ok()
            .json();
    assertTrue(report.get("figures").size() >= 10, report::toString);
    report
        .get("figures")
        .forEach(figure -> assertEquals("shown", figure.get("verdict").asText(), figure::toString));
    CliRun text =
        CliRun.of("reproduce", "--only", "difference-skew", "--profile", "pcie5-csd", "--out", dir);
    assertTrue(text.ok().out().contains("Not the paper's device"), text.out());
  }

  @Test
  void aFolderThatCannotBeIsNamedBeforeAnythingRuns(@TempDir Path dir) throws IOException {
    assumeSimulator();
    Path file = Files.writeString(dir.resolve("file"), "");
    CliRun run = CliRun.of("reproduce", "--out", file);
    run.fails(ExitCodes.FAILURE, "--out " + file);
    assertFalse(run.err().contains("experiments"), run.err());
    CliRun.of("reproduce", "--out", file.resolve("under")).fails(ExitCodes.FAILURE, "under");
  }

  @Test
  void aTextThatCannotBeIsNamedBeforeAnythingRuns(@TempDir Path dir) throws IOException {
    Path out = dir.resolve("out");
    wrongText(out, dir.resolve("none.txt"), "no such file: ");
    wrongText(out, dir, "a directory, not a file: ");
    wrongText(out, Files.writeString(dir.resolve("no.txt"), " - \n"), "no.txt: holds no word");
    wrongText(out, Files.writeString(dir.resolve("no.jsonl"), ""), "no.jsonl: holds no word");
    Path bytes = Files.write(dir.resolve("bytes.txt"), new byte[] {'a', '\n', (byte) 0xff});
    wrongText(out, bytes, "bytes.txt:2: not UTF-8");
    Path json = Files.writeString(dir.resolve("bad.jsonl"), "{\"title\":\"a\"}\n{\n");
    wrongText(out, json, "bad.jsonl:2: not JSON");
    assertFalse(Files.exists(out));
  }

  private static void wrongText(Path out, Path text, String message) {
    CliRun run = CliRun.of("reproduce", "--paper", "s3", "--text", text, "--out", out);
    run.fails(ExitCodes.FAILURE, message);
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void withoutAFolderTheFindingsArePrintedOnly() {
    assumeSimulator();
    CliRun run = CliRun.of("reproduce", "--only", "difference-skew").ok();
    assertTrue(run.out().contains("fitted: "), run.out());
    assertFalse(run.out().contains("Report: "), run.out());
  }

  @Test
  void wrongUsageIsNamed(@TempDir Path dir) {
    assumeSimulator();
    CliRun.of("reproduce", "--calibrate", "--out", dir).fails(ExitCodes.USAGE, "--calibrate");
    CliRun.of("reproduce", "--only", "x", "--out", dir)
        .fails(ExitCodes.USAGE, "--only", "intersection-size");
    CliRun.of("reproduce", "--paper", "x", "--out", dir).fails(ExitCodes.USAGE, "s1, s2");
    CliRun.of("reproduce", "--paper", "s2", "--only", "query", "--out", dir)
        .fails(ExitCodes.USAGE, "--only");
    CliRun.of("reproduce", "--paper", "s1", "--text", dir).fails(ExitCodes.USAGE, "--text");
    CliRun.of("reproduce", "--only", "query", "--text", dir).fails(ExitCodes.USAGE, "--text");
    CliRun.of("reproduce", "--paper", "s3", "--calibrate", "--text", dir)
        .fails(ExitCodes.USAGE, "--text");
    CliRun.of("reproduce", "--profile", "x", "--out", dir).fails(ExitCodes.USAGE, "pcie5-csd");
  }

  @Test
  void profilesAreListedShownAndChecked(@TempDir Path dir) throws IOException {
    assertEquals(Profiles.names().size(), CliRun.of("profile", "--json").ok().json().size());
    String list = CliRun.of("profile").ok().out();
    Profiles.names().forEach(name -> assertTrue(list.contains(name), list));
    String shown = CliRun.of("profile", "smart-ssd-sas").ok().out();
    assertTrue(shown.contains("device.core_hz"), shown);
    JsonNode json = CliRun.of("profile", "cosmos-openssd", "--json").ok().json();
    assertEquals(1_000_000_000L, json.get("values").get("device.core_hz").get("value").asLong());
    Path bad = dir.resolve("bad.json");
    Files.writeString(bad, "{\"name\": \"bad\"}");
    CliRun.of("profile", bad).fails(ExitCodes.FAILURE, "bad.json", "device.core_hz is missing");
    CliRun.of("profile", "nosuch").fails(ExitCodes.USAGE, "nosuch", "summarizer-board");
  }
}
