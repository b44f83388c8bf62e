/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.QuickRun;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;

/** Images of indexes that were made of others: restored, cloned, split, shrunk. */
@ExtendWith(SharedCluster.class)
class TestUpkeepOfCopies {
  private static final List<String> HOW = QuickRun.drawn(1, List.of("clone", "split", "shrink"));

  private final Rest rest = SharedCluster.rest(0);
  private final ShardImages images = new ShardImages(rest);

  @AfterEach
  void deleteIndexes() throws IOException {
    rest.ok("DELETE", "co-*?ignore_unavailable=true", null);
  }

  /** Makes an index, all of it on one node, with some documents deleted. */
  private void create(String index, int shards, String settings) throws IOException {
    rest.ok(
        "PUT",
        index,
        "{\"settings\":{\"number_of_shards\":"
            + shards
            + ",\"number_of_replicas\":0,\"refresh_interval\":\"-1\","
            + "\"routing.allocation.require._name\":\"node-0\""
            + settings
            + "},\"mappings\":"
            + RandomDocs.mapping(false)
            + "}");
    rest.awaitGreen(index);
    rest.ok("POST", index + "/_bulk", RandomDocs.bulk(new Random(3), 0, 300, false));
    for (int id = 0; id < 300; id += 40) {
      rest.ok("DELETE", index + "/_doc/" + id, null);
    }
    rest.ok("POST", index + "/_refresh", null);
  }

  /** Makes one of another, which nobody may write to, and waits for its shards. */
  private void make(String how, String from, String to, int shards) throws IOException {
    rest.ok("PUT", from + "/_settings", "{\"index.blocks.write\":true}");
    String settings = "{\"settings\":{\"index.number_of_shards\":" + shards;
    String more = ",\"index.number_of_replicas\":0,\"index.blocks.write\":null}}";
    rest.ok("POST", from + "/_" + how + "/" + to, settings + more);
    rest.awaitGreen(to);
  }

  /** Imports, repairs, detaches, and imports again; the answers stay the same. */
  private void keepUp(String index, int shards, String expected) throws IOException {
    images.upkeep(index, "import", shards);
    assertEquals(expected, images.answer(index, false, true));
    for (JsonNode shard :
        images.upkeep(index, "repair", shards).at("/indices/" + index + "/shards")) {
      assertEquals(0, shard.get("changed").asInt(), "nothing was lost: " + shard);
    }
    images.upkeep(index, "detach", shards);
    assertEquals(expected, images.answer(index, false, false));
    images.upkeep(index, "import", shards);
    assertEquals(expected, images.answer(index, false, true));
  }

  private void resize(String how, int from, int to) throws IOException {
    assumeTrue(HOW.contains(how), "another way was drawn; mvn verify -Pfull takes all");
    create("co-stock", from, "");
    create("co-own", from, ",\"codec\":\"offload\"");
    create("co-all", from, ",\"store.type\":\"offload\"");
    images.upkeep("co-all", "import", from);
    for (String index : new String[] {"co-stock", "co-own", "co-all"}) {
      make(how, index, index + "-made", to);
    }
    String expected = images.search("co-stock-made", "_primary");
    // It makes by itself what its segments were written with, or what its settings ask for: they
    // are
    // those of the index that it is made of.
    assertEquals(expected, images.awaitOffloaded("co-own-made", false));
    assertEquals(expected, images.awaitOffloaded("co-all-made", false));
    // Files are linked: an index that goes takes nothing of the other along.
    rest.ok("DELETE", "co-own,co-all", null);
    keepUp("co-own-made", to, expected);
    keepUp("co-all-made", to, expected);
    RandomDocs.add(rest, "co-own-made", 9, 400, 600);
    rest.ok("POST", "co-own-made/_forcemerge?max_num_segments=1", null);
    rest.ok("POST", "co-own-made/_refresh", null);
    images.upkeep("co-own-made", "detach", to);
    String merged = images.answer("co-own-made", false, false);
    keepUp("co-own-made", to, merged);
  }

  @Test
  void cloned() throws IOException {
    resize("clone", 1, 1);
  }

  @Test
  void split() throws IOException {
    resize("split", 1, 2);
  }

  @Test
  void shrunk() throws IOException {
    resize("shrink", 2, 1);
  }

  @Test
  void restored() throws IOException {
    create("co-own", 1, ",\"codec\":\"offload\"");
    create("co-all", 1, ",\"store.type\":\"offload\"");
    images.upkeep("co-all", "import", 1);
    String expected = images.answer("co-own", false, true);
    rest.ok("PUT", "_snapshot/co", "{\"type\":\"fs\",\"settings\":{\"location\":\"co\"}}");
    try {
      rest.ok(
          "PUT",
          "_snapshot/co/one?wait_for_completion=true",
          "{\"indices\":\"co-*\",\"include_global_state\":false}");
      rest.ok(
          "POST",
          "_snapshot/co/one/_restore?wait_for_completion=true",
          "{\"rename_pattern\":\"(.+)\",\"rename_replacement\":\"$1-back\"}");
      rest.ok("DELETE", "co-own,co-all", null);
      for (String index : new String[] {"co-own-back", "co-all-back"}) {
        rest.awaitGreen(index);
        assertEquals(expected, images.awaitOffloaded(index, false));
        JsonNode done = images.upkeep(index, "repair", 1);
        assertEquals(0, done.at("/indices/" + index + "/shards/0/changed").asInt(), "" + done);
        assertTrue(done.at("/indices/" + index + "/shards/0/segments").asInt() > 0, "" + done);
        keepUp(index, 1, expected);
      }
    } finally {
      rest.ok("DELETE", "_snapshot/co/one", null);
      rest.ok("DELETE", "_snapshot/co", null);
    }
  }
}
