/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks a node over HTTP, as any client does. */
public final class Rest {
  /** Reads and writes JSON. */
  public static final ObjectMapper JSON = new ObjectMapper();

  /** How long tests wait for what comes within seconds on a machine with nothing else to do. */
  public static final long PATIENCE_SECONDS = 300;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String base;

  /** A client of the node at HOST:PORT. */
  public Rest(String address) {
    base = "http://" + address + "/";
  }

  /** The node, HOST:PORT. */
  public String address() {
    return URI.create(base).getAuthority();
  }

  /** An answer. */
  public record Answer(int status, String text) {
    /** Its body as JSON. */
    public JsonNode json() throws IOException {
      return JSON.readTree(text);
    }
  }

  /** Asks; any status is an answer. */
  public Answer ask(String method, String path, String body) throws IOException {
    try {
      HttpResponse<String> response =
          CLIENT.send(request(method, path, body), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** Asks, and does not wait; any status is an answer. */
  public CompletableFuture<Answer> later(String method, String path, String body) {
    return CLIENT
        .sendAsync(request(method, path, body), HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> new Answer(response.statusCode(), response.body()));
  }

  private HttpRequest request(String method, String path, String body) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .method(
            method,
            body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(2 * PATIENCE_SECONDS))
        .build();
  }

  /** Waits until the node answers. */
  public void awaitNode(Duration most) throws IOException {
    awaitNode(most, () -> true);
  }

  /** Waits until the node answers, as long as it is alive. */
  void awaitNode(Duration most, BooleanSupplier alive) throws IOException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      IOException trouble = null;
      try {
        if (ask("GET", "_cluster/health?timeout=1s", null).status() == 200) {
          return;
        }
      } catch (IOException e) {
        trouble = e;
      }
      if (System.nanoTime() > end || !alive.getAsBoolean()) {
        throw new IOException(base + ": no node that answers", trouble);
      }
      LockSupport.parkNanos(200_000_000);
    }
  }

  /** Asks for something that has to succeed. */
  public JsonNode ok(String method, String path, String body) throws IOException {
    Answer answer = ask(method, path, body);
    if (answer.status() / 100 != 2) {
      throw new AssertionError(
          method + " /" + path + " " + body + ": " + answer.status() + " " + answer.text());
    }
    return answer.text().isEmpty() ? JSON.nullNode() : answer.json();
  }

  /** Waits until all copies of all shards of an index are there. */
  public void awaitGreen(String index) throws IOException {
    JsonNode health = health(index, "wait_for_status=green");
    if (health.get("timed_out").asBoolean()) {
      throw new AssertionError(
          "not green: " + health + ok("GET", "_cluster/allocation/explain", null));
    }
  }

  /** Waits until no shard of an index is on its way to another node. */
  public void awaitMoved(String index) throws IOException {
    JsonNode health = health(index, "wait_for_no_relocating_shards=true");
    if (health.get("timed_out").asBoolean()) {
      throw new AssertionError("still moving: " + health);
    }
  }

  /** Waits until the cluster has a manager, and so many nodes. */
  public void awaitNodes(int count) throws IOException {
    JsonNode health = health("", "wait_for_nodes=" + count);
    if (health.get("timed_out").asBoolean()) {
      throw new AssertionError("no cluster of " + count + " nodes: " + health);
    }
  }

  private JsonNode health(String index, String what) throws IOException {
    String most = PATIENCE_SECONDS + "s";
    String patience = "?timeout=" + most + "&cluster_manager_timeout=" + most + "&";
    Answer answer = ask("GET", "_cluster/health/" + index + patience + what, null);
    JsonNode health = answer.json();
    if (!health.has("timed_out")) {
      throw new AssertionError(what + ": " + answer);
    }
    return health;
  }
}
