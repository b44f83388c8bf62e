/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.requests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;
import org.luceneoffload.opensearch.cluster.Rest;

/**
 * What of a response does not depend on the index's name, on time or on the copy that was asked.
 */
public final class Responses {
  private static final Set<String> INCIDENTAL =
      Set.of("took", "_node", "_shard", "_scroll_id", "pit_id", "profile", "node", "index_uuid");

  private Responses() {}

  /**
   * Asks one index and returns what has to be the same for another.
   *
   * @param path has {@code INDEX} where the index's name goes
   */
  public static String of(Rest rest, String method, String path, String index, String body)
      throws IOException {
    Rest.Answer answer = rest.ask(method, path.replace("INDEX", index), body);
    JsonNode json = Rest.JSON.readTree(answer.text().replace(index, "INDEX"));
    strip(json, body);
    return answer.status() + " " + json;
  }

  /** Where two responses begin to differ, with some of what is there. */
  public static String difference(String one, String other) {
    int at = 0;
    while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - 150);
    return "stock   ..."
        + one.substring(from, Math.min(one.length(), at + 200))
        + "\noffload ..."
        + other.substring(from, Math.min(other.length(), at + 200));
  }

  /**
   * Takes out what is incidental, and {@code terminated_early} of a request without hits: it tells
   * whether OpenSearch's query cache has the query, and the plugin does not promise that. Where
   * {@code terminate_after} asks for it, it stays.
   *
   * @param body of the request; null if it had none
   */
  public static void strip(JsonNode json, String body) throws IOException {
    JsonNode request = Rest.JSON.readTree(body == null ? "{}" : body);
    if (json instanceof ObjectNode response
        && request.path("size").asInt(-1) == 0
        && !request.has("terminate_after")) {
      response.remove("terminated_early");
    }
    strip(json);
  }

  private static void strip(JsonNode json) {
    if (json instanceof ObjectNode object) {
      object.remove(INCIDENTAL);
      object.forEach(Responses::strip);
    } else if (json instanceof ArrayNode array) {
      array.forEach(Responses::strip);
    }
  }
}
