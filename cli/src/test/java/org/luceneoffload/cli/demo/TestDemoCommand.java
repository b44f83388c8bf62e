/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.corpus.CorpusBuilder;

/** The demo over a corpus of the test's own, in a home of the test's own. */
class TestDemoCommand {
  @TempDir private Path home;
  private Path corpus;

  static java.util.List<String> devices() {
    return CliRun.devices();
  }

  @BeforeEach
  void smallHome() throws IOException {
    System.setProperty(DemoFiles.HOME_PROPERTY, home.toString());
    corpus = home.resolve("sample-corpus/target/corpus");
  }

  @AfterEach
  void noHome() {
    System.clearProperty(DemoFiles.HOME_PROPERTY);
  }

  private void writeCorpus() throws IOException {
    Files.createDirectories(corpus);
    SmallCorpus.write(corpus.resolve(CorpusBuilder.DOCUMENTS));
    Files.writeString(corpus.resolve(CorpusBuilder.QUERIES), "w1\n");
    Files.writeString(corpus.resolve(CorpusBuilder.DEMO_QUERIES), "+w0 +w1\nw3 w9\n+w2 -w0\n");
    Files.writeString(corpus.resolve(CorpusBuilder.RECIPE), "version 0\n");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void showsBothSidesAndIndexesOnce(String device) throws IOException {
    writeCorpus();
    JsonNode report = CliRun.of("demo", "--device", device, "--json").ok().json();
    assertEquals(
        "artifact:keyword, kind:keyword, package:keyword, length:long",
        report.get("indexing").get("fields").asText());
    assertTrue(report.get("identical").asBoolean());
    assertEquals(3, report.get("queries").size());
    boolean host = device.equals("host");
    for (JsonNode query : report.get("queries")) {
      assertTrue(query.get("identical").asBoolean());
      assertEquals(3, query.get("hits").size());
      assertTrue(query.get("hits").get(0).get("title").asText().startsWith("Title of d"));
      assertEquals(host, query.get("leaves_offloaded").asInt() == 0, query.toString());
      assertEquals(host, query.get("link_bytes").asLong() == 0, query.toString());
    }
    CliRun again = CliRun.of("demo", "--device", device).ok();
    assertTrue(again.out().contains("already indexed"), again.out());
    assertTrue(again.out().contains("3 of 3 queries have identical answers"), again.out());
  }

  @Test
  void saysHowToGetTheCorpus() {
    CliRun.of("demo", "--device", "host")
        .fails(ExitCodes.FAILURE, "the sample corpus is not built");
  }

  @Test
  void anIndexElsewhere() throws IOException {
    writeCorpus();
    Path elsewhere = home.resolve("elsewhere");
    CliRun.of("demo", "--device", "host", "--dir", elsewhere).ok();
    assertTrue(IndexOptions.isIndex(elsewhere));
  }

  @Test
  void anIndexOfSomebodyElseIsLeftAlone() throws IOException {
    writeCorpus();
    Path other = home.resolve("other");
    Path documents = corpus.resolve(CorpusBuilder.DOCUMENTS);
    CliRun.of("index", "--index", other, "--device", "host", "--corpus", documents).ok();
    CliRun.of("demo", "--device", "host", "--dir", other)
        .fails(ExitCodes.FAILURE, other + " holds an index that the demo did not make");
  }
}
