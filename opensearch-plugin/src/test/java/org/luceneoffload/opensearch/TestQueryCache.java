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
import org.luceneoffload.QuickRun;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;
import org.opensearch.common.settings.Settings;

/** Requests that are asked again and again, until OpenSearch's query cache has their queries. */
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

  @Test
  void sameResponses() throws IOException {
    QuickRun.skipLong();
    System.out.println("tests.seed=" + seed);
    Settings all = Settings.builder().put("indices.queries.cache.all_segments", true).build();
    try (EmbeddedCluster cluster = new EmbeddedCluster(folder, 1, all, List.of())) {
      Rest rest = cluster.rest(0);
      RandomDocs.createIndex(rest, "cache-stock", 0, "");
      RandomDocs.createIndex(rest, "cache-offload", 0, ",\"codec\":\"offload\"");
      countsByTheCache(rest);
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

  /** The device counts until the cache is to have the query, and from then on the cache does. */
  private void countsByTheCache(Rest rest) throws IOException {
    String body =
        "{\"query\":{\"match\":{\"body\":\"w0 w9\"}},\"size\":0,\"track_total_hits\":true}";
    setUsesToCache(rest, 4, 4); // compound queries are cached one use earlier
    for (int use = 1; use <= 2; use++) {
      long before = offloaded(rest);
      compare(rest, "INDEX/_search?request_cache=false", body);
      assertTrue(offloaded(rest) > before, "use " + use + " is none of the device's");
    }
    compare(rest, "INDEX/_search?request_cache=false", body);
    long before = offloaded(rest);
    long hits = cacheHits(rest);
    for (int again = 0; again < 3; again++) {
      compare(rest, "INDEX/_search?request_cache=false", body);
    }
    assertEquals(before, offloaded(rest), "segments that the device has searched again");
    assertTrue(cacheHits(rest) >= hits + 3, "the cache has not been asked");
  }

  private static long offloaded(Rest rest) throws IOException {
    JsonNode stats = rest.ok("GET", "cache-offload/_offload/stats", null);
    return stats.at("/indices/cache-offload/leaves_offloaded").asLong();
  }

  private static long cacheHits(Rest rest) throws IOException {
    JsonNode stats = rest.ok("GET", "cache-offload/_stats/query_cache", null);
    return stats.at("/_all/total/query_cache/hit_count").asLong();
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

  private void compare(Rest rest, String path, String body) throws IOException {
    String stock = Responses.of(rest, "POST", path, "cache-stock", body);
    assertEquals(stock, Responses.of(rest, "POST", path, "cache-offload", body), why(body));
  }

  private Supplier<String> why(String body) {
    return () -> "request " + asked + ", tests.seed=" + seed + ": " + body;
  }

  /** How slices are cut, and how soon queries are cached. */
  private void settings(Rest rest, int turn) throws IOException {
    String mode = List.of("auto", "all", "none", "auto", "all").get(turn);
    int slices = mode.equals("none") ? 0 : random.nextInt(3); // 0: as Lucene cuts slices
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
