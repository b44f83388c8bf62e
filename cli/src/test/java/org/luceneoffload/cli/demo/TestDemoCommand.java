/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.corpus.CorpusBuilder;

/** The demo over a corpus of the test's own, in a home of the test's own. */
class TestDemoCommand {
  @TempDir private Path home;
  private Path corpus;

  static List<String> devices() {
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
    Files.writeString(corpus.resolve(CorpusBuilder.DOCUMENTS), documents());
    Files.writeString(corpus.resolve(CorpusBuilder.QUERIES), "w1\n");
    Files.writeString(corpus.resolve(CorpusBuilder.DEMO_QUERIES), "+w0 +w1\nw3 w9\n+w2 -w0\n");
    searches(
        "+w0 +kind:method +length:[* TO 200]",
        "+w1 --sort length:desc",
        "w0 w1 --aggregate terms:artifact:2 --aggregate histogram:length:100");
    Files.writeString(corpus.resolve(CorpusBuilder.RECIPE), "version 0\n");
  }

  private void searches(String... lines) throws IOException {
    Files.write(corpus.resolve(CorpusBuilder.DEMO_SEARCHES), List.of(lines));
  }

  /** The small corpus with values: the n-th document has the length n % 1000. */
  private static String documents() {
    String[] lines = SmallCorpus.lines(42, SmallCorpus.DOCUMENTS).split("\n");
    return IntStream.range(0, lines.length)
        .mapToObj(
            n ->
                String.format(
                    Locale.ROOT,
                    "{\"artifact\":\"a%d\",\"kind\":\"%s\",\"package\":\"p\",\"length\":%d,%s%n",
                    n % 3,
                    n % 2 == 0 ? "method" : "class",
                    n % 1000,
                    lines[n].substring(1)))
        .collect(Collectors.joining());
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
    assertEquals(6, report.get("queries").size());
    boolean host = device.equals("host");
    for (JsonNode query : report.get("queries")) {
      assertTrue(query.get("identical").asBoolean());
      assertEquals(query.has("hits"), !query.has("aggregates"));
      if (query.has("hits")) {
        assertEquals(3, query.get("hits").size());
        assertTrue(query.get("hits").get(0).get("title").asText().startsWith("Title of d"));
      }
      assertEquals(host, query.get("leaves_offloaded").asInt() == 0, query.toString());
      assertEquals(host, query.get("link_bytes").asLong() == 0, query.toString());
    }
    CliRun again = CliRun.of("demo", "--device", device).ok();
    assertTrue(again.out().contains("already indexed"), again.out());
    assertTrue(again.out().contains("6 of 6 searches have identical answers"), again.out());
  }

  @ParameterizedTest
  @MethodSource("devices")
  void filtersSortsAndAggregates(String device) throws IOException {
    writeCorpus();
    JsonNode queries = CliRun.of("demo", "--device", device, "--json").ok().json().get("queries");
    for (JsonNode hit : queries.get(3).get("hits")) {
      int n = Integer.parseInt(hit.get("id").asText().substring(1));
      assertTrue(n % 2 == 0 && n % 1000 <= 200, hit.toString());
    }
    List<Integer> keys = new ArrayList<>();
    queries.get(4).get("hits").forEach(hit -> keys.add(hit.get("keys").get(0).asInt()));
    assertEquals(keys.stream().sorted(Comparator.reverseOrder()).toList(), keys);
    assertTrue(keys.getFirst() > 900, keys.toString());
    JsonNode terms = queries.get(5).get("aggregates").get(0);
    assertEquals(2, terms.get("buckets").size());
    assertEquals(3, terms.get("distinct").asInt());
    long most = terms.get("buckets").get(0).get("count").asLong();
    JsonNode histogram = queries.get(5).get("aggregates").get(1);
    assertEquals(10, histogram.get("buckets").size());
    assertEquals(queries.get(5).get("count").asLong(), histogram.get("docs").asLong());

    String text = CliRun.of("demo", "--device", device).ok().out();
    assertTrue(text.contains(" 5  +w1 --sort length:desc   "), text);
    assertTrue(text.contains(" 6  w0 w1   "), text);
    assertTrue(text.contains("    1.  " + keys.getFirst() + "  Title of d"), text);
    assertTrue(text.contains("  " + Figures.count(most) + "  " + "#".repeat(40)), text);
  }

  @Test
  void wrongSearchesAreNamed() throws IOException {
    writeCorpus();
    String file = corpus.resolve(CorpusBuilder.DEMO_SEARCHES) + ":1: ";
    for (String wrong : List.of("w1 --sort", "w1 --mode count", "w1 --sort length --sort kind")) {
      searches(wrong);
      CliRun.of("demo", "--device", "host").fails(ExitCodes.FAILURE, file, wrong);
    }
    searches("w1 --sort length --aggregate stats:length");
    CliRun.of("demo", "--device", "host").fails(ExitCodes.FAILURE, file, "exclude each other");
    searches("w1 --sort size");
    CliRun.of("demo", "--device", "host").fails(ExitCodes.USAGE, "no typed field \"size\"");
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

  @Test
  void wrongUsageIsNamed() throws IOException {
    writeCorpus();
    Path file = Files.writeString(home.resolve("file"), "x");
    CliRun.of("demo", "--dir", file).fails(ExitCodes.FAILURE, "it is a file: " + file);
    CliRun.of("demo", "--dir", file.resolve("under"))
        .fails(ExitCodes.FAILURE, file.resolve("under") + ": Not a directory");
    Path others = Files.createDirectory(home.resolve("others"));
    Files.writeString(others.resolve("a.txt"), "x");
    CliRun.of("demo", "--dir", others).fails(ExitCodes.FAILURE, "holds other files", "a.txt");
    CliRun.of("demo", "--device", "nosuch").fails(ExitCodes.USAGE, "unknown device \"nosuch\"");
    CliRun.of("demo", "extra").fails(ExitCodes.USAGE, "'extra'", "offload demo --help");
    CliRun.of("demo", "--dir").fails(ExitCodes.USAGE, "--dir");
  }

  /** What the index was made of is read as it is, whoever wrote it. */
  @Test
  void aDamagedStampMakesTheIndexAnew() throws IOException {
    writeCorpus();
    CliRun.of("demo", "--device", "host").ok();
    Path stamp = home.resolve("sample-corpus").resolve("target").resolve("demo-index.stamp");
    Files.write(stamp, new byte[] {(byte) 0xff});
    assertFalse(CliRun.of("demo", "--device", "host").ok().out().contains("already indexed"));
    assertTrue(CliRun.of("demo", "--device", "host").ok().out().contains("already indexed"));
  }

  @Test
  void explorePrintsTheAddressOfAPage() throws IOException, InterruptedException {
    writeCorpus();
    List<String> command =
        new ArrayList<>(ToolProcess.command("demo", "--device", "host", "--json", "--explore"));
    command.add(1, "-D" + DemoFiles.HOME_PROPERTY + "=" + home);
    try (ToolProcess tool = ToolProcess.startCommand(home, command)) {
      tool.awaitRunning(() -> served(tool) != null);
      HttpResponse<String> page =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(served(tool)).build(), BodyHandlers.ofString());
      assertEquals(200, page.statusCode());
      assertTrue(tool.out().contains("\"identical\" : true"), tool.out());
      tool.interrupt();
      assertTrue(List.of(130, 143).contains(tool.await()));
    }
  }

  /** Returns the address; null if none is printed yet. */
  private static URI served(ToolProcess tool) {
    try {
      return tool.err()
          .lines()
          .filter(line -> line.endsWith("/") && line.contains("http://"))
          .map(line -> URI.create(line.substring(line.indexOf("http://"))))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
