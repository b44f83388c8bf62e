/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.opensearch.cluster.EmbeddedCluster;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryCollectorContext;
import org.opensearch.search.query.QueryPhaseSearcher;
import org.opensearch.search.query.QueryPhaseSearcherWrapper;

/** A node with another plugin that brings a {@link QueryPhaseSearcher}, of which it has one. */
class TestOtherPlugin {
  @TempDir Path folder;

  /** Takes the slot, as neural-search does. */
  public static final class Taker extends Plugin implements SearchPlugin {
    private static final AtomicLong SEARCHES = new AtomicLong();

    @Override
    public Optional<QueryPhaseSearcher> getQueryPhaseSearcher() {
      return Optional.of(
          new QueryPhaseSearcherWrapper() {
            @Override
            public boolean searchWith(
                SearchContext context,
                ContextIndexSearcher searcher,
                Query query,
                LinkedList<QueryCollectorContext> collectors,
                boolean hasFilterCollector,
                boolean hasTimeout)
                throws IOException {
              SEARCHES.incrementAndGet();
              return super.searchWith(
                  context, searcher, query, collectors, hasFilterCollector, hasTimeout);
            }
          });
    }
  }

  @Test
  void listenerDoesTheWorkAlone() throws IOException {
    Settings off = Settings.builder().put("plugins.offload.query_phase.enabled", false).build();
    try (EmbeddedCluster cluster = new EmbeddedCluster(folder, 1, off, List.of(Taker.class))) {
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
      long before = Taker.SEARCHES.get();
      assertEquals(
          Responses.of(rest, "POST", "INDEX/_search", "o-default", search),
          Responses.of(rest, "POST", "INDEX/_search", "o-offload", search));
      assertEquals(before + 2, Taker.SEARCHES.get(), "the other plugin is passed over");
      JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
      assertTrue(stats.at("/indices/o-offload/leaves_offloaded").asLong() > 0, stats.toString());
    }
  }

  @Test
  void twoThatWantTheSlotDoNotStart() {
    Exception refused =
        assertThrows(
            Exception.class,
            () -> new EmbeddedCluster(folder, 1, Settings.EMPTY, List.of(Taker.class)).close());
    assertTrue(refused.toString().contains("Only one QueryPhaseSearcher"), refused.toString());
  }
}
