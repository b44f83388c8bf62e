/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;

/** The arithmetic of the load generator, and all of it once, with little to do. */
@ExtendWith(SharedCluster.class)
class TestLoad {
  private static final long MILLI = 1_000_000;

  @TempDir private Path folder;

  /** Time passes when somebody waits, or says so. */
  private static final class ToldTime implements Pacer {
    private long now = 17 * MILLI;

    @Override
    public long now() {
      return now;
    }

    @Override
    public void await(long time) {
      now = Math.max(now, time);
    }
  }

  @Test
  void latencyCountsFromThePlannedArrival() {
    ToldTime time = new ToldTime();
    List<Long> latencies = new ArrayList<>();
    OpenLoop.Outcome outcome =
        new OpenLoop(time, 100)
            .run(
                100,
                5,
                request -> {
                  time.now += request == 1 ? 25 * MILLI : MILLI; // the second keeps the sender
                  return CompletableFuture.completedFuture(null);
                },
                (request, nanos) -> latencies.add(nanos / MILLI));
    assertEquals(new OpenLoop.Outcome(5, 0, false), outcome);
    // Planned at 0, 10, 20, 30, 40; done at 1, 35, 36, 37, 41.
    assertEquals(List.of(1L, 25L, 16L, 7L, 1L), latencies);
  }

  @Test
  void failedRequestsHaveNoLatency() {
    List<Integer> answered = new ArrayList<>();
    OpenLoop.Outcome outcome =
        new OpenLoop(new ToldTime(), 100)
            .run(
                1000,
                4,
                request ->
                    request % 2 == 0
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new IOException()),
                (request, nanos) -> answered.add(request));
    assertEquals(new OpenLoop.Outcome(4, 2, false), outcome);
    assertEquals(List.of(0, 2), answered);
  }

  @Test
  void givesUpWhereTooManyWait() {
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    Thread sender = Thread.currentThread();
    Thread answers =
        new Thread(
            () -> {
              // Once the loop has given up, not before: it waits for these.
              while (sender.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              waiting.forEach(w -> w.complete(null));
            });
    OpenLoop.Outcome outcome =
        new OpenLoop(new ToldTime(), 3)
            .run(
                10,
                50,
                request -> {
                  CompletableFuture<Void> never = new CompletableFuture<>();
                  waiting.add(never);
                  if (waiting.size() == 3) {
                    answers.start();
                  }
                  return never;
                },
                (request, nanos) -> {});
    assertTrue(outcome.overrun());
    assertEquals(3, outcome.sent());
  }

  @Test
  void percentilesOfASide() {
    Side side = new Side();
    for (int i = 1; i <= 100; i++) {
      side.served(i * MILLI);
      side.answered(i * 2 * MILLI);
    }
    side.used(5_000);
    assertEquals(50, side.service(50), 0.1);
    assertEquals(99, side.service(99), 0.1);
    assertEquals(180, side.open(90), 0.3);
    assertEquals(50, side.cpu());
  }

  @Test
  void geometricMean() {
    assertEquals(2, Ratios.mean(List.of(1.0, 4.0, 2.0)), 1e-12);
    assertTrue(Double.isNaN(Ratios.mean(List.of())));
  }

  @Test
  void highestRateThatHolds() {
    for (double limit : new double[] {3, 37, 100, 1234}) {
      RateSearch search = new RateSearch(100);
      while (!search.isDone()) {
        search.tried(search.rate() <= limit);
      }
      assertTrue(
          search.best() <= limit && search.best() > limit * 0.9, limit + " " + search.best());
    }
  }

  @Test
  void cpuTimeOfThreads() {
    assertEquals(37450, NodeCpu.onCpu("37450 12444 1\n"));
    assertTrue(NodeCpu.counts("opensearch[node\n"));
    assertFalse(NodeCpu.counts("C2 CompilerThre\n"));
  }

  private void thread(int number, String name, long nanos) throws IOException {
    Path thread = Files.createDirectories(folder.resolve("task").resolve("" + number));
    Files.writeString(thread.resolve("comm"), name + "\n");
    Files.writeString(thread.resolve("schedstat"), nanos + " 5 6\n");
  }

  private void end(int number) throws IOException {
    IOUtils.rm(folder.resolve("task").resolve("" + number));
  }

  @Test
  void cpuTimeOfThreadsThatEnd() throws IOException {
    thread(1, "main", 3_000_000);
    thread(2, "search", 500_000);
    thread(3, "C2 CompilerThre", 9_000_000);
    NodeCpu cpu = new NodeCpu(folder.resolve("task"));
    assertEquals(3_500, cpu.micros());
    thread(1, "main", 3_100_000);
    end(2);
    end(3);
    assertEquals(3_600, cpu.micros());
    thread(2, "refresh", 700_000);
    assertEquals(4_300, cpu.micros());
    thread(2, "flush", 20_000); // another one again
    assertEquals(4_320, cpu.micros());
  }

  @Test
  void wholeRun() throws IOException {
    Rest rest = SharedCluster.rest(0);
    Path corpus = folder.resolve("corpus.jsonl");
    Random random = new Random(5);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      lines.append(
          String.format(
              Locale.ROOT,
              "{\"id\":\"%d\",\"title\":\"t%d\",\"body\":\"w%d w%d x\",\"kind\":\"k%d\",\"length\":%d,\"day\":\"2024-0%d-01\"}%n",
              i,
              i % 7,
              random.nextInt(9),
              random.nextInt(9),
              i % 3,
              random.nextInt(50),
              1 + i % 9));
    }
    Files.writeString(corpus, lines);
    Path queries = folder.resolve("queries.txt");
    Files.writeString(queries, "# words\n+w1 +w2\nw3 w4\n+w5 -w6\n");
    Path json = folder.resolve("numbers.json");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] args = {
      "--node",
      rest.address(),
      "--corpus",
      "" + corpus,
      "--queries",
      "" + queries,
      "--rounds",
      "1",
      "--warm-seconds",
      "0.01",
      "--turn-seconds",
      "0.01",
      "--open-seconds",
      "1",
      "--rate",
      "100",
      "--probes",
      "1",
      "--json",
      "" + json
    };
    // The probe of the node that is asked tells of its own searches alone.
    String node = rest.ok("GET", "", null).get("name").asText();
    rest.ok(
        "PUT",
        "_index_template/load",
        "{\"index_patterns\":[\"load-*\"],\"template\":{\"settings\":"
            + "{\"index.routing.allocation.require._name\":\""
            + node
            + "\"}}}");
    int code;
    try (PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      code = LoadMain.run(stream, args);
    } finally {
      rest.ok("DELETE", String.join(",", LoadIndexes.NAMES), null);
      rest.ok("DELETE", "_index_template/load", null);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, text);
    assertTrue(text.contains("requests compared: 0 differ"), text);
    assertTrue(text.contains("requests without an answer: 0"), text);
    var numbers = Rest.JSON.readTree(json.toFile());
    for (String kind :
        List.of("match_or", "bool_filters", "scroll", "search_after", "date_histogram_agg")) {
      var one = numbers.at("/kinds/" + kind + "/offload");
      assertTrue(one.get("service_ms_p50").asDouble() > 0, kind + one);
      assertTrue(one.get("open_ms_p99").asDouble() > 0, kind + one);
      double query = one.get("query_cpu_micros").asDouble();
      assertTrue(query > 0 && query < one.get("cpu_micros").asDouble(), kind + one);
    }
    assertEquals(400, numbers.get("docs").asInt());
    assertFalse(numbers.get("rate_offload").isMissingNode());
  }
}
