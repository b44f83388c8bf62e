/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;

/** Pages after a hit ({@code search_after}), which the device finds as a whole. */
@ExtendWith(SharedCluster.class)
class TestPages {
  private static final String MATCH = "{\"match\":{\"body\":\"w1 w5\"}}";
  private static final int PAGE = 30;

  private final Rest rest = SharedCluster.rest(0);

  @BeforeAll
  static void fill() throws IOException {
    RandomDocs.createIndex(SharedCluster.rest(0), "page-stock", 0, "");
    RandomDocs.createIndex(SharedCluster.rest(0), "page-offload", 0, ",\"codec\":\"offload\"");
  }

  @AfterAll
  static void delete() throws IOException {
    SharedCluster.rest(0).ok("DELETE", "page-stock,page-offload", null);
  }

  private long sorted() throws IOException {
    JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
    return stats.at("/shard_searches/sorted_hits").asLong();
  }

  /** Reads all pages of both indexes; returns the hits. */
  private int pages(String sort, String total) throws IOException {
    int hits = 0;
    String after = "";
    while (true) {
      String body =
          "{\"query\":%s,\"size\":%d,\"track_total_hits\":%s,\"sort\":%s%s}"
              .formatted(MATCH, PAGE, total, sort, after);
      long before = sorted();
      String stock = Responses.of(rest, "POST", "INDEX/_search", "page-stock", body);
      assertEquals(stock, Responses.of(rest, "POST", "INDEX/_search", "page-offload", body), body);
      boolean left = total.equals("false") && after.contains("[null");
      assertEquals(left ? 0 : 1, sorted() - before, body);
      if (left && !stock.startsWith("200")) {
        return hits; // without counts, OpenSearch 3.9.0 fails after a hit that has no keyword
      }
      JsonNode page = Rest.JSON.readTree(stock.substring(stock.indexOf('{'))).at("/hits/hits");
      hits += page.size();
      if (page.isEmpty()) {
        return hits;
      }
      after = ",\"search_after\":" + page.get(page.size() - 1).get("sort");
    }
  }

  @Test
  void untilTheLast() throws IOException {
    int matches =
        rest.ok("POST", "page-stock/_count", "{\"query\":" + MATCH + "}").get("count").asInt();
    for (String total : List.of("true", "false", "50")) {
      String number = "{\"number\":\"asc\"}]";
      assertEquals(matches, pages("[{\"number\":\"desc\"}]", total));
      assertEquals(matches, pages("[{\"when\":\"asc\"}," + number, total));
      int tagged = pages("[{\"tag\":\"desc\"}," + number, total);
      assertTrue(total.equals("false") ? tagged > PAGE : tagged == matches, tagged + " hits");
      assertEquals(matches, pages("[\"_score\"," + number, total));
    }
    // Hits with the very keys of the last one are passed over.
    pages("[{\"when\":\"desc\"}]", "true");
  }
}
