/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.Responses;

/**
 * A search that a user sends, or a scroll over several pages.
 *
 * @param body of the search
 * @param pages 1: a search; more: a scroll over this many
 */
record LoadRequest(String body, int pages) {
  private static final String JSON_SCROLL = "{\"scroll\":\"1m\",\"scroll_id\":";

  /**
   * Sends it to an index; the future ends with the last page, and with an error unless it is 200.
   */
  CompletableFuture<Rest.Answer> send(Rest rest, String index) {
    String more = pages > 1 ? "&scroll=1m" : "";
    return rest.later("POST", index + "/_search?request_cache=false" + more, body)
        .thenCompose(first -> rest(rest, checked(first), 1));
  }

  private CompletableFuture<Rest.Answer> rest(Rest rest, Rest.Answer page, int read) {
    if (pages == 1) {
      return CompletableFuture.completedFuture(page);
    }
    String id = scroll(page);
    return read == pages
        ? rest.later("DELETE", "_search/scroll", "{\"scroll_id\":" + id + "}")
            .thenApply(gone -> page)
        : rest.later("POST", "_search/scroll", JSON_SCROLL + id + "}")
            .thenCompose(next -> rest(rest, checked(next), read + 1));
  }

  /** The id, quoted, cut out of a page: a client has no need to parse all hits for it. */
  private static String scroll(Rest.Answer page) {
    String name = "\"_scroll_id\":";
    int from = page.text().indexOf(name) + name.length();
    return page.text().substring(from, page.text().indexOf('"', from + 1) + 1);
  }

  private static Rest.Answer checked(Rest.Answer answer) {
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.status() + ": " + answer.text());
    }
    return answer;
  }

  /** What has to be the same for every index: its last page, less what is incidental. */
  String response(Rest rest, String index) throws IOException {
    JsonNode json = Rest.JSON.readTree(send(rest, index).join().text().replace(index, "INDEX"));
    Responses.strip(json, body);
    return json.toString();
  }
}
