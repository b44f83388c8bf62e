/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.RandomRequest;
import org.luceneoffload.opensearch.requests.Responses;

/** Random requests to an index with the plugin, and to a stock one beside it: same responses. */
@ExtendWith(SharedCluster.class)
class TestRandomRequests {
  private static final int DOCS = 900;
  private static final int REQUESTS =
      Integer.getInteger("tests.requests", Boolean.getBoolean("tests.long") ? 20_000 : 80);

  private final long seed = Long.getLong("tests.seed", System.nanoTime());

  @Test
  void sameResponses() throws IOException {
    compare(false, "{\"codec\":\"offload\"}");
  }

  @Test
  void sameResponsesWithNestedDocs() throws IOException {
    compare(true, "{\"codec\":\"offload\",\"offload\":{\"placement\":\"always\"}}");
  }

  @Test
  void sameResponsesUnderTheIndexesOwnCodec() throws IOException {
    compare(false, "{\"codec\":\"best_compression\",\"offload\":{\"wrap_codec\":true}}");
  }

  private void compare(boolean nested, String settings) throws IOException {
    System.out.println("tests.seed=" + seed);
    Rest rest = SharedCluster.rest(0);
    String mapping = RandomDocs.mapping(nested);
    for (String index : List.of("pair-stock", "pair-offload")) {
      String own = index.equals("pair-stock") ? "{}" : settings;
      String shards = "\"number_of_shards\":2,\"number_of_replicas\":1,\"refresh_interval\":\"-1\"";
      String all = own.equals("{}") ? "{" + shards + "}" : "{" + shards + "," + own.substring(1);
      rest.ok("PUT", index, "{\"settings\":" + all + ",\"mappings\":" + mapping + "}");
    }
    try {
      for (String index : List.of("pair-stock", "pair-offload")) {
        rest.awaitGreen(index);
        fill(rest, index, nested);
        String alias = index + "/_alias/" + index + "-some";
        rest.ok("PUT", alias, "{\"filter\":{\"range\":{\"qty\":{\"lt\":50}}}}");
      }
      long before = offloaded(rest);
      ask(rest, nested);
      long more = offloaded(rest) - before;
      assertTrue(more > REQUESTS / 2, "segments answered by the device: " + more);
    } finally {
      rest.ok("DELETE", "pair-stock,pair-offload", null);
    }
  }

  /** The same documents in the same order, in segments of the same sizes. */
  private void fill(Rest rest, String index, boolean nested) throws IOException {
    Random random = new Random(seed);
    for (int from = 0; from < DOCS; from += DOCS / 3) {
      bulk(rest, index, RandomDocs.bulk(random, from, from + DOCS / 3, nested));
    }
    StringBuilder changes = new StringBuilder();
    for (int i = 0; i < DOCS / 20; i++) {
      int id = random.nextInt(DOCS);
      changes.append(
          random.nextBoolean()
              ? "{\"delete\":{\"_id\":\"" + id + "\"}}\n"
              : RandomDocs.bulk(random, id, id + 1, nested));
    }
    bulk(rest, index, changes.toString());
  }

  private static void bulk(Rest rest, String index, String lines) throws IOException {
    assertFalse(rest.ok("POST", index + "/_bulk?refresh=true", lines).get("errors").asBoolean());
  }

  /** Asks so many requests, and on until the device has aggregated for one. */
  private void ask(Rest rest, boolean nested) throws IOException {
    long aggregated = aggregated(rest);
    Random random = new Random(seed + 1);
    RandomRequest requests = new RandomRequest(random, nested);
    String[] modes = {"none", "auto", "all"};
    String[] types = {"", "?search_type=dfs_query_then_fetch"};
    int turn = REQUESTS / modes.length + 1;
    String mode = "";
    int failed = 0;
    for (int i = 0; i < REQUESTS || aggregated(rest) == aggregated; i++) {
      if (i % turn == 0) {
        mode = modes[i / turn % modes.length];
        rest.ok(
            "PUT",
            "pair-*/_settings",
            "{\"index.search.concurrent_segment_search.mode\":\""
                + mode
                + "\",\"index.search.concurrent.max_slice_count\":"
                + (mode.equals("all") ? 2 : 0)
                + "}");
      }
      String body = requests.next();
      String some = random.nextInt(5) == 0 ? "-some" : ""; // through an alias with a filter
      String path = "INDEX" + some + "/_search" + types[random.nextInt(6) == 0 ? 1 : 0];
      String stock = Responses.of(rest, "POST", path, "pair-stock", body);
      String ours = Responses.of(rest, "POST", path, "pair-offload", body);
      if (!stock.equals(ours)) {
        fail(
            mode
                + " tests.seed="
                + seed
                + " "
                + path
                + " "
                + body
                + "\n"
                + Responses.difference(stock, ours));
      }
      failed += i >= REQUESTS || stock.startsWith("200") ? 0 : 1;
    }
    // One of forty, about; by chance it may be one of ten.
    assertTrue(failed < REQUESTS / 4, "requests that stock refused: " + failed);
  }

  /** Searches of shards whose aggregations the device answered. */
  private static long aggregated(Rest rest) throws IOException {
    JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
    return stats.at("/shard_searches/aggregations").asLong();
  }

  private static long offloaded(Rest rest) throws IOException {
    JsonNode stats = rest.ok("GET", "pair-offload/_offload/stats", null);
    return stats.at("/indices/pair-offload/leaves_offloaded").asLong();
  }
}
