/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luceneoffload.opensearch.cluster.NodeProcess;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.RandomRequest;
import org.luceneoffload.opensearch.requests.Responses;

/**
 * Three nodes in JVMs of their own, two shards, a replica each: same responses as from a stock
 * index beside it, while nodes are killed, come back, are restarted, and have no device.
 */
@Tag("packaged")
class TestThreeProcesses {
  private static final int NODES = 3;
  private static final int DOCS = 400;
  private static final boolean LONG = Boolean.getBoolean("tests.long");
  private static final int REQUESTS = Integer.getInteger("tests.requests", LONG ? 2_000 : 40);
  private static final List<String> INDEXES = List.of("pair-stock", "pair-offload");

  private final long seed = Long.getLong("tests.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final RandomRequest requests = new RandomRequest(random, false);
  private Path folder;
  private List<NodeProcess> nodes = List.of();
  private Rest rest;
  private int docs;

  @BeforeEach
  void start() throws IOException {
    String why = NodeProcess.whyNot(NODES);
    if (why != null) {
      System.out.println("skipped: nodes in processes of their own: " + why);
    }
    Assumptions.assumeTrue(why == null, why);
    System.out.println("tests.seed=" + seed);
    folder = Files.createTempDirectory("offload-nodes");
    NodeProcess.distribution(folder.resolve("node"));
    nodes = NodeProcess.of(folder, NODES);
    for (NodeProcess node : nodes) {
      node.start();
    }
    for (NodeProcess node : nodes) {
      Rest of = node.await();
      rest = rest == null ? of : rest;
    }
    rest.awaitNodes(NODES);
    for (String index : INDEXES) {
      String codec = index.equals("pair-stock") ? "default" : "offload";
      rest.ok(
          "PUT",
          index,
          "{\"settings\":{\"codec\":\""
              + codec
              + "\",\"number_of_shards\":2,\"number_of_replicas\":1,\"refresh_interval\":\"-1\"},"
              + "\"mappings\":"
              + RandomDocs.mapping(false)
              + "}");
      rest.awaitGreen(index);
    }
    addDocs();
    addDocs();
  }

  @AfterEach
  void end() throws IOException {
    NodeProcess.close(nodes);
    if (folder != null) {
      IOUtils.rm(folder);
    }
  }

  private void addDocs() throws IOException {
    String bulk = RandomDocs.bulk(random, docs, docs + DOCS, false);
    docs += DOCS;
    for (String index : INDEXES) {
      assertFalse(rest.ok("POST", index + "/_bulk", bulk).get("errors").asBoolean());
      rest.ok("POST", index + "/_refresh", null);
    }
  }

  private void awaitGreen() throws IOException {
    for (String index : INDEXES) {
      rest.awaitGreen(index);
    }
  }

  private void compare(Rest of, int count, String more) throws IOException {
    for (int i = 0; i < count; i++) {
      // Disjuncts are in the order of hashes that differ from one JVM to the next: explanations
      // show it, also those of two nodes of stock.
      String body = requests.next().replace(",\"explain\":true", "");
      String path = "INDEX/_search" + more;
      String stock = Responses.of(of, "POST", path, INDEXES.get(0), body);
      String ours = Responses.of(of, "POST", path, INDEXES.get(1), body);
      if (!stock.equals(ours)) {
        throw new AssertionError(
            "tests.seed=" + seed + " " + body + "\n" + Responses.difference(stock, ours));
      }
    }
  }

  @Test
  void sameResponsesWhileNodesComeAndGo() throws Exception {
    compare(rest, REQUESTS, "");
    assertTrue(
        rest.ok("GET", "_plugins/_offload/stats", null).at("/shard_searches/hits").asLong() > 0,
        "the device answered nothing");
    requests.untie(); // copies are made again from now on
    for (int round = 0; round < (LONG ? 5 : 1); round++) {
      killUnderLoad(nodes.get(2));
      addDocs();
      nodes.get(2).start("plugins.offload.device=csd:127.0.0.1:1"); // where nobody listens
      returned(nodes.get(2));
    }
    if (LONG) {
      rollingRestart();
      hangingDevice();
    }
  }

  /** Searches go on while a node dies; what they find is right, or they say that they failed. */
  private void killUnderLoad(NodeProcess node) throws Exception {
    AtomicReference<Throwable> trouble = new AtomicReference<>();
    AtomicInteger right = new AtomicInteger();
    String body =
        "{\"query\":{\"match\":{\"body\":\"w1 w3 w9\"}},\"track_total_hits\":true,"
            + "\"sort\":[\"_score\",{\"number\":\"asc\"}]}";
    String expected = Responses.of(rest, "POST", "INDEX/_search", INDEXES.get(0), body);
    Thread load =
        new Thread(
            () -> {
              try {
                while (!Thread.currentThread().isInterrupted()) {
                  String ours = Responses.of(rest, "POST", "INDEX/_search", INDEXES.get(1), body);
                  if (ours.equals(expected)) {
                    right.incrementAndGet();
                  } else if (!ours.contains("\"failures\"") && ours.startsWith("200")) {
                    throw new AssertionError(Responses.difference(expected, ours));
                  }
                }
              } catch (java.io.InterruptedIOException e) {
                return;
              } catch (Throwable t) {
                trouble.set(t);
              }
            });
    load.start();
    awaitRight(load, right);
    node.kill();
    rest.awaitNodes(NODES - 1);
    compare(rest, REQUESTS / 2, "");
    awaitRight(load, right);
    load.interrupt();
    load.join();
    if (trouble.get() != null) {
      throw new AssertionError("under load, tests.seed=" + seed, trouble.get());
    }
  }

  /** Waits for one more right answer, if the load goes on. */
  private static void awaitRight(Thread load, AtomicInteger right) throws InterruptedException {
    int before = right.get();
    long end = System.nanoTime() + Rest.PATIENCE_SECONDS * 1_000_000_000L;
    while (right.get() == before && load.isAlive()) {
      assertTrue(System.nanoTime() < end, "no right answer under load");
      Thread.sleep(10);
    }
  }

  /** A node that is back, with its device or without, serves what it holds as stock does. */
  private void returned(NodeProcess node) throws IOException {
    Rest back = node.await();
    rest.awaitNodes(NODES);
    awaitGreen();
    compare(back, REQUESTS, "?preference=_prefer_nodes:" + id(back));
    assertEquals(
        docs, back.ok("GET", INDEXES.get(1) + "/_count", null).get("count").asInt(), node.tail());
  }

  private static String id(Rest of) throws IOException {
    return of.ok("GET", "_nodes/_local/process", null).get("nodes").fieldNames().next();
  }

  private void rollingRestart() throws IOException {
    for (NodeProcess node : nodes) {
      node.close();
      node.start();
      returned(node);
    }
  }

  /** Somebody listens, and never says a word. */
  private void hangingDevice() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      nodes.get(1).close();
      nodes.get(1).start("plugins.offload.device=csd:127.0.0.1:" + silent.getLocalPort());
      returned(nodes.get(1));
    }
  }
}
