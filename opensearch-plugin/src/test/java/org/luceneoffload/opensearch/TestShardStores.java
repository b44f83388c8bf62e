/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;
import org.luceneoffload.report.OffloadStats.Counter;

/** Shards and their images: opened, moved, copied, without a device. */
@ExtendWith(SharedCluster.class)
class TestShardStores {
  private static final long MAX_NANOS = Rest.PATIENCE_SECONDS * 1_000_000_000L;
  private static final String SEARCH =
      "{\"query\":{\"match\":{\"body\":\"w1 w3 w20\"}},\"track_total_hits\":true,\"_source\":false}";

  private final Rest rest = SharedCluster.rest(0);

  @AfterEach
  void deleteIndexes() throws IOException {
    rest.ok("DELETE", "st-*?ignore_unavailable=true", null);
  }

  private void create(String index, int replicas, String settings) throws IOException {
    RandomDocs.createIndex(rest, index, replicas, ",\"codec\":\"offload\"" + settings);
  }

  private String search(String index) throws IOException {
    return Responses.of(rest, "POST", "INDEX/_search?preference=_primary", index, SEARCH);
  }

  /**
   * Counter of all copies of an index. Those of the devices that are open in this process would not
   * do: one of an index before, or of a shard that moved away, may close at any moment.
   */
  private long counted(String index, Counter counter) throws IOException {
    JsonNode stats = rest.ok("GET", index + "/_offload/stats", null);
    String name = counter.name().toLowerCase(Locale.ROOT);
    return stats.at("/indices/" + index + "/" + name).asLong();
  }

  /** Searches; the device answers all segments. */
  private String searchOnDevice(String index) throws IOException {
    long before = counted(index, Counter.LEAVES_OFFLOADED);
    long missing = counted(index, Counter.IMAGES_MISSING);
    String answer = search(index);
    long leaves = counted(index, Counter.LEAVES_OFFLOADED) - before;
    assertTrue(leaves > 0, "nothing was offloaded: " + answer);
    assertEquals(missing, counted(index, Counter.IMAGES_MISSING), "images missing");
    return answer;
  }

  private String searchOnHost(String index) throws IOException {
    long before = counted(index, Counter.LEAVES_OFFLOADED);
    String answer = search(index);
    assertEquals(before, counted(index, Counter.LEAVES_OFFLOADED), "offloaded");
    return answer;
  }

  @Test
  void opensWithoutDevice() throws IOException {
    create("st-with", 0, "");
    create("st-host", 0, ",\"offload.device\":\"host\"");
    create("st-gone", 0, ",\"offload.device\":\"csd:127.0.0.1:1\"");
    String answer = searchOnDevice("st-with");
    assertEquals(answer, searchOnHost("st-host"));
    assertEquals(answer, searchOnHost("st-gone"));
  }

  @Test
  void strictWithoutDeviceIsAnError() throws Exception {
    Rest.Answer answer =
        rest.ask(
            "PUT",
            "st-strict?wait_for_active_shards=0",
            "{\"settings\":{\"codec\":\"offload\",\"number_of_replicas\":0,"
                + "\"offload.strict\":true,\"allocation.max_retries\":1,"
                + "\"offload.device\":\"csd:127.0.0.1:1\"}}");
    assertEquals(200, answer.status(), answer.text());
    String why = "";
    long end = System.nanoTime() + MAX_NANOS;
    while (!why.contains("127.0.0.1:1") && System.nanoTime() < end) {
      Thread.sleep(20);
      why =
          rest.ask(
                  "GET",
                  "_cluster/allocation/explain",
                  "{\"index\":\"st-strict\",\"shard\":0,\"primary\":true}")
              .text();
    }
    assertTrue(why.contains("127.0.0.1:1"), why);
  }

  @Test
  void placementChangesWhileOpen() throws IOException {
    create("st-place", 0, "");
    String answer = searchOnDevice("st-place");
    rest.ok("PUT", "st-place/_settings", "{\"index.offload.placement\":\"never\"}");
    assertEquals(answer, searchOnHost("st-place"));
    rest.ok("PUT", "st-place/_settings", "{\"index.offload.placement\":\"always\"}");
    assertEquals(answer, searchOnDevice("st-place"));
  }

  @Test
  void settingsAreChecked() throws IOException {
    assertRefused("\"offload.device\":\"floppy:a\"", "unknown device");
    assertRefused("\"offload.device\":\"sim:dram=much\"", "malformed value 'much'");
    assertRefused(
        "\"offload.placement\":\"there\"", "must be auto, always, dynamic, filter or never");
    assertRefused("\"offload.store_type\":\"offload\"", "must be a store type of OpenSearch's own");
    assertRefused("\"offload.strict\":\"perhaps\"", "perhaps");
  }

  private void assertRefused(String setting, String why) throws IOException {
    Rest.Answer answer = rest.ask("PUT", "st-bad", "{\"settings\":{" + setting + "}}");
    assertEquals(400, answer.status(), answer.text());
    assertTrue(answer.text().contains(why), answer.text());
  }

  @Test
  void fieldsAreChosenByPatterns() throws IOException {
    create("st-none", 0, ",\"offload.columns\":[\"q*\"],\"offload.positions\":[]");
    long before = counted("st-none", Counter.LEAVES_OFFLOADED);
    String sorted = "{\"query\":{\"match\":{\"body\":\"w1\"}},\"sort\":[{\"%s\":\"asc\"}]}";
    rest.ok("POST", "st-none/_search", String.format(Locale.ROOT, sorted, "qty"));
    assertTrue(counted("st-none", Counter.LEAVES_OFFLOADED) > before, "sort by a column");
  }

  @Test
  void imagesMoveWithTheirShard() throws IOException {
    create("st-move", 0, "");
    String answer = searchOnDevice("st-move");
    rest.ok("POST", "st-move/_flush", null);
    JsonNode shard = rest.ok("GET", "_cat/shards/st-move?format=json", null).get(0);
    String from = shard.get("node").asText();
    String to = from.equals("node-0") ? "node-1" : "node-0";
    rest.ok(
        "POST",
        "_cluster/reroute",
        "{\"commands\":[{\"move\":{\"index\":\"st-move\",\"shard\":0,\"from_node\":\""
            + from
            + "\",\"to_node\":\""
            + to
            + "\"}}]}");
    rest.awaitMoved("st-move");
    shard = rest.ok("GET", "_cat/shards/st-move?format=json", null).get(0);
    assertEquals(to, shard.get("node").asText());
    assertEquals(answer, searchOnDevice("st-move"));
  }

  @Test
  void replicaGetsImages() throws IOException {
    create("st-repl", 0, "");
    String answer = searchOnDevice("st-repl");
    rest.ok("PUT", "st-repl/_settings", "{\"index.number_of_replicas\":1}");
    rest.awaitGreen("st-repl");
    long before = counted("st-repl", Counter.LEAVES_OFFLOADED);
    String ofReplica =
        Responses.of(rest, "POST", "INDEX/_search?preference=_replica", "st-repl", SEARCH);
    assertTrue(counted("st-repl", Counter.LEAVES_OFFLOADED) > before, "the replica has no images");
    assertEquals(answer, ofReplica);
  }

  @Test
  void segmentReplicationBringsImages() throws IOException {
    create("st-segrep", 1, ",\"replication.type\":\"SEGMENT\"");
    String answer = searchOnDevice("st-segrep");
    String ofReplica = "";
    long deadline = System.nanoTime() + MAX_NANOS;
    while (!ofReplica.equals(answer) && System.nanoTime() < deadline) {
      ofReplica =
          Responses.of(rest, "POST", "INDEX/_search?preference=_replica", "st-segrep", SEARCH);
    }
    assertEquals(answer, ofReplica);
    long before = counted("st-segrep", Counter.LEAVES_OFFLOADED);
    Responses.of(rest, "POST", "INDEX/_search?preference=_replica", "st-segrep", SEARCH);
    assertTrue(
        counted("st-segrep", Counter.LEAVES_OFFLOADED) > before, "the replica has no images");
  }

  @Test
  void closesOpensAndMerges() throws IOException {
    create("st-close", 0, "");
    String answer = searchOnDevice("st-close");
    rest.ok("POST", "st-close/_flush", null);
    rest.ok("POST", "st-close/_close", null);
    rest.ok("POST", "st-close/_open?wait_for_active_shards=1", null);
    rest.awaitGreen("st-close");
    assertEquals(answer, searchOnDevice("st-close"));
    rest.ok("POST", "st-close/_forcemerge?max_num_segments=1", null);
    rest.ok("POST", "st-close/_refresh", null);
    assertEquals(answer, searchOnDevice("st-close"));
  }

  @Test
  void snapshotHoldsImages() throws IOException {
    create("st-snap", 0, "");
    String answer = searchOnDevice("st-snap");
    rest.ok("PUT", "_snapshot/st", "{\"type\":\"fs\",\"settings\":{\"location\":\"st\"}}");
    rest.ok(
        "PUT",
        "_snapshot/st/one?wait_for_completion=true",
        "{\"indices\":\"st-snap\",\"include_global_state\":false}");
    rest.ok("DELETE", "st-snap", null);
    rest.ok("POST", "_snapshot/st/one/_restore?wait_for_completion=true", null);
    rest.awaitGreen("st-snap");
    assertEquals(answer, searchOnDevice("st-snap"));
    rest.ok("DELETE", "_snapshot/st/one", null);
    rest.ok("DELETE", "_snapshot/st", null);
  }

  @Test
  void countersByNodeIndexAndShard() throws IOException {
    create("st-stats", 1, "");
    String answer = searchOnDevice("st-stats");
    JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
    assertTrue(stats.at("/indices/st-stats/leaves_offloaded").asLong() > 0, stats.toString());
    assertEquals(2, stats.get("nodes").size(), stats.toString());
    JsonNode one = rest.ok("GET", "st-stats/_offload/stats", null);
    assertEquals(1, one.get("indices").size(), one.toString());
    assertEquals(2, one.findValues("device").size(), one.toString());
    String cat = rest.ask("GET", "_cat/offload?v=true", null).text();
    assertTrue(cat.startsWith("index "), cat);
    assertEquals(2, cat.lines().filter(line -> line.startsWith("st-stats ")).count(), cat);
    assertTrue(answer.startsWith("200"), answer);
  }
}
