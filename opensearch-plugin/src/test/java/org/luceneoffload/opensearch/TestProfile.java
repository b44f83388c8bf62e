/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;

/** The profile says what of a search was offloaded, and why the rest was not. */
@ExtendWith(SharedCluster.class)
class TestProfile {
  private final Rest rest = SharedCluster.rest(0);

  @BeforeAll
  static void fill() throws IOException {
    Rest rest = SharedCluster.rest(0);
    rest.ok(
        "PUT",
        "prof",
        "{\"settings\":{\"codec\":\"offload\",\"number_of_shards\":1,\"number_of_replicas\":0,"
            + "\"refresh_interval\":\"-1\"},\"mappings\":"
            + RandomDocs.mapping(false)
            + "}");
    rest.awaitGreen("prof");
    rest.ok("POST", "prof/_bulk?refresh=true", RandomDocs.bulk(new Random(5), 0, 50, false));
  }

  @AfterAll
  static void delete() throws IOException {
    SharedCluster.rest(0).ok("DELETE", "prof", null);
  }

  private String note(String body) throws IOException {
    JsonNode answer = rest.ok("POST", "prof/_search", "{\"profile\":true," + body + "}");
    for (JsonNode entry : answer.at("/profile/shards/0/searches/0/query")) {
      if (entry.get("type").asText().equals("OffloadNote")) {
        return entry.get("description").asText();
      }
    }
    throw new AssertionError(answer.toString());
  }

  private static void assertSays(String what, String note) {
    assertTrue(note.contains(what), note);
  }

  @Test
  void saysWhatTheDeviceDoes() throws IOException {
    String match = "\"query\":{\"match\":{\"body\":\"w1 w3\"}}";
    for (String mode : List.of("none", "all", "auto")) {
      String settings = "{\"index.search.concurrent_segment_search.mode\":\"" + mode + "\"}";
      rest.ok("PUT", "prof/_settings", settings);
      String note = note(match);
      assertSays("device: the query in 1 segments; host: 0;", note);
      assertSays("OpenSearch collects because of profile", note);
      assertSays("because of min_score", note("\"min_score\":0.1," + match));
    }
  }

  @Test
  void saysWhyPartsRunOnTheHost() throws IOException {
    String note =
        note(
            "\"query\":{\"bool\":{\"must\":[{\"match\":{\"body\":\"w1\"}},{\"function_score\":"
                + "{\"query\":{\"term\":{\"tag\":\"t1\"}},\"field_value_factor\":"
                + "{\"field\":\"qty\",\"modifier\":\"square\"}}}]}}");
    assertSays("parts of the query", note);
    assertSays("FunctionScoreQuery", note);
  }

  @Test
  void saysWhyStockAnswers() throws IOException {
    assertSays("stock: OpenSearch may look for some", note("\"query\":{\"match_all\":{}}"));
    assertSays(
        "terminate_after", note("\"terminate_after\":3,\"query\":{\"match\":{\"body\":\"w1\"}}"));
    assertSays(
        "by statistics",
        note("\"size\":0,\"query\":{\"constant_score\":{\"filter\":{\"term\":{\"tag\":\"t1\"}}}}"));
    rest.ok("PUT", "prof/_settings", "{\"index.offload.placement\":\"never\"}");
    assertSays("placement is never", note("\"query\":{\"match\":{\"body\":\"w1 w3\"}}"));
    rest.ok("PUT", "prof/_settings", "{\"index.offload.placement\":\"auto\"}");
  }
}
