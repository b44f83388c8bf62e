/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.PluginFolder;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;
import org.luceneoffload.opensearch.settings.InstalledPlugins;
import org.opensearch.common.settings.Settings;
import org.opensearch.search.query.QueryPhaseSearcher;

/** A node with another plugin that brings a {@link QueryPhaseSearcher}, of which it has one. */
class TestOtherPlugin {
  @TempDir Path folder;

  /** Takes the slot, as neural-search does, and counts what it is asked in a property. */
  private static final String TAKER =
      """
      package other;
      import java.util.*;
      import org.opensearch.plugins.*;
      import org.opensearch.search.query.*;
      public class Taker extends Plugin implements SearchPlugin {
        public Optional<QueryPhaseSearcher> getQueryPhaseSearcher() {
          return Optional.of(
              new QueryPhaseSearcherWrapper() {
                public boolean searchWith(
                    org.opensearch.search.internal.SearchContext context,
                    org.opensearch.search.internal.ContextIndexSearcher searcher,
                    org.apache.lucene.search.Query query,
                    LinkedList<QueryCollectorContext> collectors,
                    boolean hasFilterCollector,
                    boolean hasTimeout)
                    throws java.io.IOException {
                  System.setProperty("taker", Integer.getInteger("taker", 0) + 1 + "");
                  return super.searchWith(
                      context, searcher, query, collectors, hasFilterCollector, hasTimeout);
                }
              });
        }
      }
      """;

  /** Where the one node of a cluster has its plugins. */
  private PluginFolder plugins() {
    return new PluginFolder(folder.resolve("node-0").resolve("plugins"));
  }

  /** Nothing is set: what is installed says who has the slot. */
  @Test
  void listenerDoesTheWorkAlone() throws IOException {
    plugins().install("Taker", TAKER, null, null);
    try (EmbeddedCluster cluster = new EmbeddedCluster(folder, 1, Settings.EMPTY, List.of())) {
      Rest rest = cluster.rest(0);
      for (String codec : List.of("default", "offload")) {
        rest.ok(
            "PUT",
            "o-" + codec,
            "{\"settings\":{\"number_of_replicas\":0,\"codec\":\""
                + codec
                + "\"},\"mappings\":"
                + RandomDocs.mapping(false)
                + "}");
        rest.ok(
            "POST",
            "o-" + codec + "/_bulk?refresh=true",
            RandomDocs.bulk(new Random(3), 0, 200, false));
      }
      String search =
          "{\"query\":{\"match\":{\"body\":\"w1 w3 w20\"}},"
              + "\"aggs\":{\"a\":{\"terms\":{\"field\":\"tag\"}}}}";
      int before = Integer.getInteger("taker", 0);
      assertEquals(
          Responses.of(rest, "POST", "INDEX/_search", "o-default", search),
          Responses.of(rest, "POST", "INDEX/_search", "o-offload", search));
      assertEquals(before + 2, Integer.getInteger("taker", 0), "the other plugin is passed over");
      JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
      assertTrue(stats.at("/indices/o-offload/leaves_offloaded").asLong() > 0, stats.toString());
    }
  }

  @Test
  void twoThatAreToHaveTheSlotDoNotStart() throws IOException {
    plugins().install("Taker", TAKER, null, null);
    Settings on = Settings.builder().put("plugins.offload.query_phase.enabled", true).build();
    Exception refused =
        assertThrows(Exception.class, () -> new EmbeddedCluster(folder, 1, on, List.of()).close());
    assertTrue(refused.toString().contains("Only one QueryPhaseSearcher"), refused.toString());
  }

  @Test
  void whoBringsOneIsFoundByItsClass() throws IOException {
    PluginFolder plugins = new PluginFolder(folder.resolve("plugins"));
    InstalledPlugins installed = new InstalledPlugins(plugins.path());
    assertNull(installed.withQueryPhase(OffloadPlugin.class), "no folder");
    plugins.install(
        "Other",
        "package other; public class Other extends org.opensearch.plugins.Plugin"
            + " implements org.opensearch.plugins.SearchPlugin {}",
        null,
        null);
    assertNull(installed.withQueryPhase(OffloadPlugin.class), "does not bring one");
    Path base = plugins.install("Base", "package other; public class Base {}", null, null);
    Files.delete(base.resolveSibling("plugin-descriptor.properties"));
    assertNull(installed.withQueryPhase(OffloadPlugin.class), "the node names what is wrong");
  }

  @Test
  void oneThatIsInheritedIsFound() throws IOException {
    PluginFolder plugins = new PluginFolder(folder.resolve("plugins"));
    Path taker = plugins.install("Taker", TAKER, null, null);
    String heir = "package other; public class Heir extends Taker {}";
    plugins.install("Heir", heir, "Taker", taker);
    InstalledPlugins installed = new InstalledPlugins(plugins.path());
    assertTrue(Set.of("Taker", "Heir").contains(installed.withQueryPhase(OffloadPlugin.class)));
    PluginFolder alone = new PluginFolder(folder.resolve("alone"));
    alone.install("Heir", heir, "Taker", taker);
    assertEquals(
        "Heir",
        new InstalledPlugins(alone.path()).withQueryPhase(OffloadPlugin.class),
        "what cannot be looked at is taken for one");
  }
}
