/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.RandomRequest;
import org.luceneoffload.opensearch.requests.Responses;
import org.opensearch.common.settings.Settings;

/** A plugin that hides documents and a field: no image shows what the reader does not. */
class TestHiddenDocs {
  private static final int REQUESTS = QuickRun.times(8, 60);
  private static final List<String> INDEXES = List.of("hidden-stock", "hidden-offload");

  @TempDir Path folder;
  private final long seed = Long.getLong("tests.seed", System.nanoTime());

  @Test
  void whatIsHiddenStaysHidden() throws IOException {
    System.out.println("tests.seed=" + seed);
    try (EmbeddedCluster cluster =
        new EmbeddedCluster(folder, 1, Settings.EMPTY, List.of(HidingPlugin.class))) {
      Rest rest = cluster.rest(0);
      for (String index : INDEXES) {
        RandomDocs.createIndex(
            rest,
            index,
            0,
            index.equals("hidden-stock")
                ? ""
                : ",\"codec\":\"offload\",\"offload\":{\"placement\":\"always\"}");
        rest.ok("DELETE", index + "/_doc/17", null);
        RandomDocs.add(rest, index, 8, 400, 600);
      }
      // The list and the column are in the images, and their documents are in the index.
      JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
      assertTrue(stats.at("/indices/hidden-offload/images_written").asLong() > 0, "" + stats);
      same(rest, "{\"query\":{\"match_all\":{}},\"size\":0,\"track_total_hits\":true}");
      assertTrue(hits(rest, "{\"match_all\":{}}") < 599, "some are hidden");
      assertEquals(0, hits(rest, "{\"match\":{\"body\":\"w0\"}}"));
      assertTrue(hits(rest, "{\"match\":{\"body\":\"w1\"}}") > 0);
      assertEquals(0, hits(rest, "{\"exists\":{\"field\":\"tag\"}}"));
      same(rest, "{\"query\":{\"match\":{\"body\":\"w0 w1 w2\"}},\"size\":50}");
      same(rest, "{\"query\":{\"match_all\":{}},\"aggs\":{\"a\":{\"terms\":{\"field\":\"tag\"}}}}");
      same(rest, "{\"query\":{\"match\":{\"body\":\"w1\"}},\"sort\":[{\"tag\":\"asc\"}]}");
      RandomRequest requests = new RandomRequest(new Random(seed), false);
      for (int i = 0; i < REQUESTS; i++) {
        same(rest, requests.next());
      }
    }
  }

  private static int hits(Rest rest, String query) throws IOException {
    return rest.ok("POST", "hidden-offload/_count", "{\"query\":" + query + "}")
        .get("count")
        .asInt();
  }

  private void same(Rest rest, String body) throws IOException {
    assertEquals(
        Responses.of(rest, "POST", "INDEX/_search", INDEXES.get(0), body),
        Responses.of(rest, "POST", "INDEX/_search", INDEXES.get(1), body),
        "tests.seed=" + seed + " " + body);
  }
}
