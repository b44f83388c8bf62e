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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.study.Papers;

/** {@code offload reproduce} and {@code offload profile}, with the real model. */
class TestReproduceCommand {
  private static void assumeSimulator() {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
  }

  @Test
  void theToolFindsTheCommand() {
    String help = CliRun.of("help").ok().out();
    assertTrue(help.matches("(?s).*\n  profile  [^\n]*\n  reproduce  [^\n]*\n.*  help  .*"), help);
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
    assertTrue(text.err().contains("1 of 5: intersection"), text.err());
    for (String file :
        new String[] {"report.html", "report.json", "figures.csv", "trends.csv", "tables.csv"}) {
      assertEquals(-1, Files.mismatch(dir.resolve("a/" + file), dir.resolve("b/" + file)), file);
    }
    JsonNode paper = report.get("papers").get(0);
    paper
        .get("figures")
        .forEach(
            figure ->
                assertEquals(
                    figure.has("reason") ? "MISS" : "pass",
                    figure.get("verdict").asText(),
                    figure::toString));
    assertEquals(
        "./offload reproduce --paper s1 --only intersection-skew",
        report.get("header").get("command").asText());
    // The parts add up to the whole.
    JsonNode row = table(paper, "intersection: skew").get("rows").get(0);
    double sum = 0;
    for (int i = 2; i <= 6; i++) {
      sum += row.get(i).asDouble();
    }
    assertEquals(row.get(1).asDouble(), sum, 1e-6);
  }

  private static JsonNode table(JsonNode paper, String title) {
    for (JsonNode table : paper.get("tables")) {
      if (table.get("title").asText().startsWith(title)) {
        return table;
      }
    }
    throw new AssertionError("no table " + title);
  }

  @Test
  void calibrationGivesTheProfilesNumbersAgain() {
    assumeSimulator();
    String paper = QuickRun.QUICK ? Papers.TASKS : Papers.SEARCH;
    JsonNode numbers =
        CliRun.of("reproduce", "--paper", paper, "--calibrate", "--json").ok().json();
    assertEquals(QuickRun.times(7, 16), numbers.size());
    for (JsonNode number : numbers) {
      assertEquals(
          number.get("in_profile").asLong(), number.get("fitted").asLong(), number::toString);
    }
  }

  @Test
  void plainReadsAreThoseOfTheHandFormulas(@TempDir Path dir) {
    assumeSimulator();
    for (String profile : Profiles.names()) {
      JsonNode paper =
          CliRun.of("reproduce", "--json", "--only", "reads", "--profile", profile, "--out", dir)
              .ok()
              .json()
              .get("papers")
              .get(0);
      for (JsonNode single : table(paper, "Plain reads: one").get("rows")) {
        double hand = single.get(3).asDouble();
        assertEquals(hand, single.get(2).asDouble(), 0.01 * hand, profile);
      }
      JsonNode many = table(paper, "Plain reads: many").get("rows");
      assertEquals(10, many.size());
      for (int i = 0; i < many.size(); i++) {
        double mbPerS = many.get(i).get(2).asDouble();
        double bound = many.get(i).get(3).asDouble();
        assertTrue(mbPerS <= 1.001 * bound, profile + many.get(i));
        if (i % 5 > 0) {
          assertTrue(mbPerS >= 0.999 * many.get(i - 1).get(2).asDouble(), profile + many.get(i));
        }
        // Many at once come near the narrowest of channels, DRAM and link.
        assertTrue(i % 5 < 4 || mbPerS > 0.9 * bound, profile + many.get(i));
      }
    }
  }

  @Test
  void choosingBeforeRunningLosesLittle(@TempDir Path dir) {
    assumeSimulator();
    for (String only : new String[] {"difference-skew", "ranked-intersection-ratio"}) {
      JsonNode paper =
          CliRun.of("reproduce", "--json", "--only", only, "--out", dir)
              .ok()
              .json()
              .get("papers")
              .get(0);
      JsonNode regret = table(paper, "Choosing a side");
      assertTrue(regret.get("rows").get(0).get(1).asText().split(" ").length >= 4, only);
      assertTrue(regret.get("rows").get(0).get(4).asDouble() <= 5, regret::toString);
    }
  }

  @Test
  void thePapersFiguresAreNoTargetsOfOtherDevices(@TempDir Path dir) {
    assumeSimulator();
    JsonNode report =
        CliRun.of("reproduce", "--json", "--only", "query", "--profile", "pcie5-csd", "--out", dir)
            .ok()
            .json()
            .get("papers")
            .get(0);
    assertTrue(report.get("figures").size() >= 10, report::toString);
    report
        .get("figures")
        .forEach(figure -> assertEquals("shown", figure.get("verdict").asText(), figure::toString));
    CliRun text =
        CliRun.of("reproduce", "--only", "difference-skew", "--profile", "pcie5-csd", "--out", dir);
    assertTrue(text.ok().out().contains("Not the paper's device"), text.out());
  }

  /** A file that has the name of the paper's own profile and another number is another device. */
  @Test
  void aFileWithThePapersNameIsNoTargetUnlessItIsTheSame(@TempDir Path dir) throws IOException {
    assumeSimulator();
    DeviceProfile own = Profiles.load("smart-ssd-sas");
    Path same = Files.writeString(dir.resolve("same.json"), Profiles.write(own));
    Path other =
        Files.writeString(
            dir.resolve("other.json"), Profiles.write(own.with("host.query_ns", 1, "a test")));
    assertEquals("smart-ssd-sas", Profiles.load(other.toString()).name());
    assertEquals(Set.of("pass"), verdicts(same));
    assertEquals(Set.of("shown"), verdicts(other));
    CliRun text = CliRun.of("reproduce", "--only", "difference-skew", "--profile", other).ok();
    assertTrue(text.out().contains("Not the paper's device"), text.out());
  }

  private static Set<String> verdicts(Path profile) {
    Set<String> verdicts = new TreeSet<>();
    CliRun.of("reproduce", "--json", "--only", "query", "--profile", profile)
        .ok()
        .json()
        .get("papers")
        .get(0)
        .get("figures")
        .forEach(figure -> verdicts.add(figure.get("verdict").asText()));
    return verdicts;
  }

  @Test
  void theTextSaysHowItWasMade() {
    assumeSimulator();
    CliRun run = CliRun.of("reproduce", "--only", "difference-skew").ok();
    List<String> lines = run.out().lines().toList();
    assertEquals("./offload reproduce --paper s1 --only difference-skew", lines.get(0));
    assertTrue(lines.get(1).matches("  version \\S+, commit \\S+"), lines.get(1));
    assertTrue(lines.get(2).matches("  profile smart-ssd-sas, SHA-256 [0-9a-f]{12}"), lines.get(2));
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
    CliRun.of("reproduce", "--calibrate", "--set", "device.core_hz=1e9")
        .fails(ExitCodes.USAGE, "as it is");
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
  void aChangedProfileIsShownBesideItsOwn(@TempDir Path dir) throws IOException {
    assumeSimulator();
    String[] changed = {
      "reproduce", "--json", "--only", "query", "--set", "device.core_hz=1.6e9", "--out", "" + dir
    };
    JsonNode report = CliRun.of((Object[]) changed).ok().json();
    JsonNode fast = report.get("papers").get(0).get("figures");
    JsonNode own = report.get("beside").get(0).get("figures");
    assertEquals(2, report.get("header").get("profiles").size());
    for (int i = 0; i < fast.size(); i++) {
      String id = fast.get(i).get("published").get("id").asText();
      assertEquals("shown", fast.get(i).get("verdict").asText(), id);
      assertEquals("pass", own.get(i).get("verdict").asText(), id);
      if (id.equals("query.inside.compute")) {
        assertTrue(
            fast.get(i).get("modelled").asDouble() < 0.5 * own.get(i).get("modelled").asDouble());
      }
    }
    CliRun.of("reproduce", "--only", "query", "--set", "device.core_hz=1")
        .fails(ExitCodes.USAGE, "device.core_hz is 1; expected 1000000 to");
    CliRun text = CliRun.of("reproduce", "--only", "query", "--beside", "pcie5-csd").ok();
    assertTrue(text.out().contains("smart-ssd-sas  pcie5-csd"), text.out());
  }

  @Test
  void figuresAreSweptOverANumber(@TempDir Path dir) throws IOException {
    assumeSimulator();
    String path = "device.core_hz";
    CliRun run =
        CliRun.of("reproduce", "--only", "query", "--sweep", path + "=1.6e9,4e8", "--out", dir);
    assertTrue(run.ok().out().contains("Figures over " + path), run.out());
    String csv = Files.readString(dir.resolve("tables.csv"));
    // Published, and one for each value.
    assertEquals(1 + 3 * 10, csv.lines().count(), csv);
    assertTrue(csv.contains("s1,smart-ssd-sas,Figures over " + path + ",1,"), csv);
    assertTrue(csv.contains(",400000000,,14.5"), csv);
    CliRun.of("reproduce", "--sweep", path + "=1e9,2e9").fails(ExitCodes.USAGE, "need --paper");
    CliRun.of("reproduce", "--paper", "s1", "--sweep", path).fails(ExitCodes.USAGE, "PATH=A,B");
    CliRun.of("reproduce", "--paper", "s1", "--sweep", "x=1,2").fails(ExitCodes.USAGE, "x is not");
  }

  @Test
  void elasticitiesAreThoseOfTheFormulas(@TempDir Path dir) {
    assumeSimulator();
    JsonNode table =
        CliRun.of("reproduce", "--json", "--only", "query", "--elasticities", "device.core_hz")
            .ok()
            .json()
            .get("papers")
            .get(0)
            .get("tables")
            .get(0);
    assertEquals(2, table.get("columns").size());
    assertTrue(table.get("note").asText().contains("of one seed"), table::toString);
    for (JsonNode row : table.get("rows")) {
      double elasticity = row.get(1).asDouble();
      switch (row.get(0).asText()) {
        case "query.host.io", "query.device.io" -> assertEquals(0, elasticity, 1e-9);
        // A share c of the time falls by the share 1 - c.
        case "query.inside.compute" -> assertEquals(-0.78, elasticity, 0.05);
        // The host polls every millisecond, so a little less work may save a whole one.
        default -> assertTrue(Math.abs(elasticity) < 2, row::toString);
      }
    }
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
    // What is printed and what is written are profiles again.
    Path printed = Files.writeString(dir.resolve("printed.json"), json.toString());
    assertEquals(json, CliRun.of("profile", printed, "--json").ok().json());
    Path written = dir.resolve("written.json");
    CliRun.of("profile", printed, "--set", "device.core_hz=1.6e9", "--write", written).ok();
    JsonNode changed = CliRun.of("profile", written, "--json").ok().json();
    assertEquals("cosmos-openssd*", changed.get("name").asText());
    assertEquals(1_600_000_000L, changed.get("values").get("device.core_hz").get("value").asLong());
    CliRun.of("profile", written, "--set", "device.core_hz=1.5").fails(ExitCodes.USAGE, "'1.5'");
    CliRun.of("profile", written, "--set", "device.core_hz").fails(ExitCodes.USAGE, "PATH=VALUE");
    CliRun.of("profile", written, "--set", "device.core_hz=1").fails(ExitCodes.USAGE, "1000000 to");
    CliRun.of("profile", "--set", "device.core_hz=1e9").fails(ExitCodes.USAGE, "need the name");
    CliRun.of("profile", written, "--write", dir.resolve("x")).fails(ExitCodes.USAGE, ".json");
    Path bad = dir.resolve("bad.json");
    Files.writeString(bad, "{\"name\": \"bad\"}");
    CliRun.of("profile", bad).fails(ExitCodes.FAILURE, "bad.json", "device.core_hz is missing");
    CliRun.of("profile", "nosuch").fails(ExitCodes.USAGE, "nosuch", "summarizer-board");
  }
}
