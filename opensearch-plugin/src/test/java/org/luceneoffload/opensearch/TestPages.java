/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    return searches("sorted_hits");
  }

  private long searches(String way) throws IOException {
    JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
    return stats.at("/shard_searches/" + way).asLong();
  }

  /** Reads all pages of both indexes; returns the hits. */
  private int pages(String sort, String total) throws IOException {
    int hits = 0;
    String after = "";
    while (true) {
      String body =
          String.format(
              Locale.ROOT,
              "{\"query\":%s,\"size\":%d,\"track_total_hits\":%s,\"sort\":%s%s}",
              MATCH,
              PAGE,
              total,
              sort,
              after);
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

  @Test
  void byDistance() throws IOException {
    String sort = "{\"_geo_distance\":{\"place\":{\"lat\":0.5,\"lon\":179.9}%s}}";
    String number = ",{\"number\":\"asc\"}]";
    for (String total : List.of("true", "false")) {
      assertTrue(pages("[" + sort.replace("%s", "") + number, total) > PAGE);
    }
    // What the host sorts by is not Lucene's class.
    for (String other : List.of(",\"order\":\"desc\"", ",\"unit\":\"km\"", ",\"mode\":\"max\"")) {
      String body = "{\"query\":" + MATCH + ",\"sort\":[" + sort.replace("%s", other) + "]}";
      long before = sorted();
      assertEquals(answer("page-stock", body), answer("page-offload", body), body);
      assertEquals(0, sorted() - before, body);
    }
  }

  private String answer(String index, String body) throws IOException {
    return Responses.of(rest, "POST", "INDEX/_search", index, body);
  }

  @Test
  void inAreas() throws IOException {
    String box =
        "{\"geo_bounding_box\":{\"place\":{\"top_left\":{\"lat\":1,\"lon\":%s},"
            + "\"bottom_right\":{\"lat\":-1.5,\"lon\":%s}}}}";
    String circle = "{\"geo_distance\":{\"distance\":\"150km\",\"place\":\"0.5,179.9\"}}";
    String polygon =
        "{\"geo_polygon\":{\"place\":{\"points\":"
            + "[\"-1,178.5\",\"1,178.9\",\"0.2,180\",\"-1.8,180\"]}}}";
    for (String area :
        List.of(
            String.format(Locale.ROOT, box, "178.5", "179.5"),
            String.format(Locale.ROOT, box, "179.5", "-178.5"),
            circle,
            polygon)) {
      String both = "{\"bool\":{\"must\":" + MATCH + ",\"filter\":" + area + "}}";
      for (String query : List.of(both, area)) {
        long leaves = leaves();
        long before = searches("hits");
        String body = "{\"size\":20,\"track_total_hits\":true,\"query\":" + query + "}";
        String stock = answer("page-stock", body);
        assertEquals(stock, answer("page-offload", body), body);
        assertEquals(1, searches("hits") - before, body);
        assertTrue(stock.contains("\"_id\""), stock);
        assertTrue(leaves() > leaves, body);
      }
      String count = "{\"size\":0,\"track_total_hits\":true,\"query\":" + both + "}";
      assertEquals(answer("page-stock", count), answer("page-offload", count), count);
    }
  }

  private long leaves() throws IOException {
    JsonNode stats = rest.ok("GET", "page-offload/_offload/stats", null);
    return stats.at("/indices/page-offload/leaves_offloaded").asLong();
  }

  /** What an index answers, as it is compared; the cursor of what comes next. */
  private record Step(String answer, int hits, String cursor) {}

  private Step step(String index, String path, String body, String cursor) throws IOException {
    JsonNode json = rest.ok("POST", path.replace("INDEX", index), body);
    String next = json.get(cursor).asText();
    int hits = json.at("/hits/hits").size();
    JsonNode bare = Rest.JSON.readTree(json.toString().replace(index, "INDEX"));
    Responses.strip(bare, body);
    return new Step(bare.toString(), hits, next);
  }

  @Test
  void scrolled() throws IOException {
    for (String more : List.of("", ",\"sort\":[\"_doc\"]", ",\"sort\":[{\"number\":\"asc\"}]")) {
      String body = "{\"query\":" + MATCH + ",\"size\":" + PAGE + more + "}";
      String first = "INDEX/_search?scroll=1m";
      Step stock = step("page-stock", first, body, "_scroll_id");
      Step ours = step("page-offload", first, body, "_scroll_id");
      int pages = 0;
      while (stock.hits() > 0) {
        pages++;
        assertEquals(stock.answer(), ours.answer(), body);
        String next = "{\"scroll\":\"1m\",\"scroll_id\":\"%s\"}";
        stock =
            step(
                "page-stock",
                "_search/scroll",
                String.format(Locale.ROOT, next, stock.cursor()),
                "_scroll_id");
        ours =
            step(
                "page-offload",
                "_search/scroll",
                String.format(Locale.ROOT, next, ours.cursor()),
                "_scroll_id");
      }
      assertEquals(0, ours.hits(), body);
      assertTrue(pages > 2, pages + " pages");
    }
    rest.ok("DELETE", "_search/scroll/_all", null);
  }

  @Test
  void atAPointInTime() throws IOException {
    List<String> indexes = List.of("page-stock", "page-offload");
    List<String> points = new ArrayList<>();
    for (String index : indexes) {
      String open = index + "/_search/point_in_time?keep_alive=1m";
      points.add(rest.ok("POST", open, null).get("pit_id").asText());
    }
    try {
      for (String index : indexes) {
        rest.ok("DELETE", index + "/_doc/3?refresh=true", null);
      }
      for (String more :
          List.of(
              "",
              ",\"track_total_hits\":true,\"size\":0",
              ",\"sort\":[{\"number\":\"asc\"}],\"search_after\":[40]",
              ",\"aggs\":{\"a\":{\"terms\":{\"field\":\"tag\"}}}")) {
        String[] answers = new String[2];
        for (int i = 0; i < 2; i++) {
          String body =
              "{\"query\":" + MATCH + ",\"pit\":{\"id\":\"" + points.get(i) + "\"}" + more + "}";
          answers[i] = step(indexes.get(i), "_search", body, "pit_id").answer();
        }
        assertEquals(answers[0], answers[1], more);
      }
    } finally {
      rest.ok("DELETE", "_search/point_in_time/_all", null);
    }
  }
}
