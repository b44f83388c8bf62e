/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.opensearch.common.settings.Settings;

/**
 * A cluster whose nodes keep segments and translogs in a repository: copies of a shard come from
 * there, with their images.
 */
class TestRemoteStore {
  private static final List<String> INDEXES = List.of("far-own", "far-all");
  private static final String NODE_1 = ",\"routing.allocation.require._name\":\"node-1\"";
  private static final String REPOSITORY = "node.attr.remote_store.repository.far.";

  @TempDir Path folder;
  private Rest rest;
  private ShardImages images;

  private Settings remote() {
    return Settings.builder()
        .put("node.attr.remote_store.segment.repository", "far")
        .put("node.attr.remote_store.translog.repository", "far")
        .put("node.attr.remote_store.state.repository", "far")
        .put(REPOSITORY + "type", "fs")
        .put(REPOSITORY + "settings.location", folder.resolve("repo").resolve("far").toString())
        .build();
  }

  @Test
  void imagesFollow() throws IOException {
    try (EmbeddedCluster cluster = new EmbeddedCluster(folder, 2, remote(), List.of())) {
      rest = cluster.rest(0);
      images = new ShardImages(rest);
      RandomDocs.createIndex(rest, "far-own", 0, NODE_1 + ",\"codec\":\"offload\"");
      RandomDocs.createIndex(rest, "far-all", 0, NODE_1 + ",\"store.type\":\"offload\"");
      String expected = images.answer("far-own", false, true);
      assertEquals(expected, images.answer("far-all", false, false));
      images.upkeep("far-all", "import", 1);
      assertEquals(expected, images.answer("far-all", false, true));
      JsonNode settings = rest.ok("GET", "far-own/_settings?flat_settings=true", null);
      String remote = "/far-own/settings/index.remote_store.enabled";
      assertEquals("true", settings.at(remote).asText(), settings.toString());

      // Replicas take what they lack from the repository.
      set("{\"index.number_of_replicas\":1,\"index.routing.allocation.require._name\":null}");
      for (String index : INDEXES) {
        rest.awaitGreen(index);
        assertEquals(expected, images.awaitOffloaded(index, true));
      }
      set("{\"index.number_of_replicas\":0}");
      if (Boolean.getBoolean("tests.long")) {
        move("node-0", expected);
        move("node-1", expected);
      }

      // The only node with the shards is gone for good.
      cluster.end(1);
      rest.awaitNodes(1);
      set("{\"index.routing.allocation.require._name\":null}");
      rest.ok("POST", "_remotestore/_restore", "{\"indices\":[\"far-*\"]}");
      for (String index : INDEXES) {
        rest.awaitGreen(index);
        assertEquals(expected, images.awaitOffloaded(index, false));
      }
    }
  }

  /** So does a shard that moves to where no copy is. */
  private void move(String node, String expected) throws IOException {
    set("{\"index.routing.allocation.require._name\":\"" + node + "\"}");
    for (String index : INDEXES) {
      rest.awaitMoved(index);
      assertEquals(expected, images.awaitOffloaded(index, false));
    }
  }

  private void set(String settings) throws IOException {
    rest.ok("PUT", String.join(",", INDEXES) + "/_settings", settings);
  }
}
