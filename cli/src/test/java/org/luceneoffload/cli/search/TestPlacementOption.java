/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code --placement}, {@code --device-timeout}, and devices with a profile. */
class TestPlacementOption {
  private static final String QUERY = "+w0 +w1";

  @TempDir private static Path temp;

  @BeforeAll
  static void index() throws IOException {
    SmallCorpus.makeIndex(temp.resolve("i"), "sim");
  }

  private static CliRun run(String command, Object... more) {
    Object[] all = new Object[more.length + 3];
    all[0] = command;
    all[1] = "--index";
    all[2] = temp.resolve("i");
    System.arraycopy(more, 0, all, 3, more.length);
    return CliRun.of(all);
  }

  private static JsonNode explained(Object... more) {
    return run("explain", more).ok().json().get("queries").get(0);
  }

  @Test
  void neverIsStockLucene() {
    JsonNode never = explained("--placement", "never", "--json", QUERY);
    assertEquals("PLACEMENT", never.get("refusal").get("reason").asText());
    JsonNode always = explained("--placement", "ALWAYS", "--json", QUERY);
    assertEquals("DEVICE", always.get("leaves").get(0).get("place").asText());
    assertTrue(
        run("search", "--on", "both", "--placement", "never", "--json", QUERY)
            .ok()
            .json()
            .get("identical")
            .asBoolean());
  }

  @Test
  void filterLeavesTheScoresToTheHost() {
    JsonNode report =
        run("search", "--on", "both", "--placement", "filter", "--strict", "--json", QUERY)
            .ok()
            .json();
    assertTrue(report.get("identical").asBoolean());
    assertTrue(report.get("work").get("plans_executed").asInt() > 0, report.toString());
    assertEquals(0, report.get("work").get("docs_scored").asInt());
  }

  @Test
  void staticIsTheDevice() {
    JsonNode report =
        run("search", "--on", "both", "--placement", "static", "--strict", "--json", QUERY)
            .ok()
            .json();
    assertTrue(report.get("identical").asBoolean());
    assertTrue(report.get("work").get("plans_executed").asInt() > 0, report.toString());
  }

  @Test
  void neverIsNoAnswerOfTheDevice() {
    JsonNode report = run("search", "--placement", "never", "--json", QUERY, "w3").ok().json();
    assertEquals(0, report.get("queries_offloaded").asInt());
    assertEquals(2, report.get("work").get("reasons").get("--placement never").asInt());
    String text = run("search", "--placement", "never", QUERY).ok().out();
    assertTrue(text.contains("; host (--placement never)"), text);
    assertTrue(text.contains("sim answered 0 in full, host (--placement never)"), text);
  }

  @Test
  void aCountFromStatisticsIsSaidToBeOne() {
    String text = run("search", "--mode", "count", "w3", "nowhere").ok().out();
    assertTrue(text.contains("; no segment searched: the index's statistics have the count"), text);
    assertTrue(text.contains("; no segment searched: none has a match"), text);
    assertTrue(text.contains("sim answered 0 in full, no segment searched"), text);
  }

  @Test
  void aDeviceWithAProfileIsWeighed() {
    String device = "sim:profile=pcie5-csd";
    JsonNode leaf = explained("--device", device, "--json", QUERY).get("leaves").get(0);
    assertTrue(leaf.get("estimate").get("device_ns").asDouble() > 50_000, leaf.toString());
    assertTrue(leaf.get("estimate").get("host_ns").asDouble() > 200_000, leaf.toString());
    String text = run("explain", "--device", device, QUERY).ok().out();
    assertTrue(text.contains("estimated device 0."), text);
  }

  @Test
  void whatIsWrongIsNamed() {
    run("explain", "--placement", "sometimes", QUERY).fails(ExitCodes.USAGE, "sometimes");
    run("explain", "--device", "sim:profile=nope", QUERY)
        .fails(ExitCodes.USAGE, "unknown profile 'nope'");
  }

  @Test
  void timeoutsAreSecondsInRange() {
    run("search", "--device-timeout", "900.5", "--strict", QUERY).ok();
    for (String bad : new String[] {"0", "-1", "86401", "NaN", "Infinity"}) {
      CliRun refused = run("search", "--device-timeout=" + bad, QUERY);
      assertEquals(ExitCodes.USAGE, refused.code());
      assertTrue(refused.err().contains("--device-timeout must be from 0.001 to 86400"), bad);
    }
    assertEquals(ExitCodes.USAGE, run("search", "--device-timeout", "soon", QUERY).code());
  }
}
