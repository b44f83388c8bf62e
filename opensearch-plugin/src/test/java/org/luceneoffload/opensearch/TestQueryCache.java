/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;
import org.opensearch.common.settings.Settings;

/**
 * Requests that are asked again and again, until OpenSearch's query cache has their queries: where
 * it counts in slices, its responses show that.
 */
class TestQueryCache {
  private static final List<String> INDEXES = List.of("cache-stock", "cache-offload");
  private static final int REQUESTS =
      Integer.getInteger("tests.requests", Boolean.getBoolean("tests.long") ? 3_000 : 40);

  private static final List<String> QUERIES =
      List.of(
          "{\"match\":{\"body\":\"w1 w5\"}}",
          "{\"match\":{\"body\":{\"query\":\"w0 w2\",\"operator\":\"and\"}}}",
          "{\"match\":{\"body\":\"w3\"}}",
          "{\"match_phrase\":{\"body\":\"w0 w1\"}}",
          "{\"bool\":{\"must\":{\"match\":{\"body\":\"w0 w4\"}},"
              + "\"filter\":{\"range\":{\"qty\":{\"gte\":0,\"lt\":60}}}}}",
          "{\"bool\":{\"should\":{\"match\":{\"body\":\"w7\"}},"
              + "\"filter\":{\"terms\":{\"tag\":[\"t0\",\"t1\",\"t2\"]}}}}",
          "{\"bool\":{\"must\":{\"match\":{\"body\":\"w1\"}},"
              + "\"must_not\":{\"terms\":{\"tag\":[\"t0\",\"t3\"]}}}}",
          "{\"terms\":{\"tag\":[\"t0\",\"t1\"]}}",
          "{\"range\":{\"qty\":{\"gte\":10}}}",
          "{\"constant_score\":{\"filter\":{\"match\":{\"body\":\"w2 w6\"}}}}",
          "{\"multi_match\":{\"query\":\"w1 w2\",\"fields\":[\"title\",\"body\"]}}",
          "{\"prefix\":{\"body\":\"w1\"}}");

  /**
   * The aggregators of those from the third on make a weight of the query for each segment, to see
   * whether it matches all of it or how few: further uses of each clause of a Boolean.
   */
  private static final List<String> AGGREGATIONS =
      List.of(
          "\"terms\":{\"field\":\"tag\"}",
          "\"stats\":{\"field\":\"qty\"}",
          "\"date_histogram\":{\"field\":\"when\",\"calendar_interval\":\"month\"}",
          "\"range\":{\"field\":\"qty\",\"ranges\":[{\"to\":20},{\"from\":20,\"to\":70}]}",
          "\"cardinality\":{\"field\":\"status\"}");

  @TempDir Path folder;
  private final long seed = Long.getLong("tests.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int asked;
  private boolean byChance;

  @Test
  void sameResponses() throws IOException {
    System.out.println("tests.seed=" + seed);
    Settings all = Settings.builder().put("indices.queries.cache.all_segments", true).build();
    try (EmbeddedCluster cluster = new EmbeddedCluster(folder, 1, all, List.of())) {
      Rest rest = cluster.rest(0);
      RandomDocs.createIndex(rest, "cache-stock", 0, "");
      RandomDocs.createIndex(rest, "cache-offload", 0, ",\"codec\":\"offload\"");
      showsCache(rest);
      keepsOfSegmentsInTurn(rest);
      askAll(rest);
      JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
      long aggregated = stats.at("/shard_searches/aggregations").asLong();
      assertTrue(aggregated > REQUESTS / 8, "aggregated by the device: " + aggregated);
      for (String index : INDEXES) {
        rest.ok("DELETE", index + "/_doc/17", null);
        rest.ok("POST", index + "/_refresh", null);
        RandomDocs.add(rest, index, 8, 400, 600);
      }
      askAll(rest);
    }
  }

  /** The request that the others vary: its response changes once the cache has the matches. */
  private void showsCache(Rest rest) throws IOException {
    String body =
        "{\"query\":{\"match\":{\"body\":\"w0 w9\"}},\"size\":0,\"track_total_hits\":5,"
            + "\"aggs\":{\"a\":{\"terms\":{\"field\":\"tag\"}}}}";
    for (int i = 1; i <= 7; i++) {
      boolean uncached = i <= 4; // compound queries are cached at their fourth use
      for (String index : INDEXES) {
        String response =
            Responses.of(rest, "POST", "INDEX/_search?request_cache=false", index, body);
        assertEquals(uncached, response.contains("terminated_early"), index + " " + i + response);
      }
    }
  }

  /**
   * Cardinality makes a weight of the query for each segment. So the clause is first used often
   * enough in one of the later segments, and the cache keeps its matches in those only.
   */
  private void keepsOfSegmentsInTurn(Rest rest) throws IOException {
    setSlices(rest, "auto", 1);
    List<String> tags = List.of("t1", "t2", "t3", "t4");
    for (int uses = 1; uses <= tags.size(); uses++) {
      setUsesToCache(rest, 5, uses);
      String body =
          "{\"query\":{\"bool\":{\"should\":{\"match\":{\"body\":\"w7\"}},"
              + "\"filter\":{\"terms\":{\"tag\":[\"t0\",\""
              + tags.get(uses - 1)
              + "\"]}}}},\"size\":0,\"track_total_hits\":32,"
              + "\"aggs\":{\"a\":{\"cardinality\":{\"field\":\"status\"}}}}";
      for (int again = 0; again < 4; again++) {
        compare(rest, "INDEX/_search?request_cache=false", body);
      }
    }
  }

  private void askAll(Rest rest) throws IOException {
    for (int i = 0; i < REQUESTS; i++) {
      if (i % (REQUESTS / 5) == 0) {
        settings(rest, i / (REQUESTS / 5));
      }
      String body = body();
      String path = "INDEX/_search" + (random.nextInt(8) == 0 ? "" : "?request_cache=false");
      for (int again = random.nextInt(3); again >= 0; again--) {
        asked++;
        compare(rest, path, body);
      }
    }
  }

  /**
   * Asks both. Stock's threads may miss the cache while one of them writes to it, and come to it
   * one use earlier or later than each other: then it has the query a little later.
   */
  private void compare(Rest rest, String path, String body) throws IOException {
    String stock = Responses.of(rest, "POST", path, "cache-stock", body);
    String ours = Responses.of(rest, "POST", path, "cache-offload", body);
    String uncached = "INDEX/_search?request_cache=false";
    for (int more = 3; byChance && more > 0 && !stock.equals(ours); more--) {
      String early = "\"terminated_early\":true,";
      assertEquals(stock.replace(early, ""), ours.replace(early, ""), why(body));
      stock = Responses.of(rest, "POST", uncached, "cache-stock", body);
      ours = Responses.of(rest, "POST", uncached, "cache-offload", body);
    }
    assertEquals(stock, ours, why(body));
  }

  private Supplier<String> why(String body) {
    return () -> "request " + asked + ", tests.seed=" + seed + ": " + body;
  }

  /** How slices are cut, and how soon queries are cached. */
  private void settings(Rest rest, int turn) throws IOException {
    String mode = List.of("auto", "all", "none", "auto", "all").get(turn);
    int slices = mode.equals("none") ? 0 : random.nextInt(3);
    byChance = slices > 1; // 0: as Lucene cuts slices, which takes more segments to be several
    setSlices(rest, mode, slices);
    setUsesToCache(rest, 2 + random.nextInt(4), 1 + random.nextInt(3));
    rest.ok("POST", String.join(",", INDEXES) + "/_cache/clear", null);
  }

  private static void setSlices(Rest rest, String mode, int slices) throws IOException {
    rest.ok(
        "PUT",
        String.join(",", INDEXES) + "/_settings",
        "{\"index.search.concurrent_segment_search.mode\":\""
            + mode
            + "\",\"index.search.concurrent.max_slice_count\":"
            + slices
            + "}");
  }

  /** How often queries have to be used to be cached, and those that are costly to search for. */
  private static void setUsesToCache(Rest rest, int uses, int costly) throws IOException {
    rest.ok(
        "PUT",
        "_cluster/settings",
        "{\"transient\":{\"indices.queries.cache.min_frequency\":"
            + uses
            + ",\"indices.queries.cache.costly_min_frequency\":"
            + costly
            + "}}");
  }

  private String body() {
    StringBuilder body = new StringBuilder("{\"query\":");
    String query = QUERIES.get(random.nextInt(QUERIES.size()));
    body.append(query);
    boolean hits = random.nextInt(4) == 0;
    body.append(",\"size\":").append(hits ? 3 : 0);
    if (random.nextInt(3) == 0) {
      body.append(",\"sort\":[{\"qty\":\"desc\"},{\"when\":\"asc\"}]");
    }
    switch (random.nextInt(4)) {
      case 0 -> body.append(",\"track_total_hits\":true");
      case 1 -> {}
      default -> body.append(",\"track_total_hits\":").append(1 << random.nextInt(9));
    }
    if (random.nextInt(4) > 0) {
      body.append(",\"aggs\":{\"a\":{");
      body.append(AGGREGATIONS.get(random.nextInt(AGGREGATIONS.size()))).append("}}");
    }
    return body.append('}').toString();
  }
}
