/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.Responses;

/** What the copies of shards answer, and whether they have images for it. */
record ShardImages(Rest rest) {
  /** Neither copies nor merges have to keep documents in order: no search tells it. */
  private static final List<String> SEARCHES =
      List.of(
          "{\"query\":{\"match\":{\"body\":\"w1 w3 w20\"}},\"track_total_hits\":true}",
          "{\"query\":{\"match\":{\"body\":\"w2 w5\"}},"
              + "\"sort\":[{\"qty\":\"desc\"},{\"number\":\"asc\"}]}",
          "{\"size\":0,\"track_total_hits\":true,\"query\":{\"match\":{\"body\":\"w1\"}},"
              + "\"aggs\":{\"a\":{\"terms\":{\"field\":\"tag\"}}}}");

  /** The answers of one copy, {@code _primary} or {@code _replica}. */
  String search(String index, String copy) throws IOException {
    StringBuilder answers = new StringBuilder();
    for (String search : SEARCHES) {
      String path = "INDEX/_search?request_cache=false&preference=" + copy;
      answers.append(Responses.of(rest, "POST", path, index, search)).append('\n');
    }
    return answers.toString();
  }

  /** Counter of the shard copies of an index, all or the primaries alone. */
  private long counted(String index, String counter, boolean replicas) throws IOException {
    long sum = 0;
    for (JsonNode node : rest.ok("GET", index + "/_offload/stats", null).get("nodes")) {
      for (JsonNode shard : node.get("shards")) {
        if (replicas != shard.get("primary").asBoolean()) {
          sum += shard.get("counters").get(counter).asLong();
        }
      }
    }
    return sum;
  }

  private long offloaded(String index, boolean replicas) throws IOException {
    return counted(index, "leaves_offloaded", replicas);
  }

  /** The answers of a copy, which is to have images for all of them, or for none. */
  String answer(String index, boolean replica, boolean onDevice) throws IOException {
    long before = offloaded(index, replica);
    String answer = search(index, replica ? "_replica" : "_primary");
    long leaves = offloaded(index, replica) - before;
    assertEquals(onDevice, leaves >= SEARCHES.size(), leaves + " leaves offloaded: " + answer);
    assertTrue(onDevice || leaves == 0, leaves + " leaves offloaded");
    return answer;
  }

  /** Copies of {@code index} must be offloaded soon: a shard that started imports by itself. */
  String awaitOffloaded(String index, boolean replica) throws IOException {
    long end = System.nanoTime() + Rest.PATIENCE_SECONDS * 1_000_000_000L;
    while (System.nanoTime() < end) {
      long before = offloaded(index, replica);
      String answer = search(index, replica ? "_replica" : "_primary");
      if (offloaded(index, replica) - before >= SEARCHES.size()) {
        return answer;
      }
      pause();
    }
    throw new AssertionError("no images: " + rest.ok("GET", index + "/_offload/stats", null));
  }

  /** Waits until a copy answers like this: one that gets its segments from another. */
  void await(String index, String copy, String answer) throws IOException {
    long end = System.nanoTime() + Rest.PATIENCE_SECONDS * 1_000_000_000L;
    while (!search(index, copy).equals(answer) && System.nanoTime() < end) {
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Imports, repairs or detaches, which has to succeed on so many copies. */
  JsonNode upkeep(String index, String operation, int copies) throws IOException {
    JsonNode done = rest.ok("POST", index + "/_offload/" + operation, null);
    assertEquals(copies, done.at("/_shards/total").asInt(), done.toString());
    assertEquals(copies, done.at("/_shards/successful").asInt(), done.toString());
    return done;
  }
}
