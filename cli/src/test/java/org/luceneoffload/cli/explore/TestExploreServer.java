/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.PlanExplanation.Place;

/** What a page gets from its server, without a browser. */
class TestExploreServer {
  private static final int SEGMENTS = 2;
  private static final int DOCUMENTS = SmallCorpus.DOCUMENTS + 1;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private static Path folder;
  private static String device; // the simulator if it works here, else the host
  private static Path index;
  private static Open open;

  /** A server over an index. */
  private record Open(OffloadDirectory directory, ExploreIndex shown, ExploreServer server)
      implements Closeable {
    static Open of(Path index) throws IOException {
      OffloadDirectory directory = IndexOptions.open(index, device, false);
      ExploreIndex shown = new ExploreIndex(directory, index, device, false);
      return new Open(directory, shown, ExploreServer.start(shown, 0));
    }

    HttpResponse<String> response(String path) throws IOException, InterruptedException {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path)).build();
      return CLIENT.send(request, BodyHandlers.ofString());
    }

    JsonNode get(int status, String path) throws IOException, InterruptedException {
      HttpResponse<String> response = response(path);
      assertEquals(status, response.statusCode(), response.body());
      return new ObjectMapper().readTree(response.body());
    }

    @Override
    public void close() throws IOException {
      IOUtils.close(server, shown, directory);
    }
  }

  @BeforeAll
  static void serve() throws IOException {
    device = CliRun.devices().contains("sim") ? "sim" : "host";
    index = ExploreTestIndex.make(folder, device);
    open = Open.of(index);
  }

  @AfterAll
  static void end() throws IOException {
    IOUtils.close(open);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static JsonNode search(String query, String more)
      throws IOException, InterruptedException {
    return open.get(200, "api/search?q=" + encoded(query) + more);
  }

  private static boolean onDevice() {
    return device.equals("sim");
  }

  @Test
  void testOverview() throws Exception {
    JsonNode overview = open.get(200, "api/index");
    assertEquals(DOCUMENTS, overview.get("documents").intValue());
    assertEquals(SEGMENTS, overview.get("segments").intValue());
    assertEquals(
        List.of("body", "id", "kind", "made", "share", "title", "words"),
        overview.findValuesAsText("name"));
    assertEquals(5, overview.get("profiles").size());
  }

  /** Each side is asked once: as many plans are run as there are segments. */
  @Test
  void testHitsOfBothSides() throws Exception {
    JsonNode found = search("w0 +w3", "");
    assertTrue(found.at("/identity/identical").booleanValue(), found::toString);
    assertEquals(10, found.at("/identity/hits").intValue());
    for (String part : List.of("docs", "order", "scores")) {
      assertTrue(found.at("/identity/" + part).booleanValue(), part);
    }
    assertEquals(found.at("/host/hits"), found.at("/device/hits"));
    assertEquals(10, found.at("/host/hits").size());
    assertEquals(SEGMENTS, found.at("/plan/leaves").size());
    assertEquals(onDevice() ? SEGMENTS : 0, found.at("/device/work/plans_executed").intValue());
  }

  @Test
  void testPages() throws Exception {
    JsonNode first = search("*:*", "&size=100&from=0").at("/device/hits");
    assertEquals(100, first.size());
    JsonNode second = search("", "&size=50&from=50").at("/device/hits");
    for (int i = 0; i < 50; i++) {
      assertEquals(first.get(50 + i), second.get(i));
    }
    JsonNode last = search("", "&size=10&from=" + (DOCUMENTS - 1));
    assertEquals(1, last.at("/device/hits").size());
    assertEquals(DOCUMENTS, last.at("/identity/hits").intValue());
    assertTrue(last.at("/identity/identical").booleanValue());
    assertEquals(0, search("", "&size=10&from=9990").at("/device/hits").size());
    open.get(400, "api/search?q=&size=10&from=9991");
  }

  /** The filter of each bucket passes as many matches as the bucket has. */
  @Test
  void testFacetsAreFilters() throws Exception {
    JsonNode found = open.get(200, "api/facets?q=w1");
    assertTrue(found.get("identical").booleanValue(), found::toString);
    assertEquals(4, found.get("facets").size());
    int filters = 0;
    for (JsonNode facet : found.get("facets")) {
      JsonNode buckets = facet.at("/answer/buckets");
      assertEquals(facet.get("field").textValue().equals("share"), buckets.isMissingNode());
      for (int i = 0; i < buckets.size(); i++, filters++) {
        String filter = facet.get("filters").get(i).textValue();
        JsonNode filtered = search("w1", "&filter=" + encoded(filter));
        assertEquals(buckets.get(i).get("count"), filtered.at("/host/count"), filter);
        assertTrue(filtered.at("/identity/identical").booleanValue(), filter);
      }
    }
    assertTrue(filters > 12, "only " + filters);
  }

  @Test
  void testSort() throws Exception {
    JsonNode found = search("w1", "&sort=words%3Adesc");
    assertTrue(found.at("/identity/identical").booleanValue());
    assertEquals("649", found.at("/device/hits/0/keys/0").textValue());
    JsonNode wrong = open.get(400, "api/search?q=w1&sort=nothing");
    assertTrue(wrong.get("error").textValue().contains("nothing"), wrong::toString);
  }

  @Test
  void testCompletion() throws Exception {
    List<String> words = open.get(200, "api/complete?q=w19").findValuesAsText("text");
    assertTrue(words.contains("w190") && words.size() == 10, words::toString);
    assertEquals(List.of("words:"), open.get(200, "api/complete?q=wo").findValuesAsText("text"));
    JsonNode kinds = open.get(200, "api/complete?caret=6&q=" + encoded("+kind:)"));
    assertEquals(6, kinds.get("from").intValue());
    for (String text : kinds.findValuesAsText("text")) {
      assertTrue(search("kind:" + text, "").at("/host/count").intValue() >= 1000, text);
    }
    assertEquals(3, kinds.get("choices").size());
    assertEquals(0, open.get(200, "api/complete?q=").get("choices").size());
    assertEquals(0, open.get(200, "api/complete?q=words:1").get("choices").size());
  }

  /** What is modelled stands by itself; pages are counted by where they lie. */
  @Test
  void testModel() throws Exception {
    JsonNode found = open.get(200, "api/model?q=w0+%2Bw3&profile=pcie5-csd");
    open.get(400, "api/model?q=w0&profile=" + encoded("/etc/passwd.json"));
    open.get(400, "api/model?q=w0");
    if (!onDevice()) {
      assertTrue(found.has("unavailable"));
      return;
    }
    assertEquals(SEGMENTS, found.at("/cost/programs").intValue());
    assertEquals(0, found.get("lost").intValue());
    for (String side : List.of("device", "host")) {
      assertEquals("request", found.at("/" + side + "/lanes/0/name").textValue());
      long elapsed = found.at("/" + side + "/elapsed_ns").longValue();
      for (JsonNode lane : found.at("/" + side + "/lanes")) {
        for (JsonNode bar : lane.get("bars")) {
          assertTrue(bar.get("from_ns").longValue() <= bar.get("to_ns").longValue());
          assertTrue(bar.get("to_ns").longValue() <= elapsed + SEGMENTS, lane::toString);
        }
      }
    }
    assertEquals(2 * SEGMENTS, found.get("strips").size());
    long loads = found.at("/cost/device/page_loads").longValue();
    int read = 0;
    for (JsonNode strip : found.get("strips")) {
      int sum = 0;
      int used = 0;
      for (int i = 0; i < strip.get("read_cells").size(); i++) {
        sum += strip.get("read_cells").get(i).intValue();
        used += strip.get("used_cells").get(i).intValue();
      }
      assertEquals(sum, strip.get("read").intValue());
      assertEquals(used, strip.get("used").intValue());
      assertTrue(used >= 1 && used <= sum && sum <= strip.get("pages").intValue(), strip::toString);
      read += sum;
    }
    assertTrue(read >= loads, read + " pages of lists, " + loads + " loads");
  }

  /** A long list, in two runs of pages. */
  @Test
  void testCellsOfALongList() {
    PageStrip strip =
        PageStrip.of(
                new PlanExplanation(
                    "q",
                    "q",
                    true,
                    null,
                    List.of(
                        new PlanExplanation.Leaf(
                            0,
                            0,
                            1000,
                            Place.DEVICE,
                            "sim",
                            null,
                            10,
                            400 * 4096L,
                            new PlanExplanation.Node(
                                "TERM",
                                "MUST",
                                0,
                                1f,
                                new PlanExplanation.TermList(
                                    "body:w",
                                    9,
                                    400,
                                    400 * 4096L,
                                    false,
                                    List.of(
                                        new PlanExplanation.PageRun(100, 399),
                                        new PlanExplanation.PageRun(7, 1))),
                                null,
                                List.of()),
                            null))),
                new PageStrip.Pages(Set.of(7L, 100L, 8L), Set.of(101L, 102L, 499L)))
            .getFirst();
    assertEquals(4, strip.read());
    assertEquals(3, strip.pagesPerCell());
    assertEquals(2, strip.used());
    assertEquals(134, strip.readCells().length);
    assertEquals(3, strip.readCells()[0]);
    assertEquals(1, strip.usedCells()[0]);
    assertEquals(1, strip.usedCells()[133]);
  }

  @Test
  void testWrongQueries() throws Exception {
    for (String query : List.of("a AND (", "\"open", "words:many", "made:[x TO y]", "*:* AND")) {
      JsonNode problem = open.get(400, "api/search?q=" + encoded(query));
      assertTrue(problem.get("error").textValue().contains("query '"), problem::toString);
      open.get(400, "api/search?q=w1&filter=" + encoded(query));
      open.get(400, "api/facets?q=" + encoded(query));
    }
    open.get(400, "api/search?q=" + "a".repeat(2001));
    open.get(400, "api/search?q=w1" + "&filter=w2".repeat(17));
    open.get(400, "api/search?q=w1&size=ten");
    open.get(400, "api/search?q=w1&size=101");
    open.get(404, "api/nothing");
    open.get(404, "explore.html/../explore.css");
    JsonNode odd = search("nofield:x", "");
    assertTrue(odd.at("/notes/0").textValue().startsWith("the index has no field"), odd::toString);
  }

  @Test
  void testManyWordsAndNesting() throws Exception {
    JsonNode deep =
        open.get(400, "api/search?q=" + encoded("(".repeat(1000) + "w1" + ")".repeat(998)));
    assertTrue(deep.has("error"));
    StringBuilder words = new StringBuilder();
    while (words.length() < 1900) {
      words.append("w").append(words.length() % 200).append(' ');
    }
    assertTrue(search(words.toString(), "").at("/identity/identical").booleanValue());
  }

  @Test
  void testPageIsServedWithoutInlineScript() throws Exception {
    HttpResponse<String> page = open.response("");
    assertTrue(page.body().startsWith("<!doctype html>"), page.body());
    assertFalse(
        Pattern.compile("<script(?![^>]* src=)|<style|\\s(on[a-z]+|style)=")
            .matcher(page.body())
            .find());
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertTrue(policy.contains("default-src 'none'; script-src 'self';"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    assertEquals("nosniff", page.headers().firstValue("X-Content-Type-Options").orElseThrow());
    assertTrue(page.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
    Matcher part = Pattern.compile("(?:href|src)=\"([a-z][a-z.-]*)\"").matcher(page.body());
    List<String> parts = new ArrayList<>();
    while (part.find()) {
      parts.add(part.group(1));
    }
    Matcher module =
        Pattern.compile("from '\\./([a-z.]+)'").matcher(open.response("explore.js").body());
    while (module.find()) {
      parts.add(module.group(1));
    }
    assertTrue(parts.size() >= 9, parts::toString);
    for (String name : parts) {
      assertEquals(200, open.response(name).statusCode(), name);
    }
    assertTrue(open.response("chart-license.txt").body().contains("MIT"));
  }

  @Test
  void testNamesAreNoMarkup() throws Exception {
    HttpResponse<String> response = open.response("api/search?q=markup");
    assertEquals("application/json", response.headers().firstValue("Content-Type").orElseThrow());
    JsonNode hit = new ObjectMapper().readTree(response.body()).at("/device/hits/0");
    assertEquals(ExploreTestIndex.MARKUP, hit.get("title").textValue());
  }

  /** A page of another site whose name leads to this machine, or one that just asks. */
  @Test
  void testOthersAreRefused() throws Exception {
    String host = URI.create(open.server.url()).getAuthority();
    String port = host.substring(host.indexOf(':'));
    assertTrue(raw("GET / HTTP/1.1\r\nHost: " + host).startsWith("HTTP/1.1 200"));
    assertTrue(raw("GET / HTTP/1.1\r\nHost: localhost" + port).startsWith("HTTP/1.1 200"));
    for (String other :
        List.of("evil.example" + port, "127.0.0.1", "127.0.0.1.evil.example" + port)) {
      String answer = raw("GET /api/index HTTP/1.1\r\nHost: " + other);
      assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
      assertFalse(answer.contains("documents"), answer);
    }
    String two = raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nHost: evil.example");
    assertFalse(two.startsWith("HTTP/1.1 200"), two);
    String cross = raw("GET /api/index HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nHost: " + host);
    assertTrue(cross.startsWith("HTTP/1.1 403"), cross);
    assertFalse(cross.contains("Access-Control"), cross);
    String longUrl = raw("GET /?" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: " + host);
    assertTrue(longUrl.startsWith("HTTP/1.1 414"), longUrl);
    String broken = raw("GET /api/search?q=%zz HTTP/1.1\r\nHost: " + host);
    assertTrue(broken.startsWith("HTTP/1.1 400"), broken);
    String body = raw("GET / HTTP/1.1\r\nContent-Length: 5\r\nHost: " + host + "\r\n\r\nhello");
    assertTrue(body.startsWith("HTTP/1.1 413"), body);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(open.server.url() + "api/index"))
            .POST(BodyPublishers.noBody())
            .build();
    assertEquals(405, CLIENT.send(post, BodyHandlers.ofString()).statusCode());
    assertTrue(InetAddress.getByName(URI.create(open.server.url()).getHost()).isLoopbackAddress());
  }

  private static String raw(String head) throws IOException {
    URI url = URI.create(open.server.url());
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket
          .getOutputStream()
          .write((head + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The device's counters are of all queries; each answer has those of its own query alone. */
  @Test
  void testManyBrowsers() throws Exception {
    try (ExecutorService browsers = Executors.newFixedThreadPool(8)) {
      List<Future<JsonNode>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String query = "w" + i % 5 + " w7";
        answers.add(browsers.submit(() -> search(query, "")));
      }
      for (Future<JsonNode> answer : answers) {
        JsonNode found = answer.get();
        assertTrue(found.at("/identity/identical").booleanValue());
        assertEquals(onDevice() ? SEGMENTS : 0, found.at("/device/work/plans_executed").intValue());
      }
    }
  }

  @Test
  void testIndexThatChangesAndGoes(@TempDir Path elsewhere) throws Exception {
    Path own = elsewhere.resolve("index");
    String line = "{\"id\":\"1\",\"title\":\"t\",\"body\":\"first\",\"kind\":\"k\"}";
    ExploreTestIndex.append(own, "host", List.of(line), false);
    try (OffloadDirectory directory = IndexOptions.open(own, "host", false);
        ExploreIndex shown = new ExploreIndex(directory, own, "host", false);
        ExploreServer server = ExploreServer.start(shown, 0)) {
      Open other = new Open(directory, shown, server);
      assertEquals(1, other.get(200, "api/search?q=first").at("/host/count").intValue());
      ExploreTestIndex.append(own, "host", List.of(line), true);
      assertEquals(2, other.get(200, "api/search?q=first").at("/host/count").intValue());
      try (Stream<Path> files = Files.list(own)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      JsonNode gone = other.get(503, "api/search?q=first");
      assertTrue(gone.get("error").textValue().contains("has gone"), gone::toString);
      Files.delete(own);
      other.get(503, "api/index");
      assertFalse(Files.exists(own));
    }
  }

  @Test
  void testCommandEndsBySignal() throws Exception {
    try (ToolProcess tool =
        ToolProcess.start(folder, "explore", "--index", index, "--device", "host")) {
      tool.awaitRunning(() -> isServing(tool));
      URI url = URI.create(tool.out().strip());
      HttpResponse<String> page =
          CLIENT.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
      assertEquals(200, page.statusCode());
      CliRun.of("explore", "--index", index, "--device", "host", "--port", url.getPort())
          .fails(1, "--port " + url.getPort());
      tool.interrupt();
      int code = tool.await();
      assertTrue(code == 130 || code == 143, "exit code " + code);
      assertFalse(tool.err().contains("\tat "), tool.err());
    }
  }

  private static boolean isServing(ToolProcess tool) {
    try {
      return tool.out().endsWith("/\n");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void testWrongUsage() {
    CliRun.of("explore", "--index", index, "--port", "70000").fails(2, "--port");
    CliRun.of("explore", "--index", folder.resolve("none")).fails(1, "no such index");
  }
}
