/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;

/** Images of indexes that have none, have lost them, or are to do without. */
@ExtendWith(SharedCluster.class)
class TestUpkeep {
  private static final int PAGE = 4096;

  /** Behind the volume's own pages. */
  private static final int FIRST_DAMAGED = 1024;

  private final Rest rest = SharedCluster.rest(0);
  private final ShardImages images = new ShardImages(rest);

  @AfterEach
  void deleteIndexes() throws IOException {
    rest.ok("DELETE", "up-*?ignore_unavailable=true", null);
  }

  private void create(String index, int replicas, String settings) throws IOException {
    RandomDocs.createIndex(rest, index, replicas, settings);
  }

  private void giveStoreType(String index) throws IOException {
    rest.ok("POST", index + "/_close", null);
    rest.ok("PUT", index + "/_settings", "{\"index.store.type\":\"offload\"}");
    rest.ok("POST", index + "/_open", null);
    rest.awaitGreen(index);
  }

  @Test
  void stockIndexIsImportedAndDetached() throws IOException {
    create("up-stock", 1, "");
    String stock = images.search("up-stock", "_primary");
    giveStoreType("up-stock");
    assertEquals(stock, images.answer("up-stock", false, false));

    JsonNode done = images.upkeep("up-stock", "import", 2);
    JsonNode shards = done.at("/indices/up-stock/shards");
    assertEquals(2, shards.size(), done.toString());
    for (JsonNode shard : shards) {
      assertEquals(shard.get("segments").asInt(), shard.get("changed").asInt(), done.toString());
      assertTrue(shard.get("bytes").asLong() > 0 && shard.get("columns").asLong() > 0, "" + done);
    }
    assertEquals(stock, images.answer("up-stock", false, true));
    assertEquals(stock, images.answer("up-stock", true, true));
    for (JsonNode shard : images.upkeep("up-stock", "import", 2).at("/indices/up-stock/shards")) {
      assertEquals(0, shard.get("changed").asInt(), "imported twice: " + shard);
    }

    rest.ok("POST", "up-stock/_close", null);
    rest.ok("POST", "up-stock/_open", null);
    rest.awaitGreen("up-stock");
    assertEquals(stock, images.answer("up-stock", false, true));

    for (JsonNode shard : images.upkeep("up-stock", "detach", 2).at("/indices/up-stock/shards")) {
      assertTrue(shard.get("bytes").asLong() > 0, "nothing freed: " + shard);
    }
    assertEquals(stock, images.answer("up-stock", false, false));
    assertEquals(stock, images.answer("up-stock", true, false));
    images.upkeep("up-stock", "import", 2);
    assertEquals(stock, images.answer("up-stock", false, true));
  }

  @Test
  void importFollowsItsShard() throws IOException {
    create("up-move", 0, ",\"store.type\":\"offload\"");
    String stock = images.answer("up-move", false, false);
    images.upkeep("up-move", "import", 1);
    JsonNode shard = rest.ok("GET", "_cat/shards/up-move?format=json", null).get(0);
    String from = shard.get("node").asText();
    String to = from.equals("node-0") ? "node-1" : "node-0";
    String move =
        "{\"commands\":[{\"move\":{\"index\":\"up-move\",\"shard\":0,\"from_node\":\"%s\","
            + "\"to_node\":\"%s\"}}]}";
    rest.ok("POST", "_cluster/reroute", String.format(Locale.ROOT, move, from, to));
    rest.awaitMoved("up-move");
    assertEquals(stock, images.awaitOffloaded("up-move", false));
    rest.ok("PUT", "up-move/_settings", "{\"index.number_of_replicas\":1}");
    rest.awaitGreen("up-move");
    assertEquals(stock, images.awaitOffloaded("up-move", true));
  }

  @Test
  void importsSegmentReplicas() throws IOException {
    create("up-seg", 1, ",\"store.type\":\"offload\",\"replication.type\":\"SEGMENT\"");
    String stock = images.answer("up-seg", false, false);
    images.await("up-seg", "_replica", stock);
    images.upkeep("up-seg", "import", 2);
    assertEquals(stock, images.answer("up-seg", false, true));
    assertEquals(stock, images.answer("up-seg", true, true));
  }

  /** The codec's own images: not used, not written, and back again. */
  @Test
  void detachesWhatTheCodecWrites() throws IOException {
    create("up-own", 1, ",\"codec\":\"offload\"");
    String answer = images.answer("up-own", false, true);
    images.upkeep("up-own", "detach", 2);
    assertEquals(answer, images.answer("up-own", false, false));
    rest.ok("POST", "up-own/_forcemerge?max_num_segments=1", null);
    rest.ok("POST", "up-own/_refresh", null);
    assertEquals(answer, images.answer("up-own", false, false));
    rest.ok("PUT", "up-own/_settings", "{\"index.offload.images\":\"written\"}");
    assertEquals(answer, images.answer("up-own", false, false)); // the merge wrote none
    images.upkeep("up-own", "import", 2);
    assertEquals(answer, images.answer("up-own", false, true));
    assertEquals(answer, images.answer("up-own", true, true));
  }

  @Test
  void repairsLostAndDamagedImages() throws IOException {
    create("up-lost", 0, ",\"codec\":\"offload\"");
    String answer = images.answer("up-lost", false, true);
    rest.ok("POST", "up-lost/_flush", null);
    rest.ok("POST", "up-lost/_close", null);
    damageStore("up-lost", true);
    rest.ok("POST", "up-lost/_open", null);
    rest.awaitGreen("up-lost");
    assertEquals(answer, images.answer("up-lost", false, false));
    JsonNode done = images.upkeep("up-lost", "repair", 1);
    assertTrue(done.at("/indices/up-lost/shards/0/changed").asInt() > 0, done.toString());
    assertEquals(answer, images.answer("up-lost", false, true));

    rest.ok("POST", "up-lost/_close", null);
    damageStore("up-lost", false);
    rest.ok("POST", "up-lost/_open", null);
    rest.awaitGreen("up-lost");
    assertEquals(answer, images.search("up-lost", "_primary"));
    images.upkeep("up-lost", "repair", 1);
    assertEquals(answer, images.answer("up-lost", false, true));
  }

  /** Deletes the store of the index's one shard, or overwrites its pages. */
  private void damageStore(String index, boolean delete) throws IOException {
    String uuid =
        rest.ok("GET", "_cat/indices/" + index + "?expand_wildcards=all&format=json", null)
            .get(0)
            .get("uuid")
            .asText();
    List<Path> stores = new ArrayList<>();
    try (DirectoryStream<Path> nodes = Files.newDirectoryStream(SharedCluster.folder(), "node-*")) {
      for (Path node : nodes) {
        // The rest of a node's folder changes meanwhile.
        Path ofIndex = node.resolve("data/nodes/0/indices").resolve(uuid);
        if (Files.exists(ofIndex)) {
          try (Stream<Path> all = Files.walk(ofIndex)) {
            all.filter(file -> file.getFileName().toString().startsWith("offload.vol"))
                .forEach(stores::add);
          }
        }
      }
    }
    assertEquals(2, stores.size(), "store and page index: " + stores);
    for (Path store : stores) {
      if (delete) {
        Files.delete(store);
      } else if (store.endsWith("offload.vol")) {
        byte[] bytes = Files.readAllBytes(store);
        for (int page = FIRST_DAMAGED; page < bytes.length / PAGE; page++) {
          bytes[page * PAGE + 100] ^= 1;
        }
        Files.write(store, bytes);
      }
    }
  }

  /** Answers stay right, whatever is written and merged meanwhile. */
  @Test
  void importsWhileOthersWrite() throws Exception {
    create("up-busy", 0, ",\"store.type\":\"offload\",\"offload.wrap_codec\":true");
    create("up-plain", 0, "");
    AtomicBoolean failed = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 10; i++) {
                  RandomDocs.add(rest, "up-busy", i, 200 * (i % 3), 200 * (i % 3) + 200);
                  if (i % 4 == 3) {
                    rest.ok("POST", "up-busy/_forcemerge?max_num_segments=1", null);
                  }
                }
              } catch (IOException | RuntimeException | Error e) {
                failed.set(true);
                throw new AssertionError(e);
              }
            });
    writer.start();
    int rounds = 0;
    while (writer.isAlive() || rounds == 0) {
      images.upkeep("up-busy", rounds % 3 == 2 ? "repair" : "import", 1);
      images.search("up-busy", "_primary");
      rounds++;
    }
    writer.join();
    assertTrue(!failed.get(), "writing failed");
    for (int i = 0; i < 10; i++) {
      RandomDocs.add(rest, "up-plain", i, 200 * (i % 3), 200 * (i % 3) + 200);
    }
    for (String index : List.of("up-busy", "up-plain")) {
      rest.ok("POST", index + "/_forcemerge?max_num_segments=1", null);
      rest.ok("POST", index + "/_refresh", null);
    }
    images.upkeep("up-busy", "import", 1);
    String count = "INDEX/_search?request_cache=false";
    for (String word : List.of("w0", "w1", "w7", "w50")) {
      String search =
          "{\"query\":{\"match\":{\"body\":\""
              + word
              + " w3\"}},\"track_total_hits\":true,"
              + "\"sort\":[\"_score\",{\"qty\":\"asc\"},{\"when\":\"asc\"}]}";
      assertEquals(
          Responses.of(rest, "POST", count, "up-plain", search),
          Responses.of(rest, "POST", count, "up-busy", search));
    }
  }

  @Test
  void refusesClearly() throws IOException {
    assertRefused("up-nowhere", "import", 404, "no such index [up-nowhere]");
    create("up-fs", 0, "");
    assertRefused("up-fs", "import", 400, "set [index.store.type] to offload");
    assertRefused("up-fs,up-f*", "detach", 400, "has no place for images");
    JsonNode none = rest.ok("POST", "up-f*/_offload/import", null);
    assertEquals(0, none.at("/_shards/total").asInt(), none.toString());

    create("up-host", 0, ",\"store.type\":\"offload\",\"offload.device\":\"host\"");
    assertRefused("up-host", "import", 503, "cannot import images of shard [up-host][0]: ");
    create("up-gone", 0, ",\"store.type\":\"offload\",\"offload.device\":\"csd:127.0.0.1:1\"");
    assertRefused("up-gone", "repair", 503, "cannot repair images of shard [up-gone][0]: ");

    create("up-read", 0, ",\"store.type\":\"offload\"");
    rest.ok("PUT", "up-read/_settings", "{\"index.blocks.read_only\":true}");
    assertRefused("up-read", "import", 403, "index read-only");
    rest.ok("PUT", "up-read/_settings", "{\"index.blocks.read_only\":false}");
    rest.ok("PUT", "up-read/_settings", "{\"index.blocks.write\":true}");
    images.upkeep("up-read", "import", 1);
    Rest.Answer bad = rest.ask("PUT", "up-read/_settings", "{\"index.offload.images\":\"some\"}");
    assertEquals(400, bad.status(), bad.text());
    assertTrue(bad.text().contains("must be written, all or none"), bad.text());

    // A pattern takes them all: those that have a device, and the failures of those that have none.
    JsonNode all = rest.ok("POST", "_all/_offload/import", null);
    assertEquals(3, all.at("/_shards/total").asInt(), all.toString());
    assertEquals(2, all.at("/_shards/failed").asInt(), all.toString());
    assertTrue(all.at("/_shards/failures").toString().contains("up-gone"), all.toString());
  }

  private void assertRefused(String index, String operation, int status, String why)
      throws IOException {
    Rest.Answer answer = rest.ask("POST", index + "/_offload/" + operation, null);
    assertEquals(status, answer.status(), answer.text());
    assertTrue(answer.text().contains(why), answer.text());
  }
}
