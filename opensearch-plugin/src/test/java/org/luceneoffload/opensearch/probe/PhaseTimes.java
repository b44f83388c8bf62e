/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Adds up the CPU time of search threads inside the query phase and the fetch phase, for each index
 * of a node, and tells it at {@code /_load/phases}. Slices that other threads search are not in it.
 */
public final class PhaseTimes extends Plugin implements ActionPlugin {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<String, Times> indexes = new ConcurrentHashMap<>();

  /** Of one index. */
  private static final class Times implements SearchOperationListener {
    private final ThreadLocal<Long> begin = new ThreadLocal<>();
    private final LongAdder query = new LongAdder();
    private final LongAdder fetch = new LongAdder();

    private void begin() {
      begin.set(THREADS.getCurrentThreadCpuTime());
    }

    private void end(LongAdder nanos) {
      nanos.add(THREADS.getCurrentThreadCpuTime() - begin.get());
    }

    @Override
    public void onPreQueryPhase(SearchContext context) {
      begin();
    }

    @Override
    public void onQueryPhase(SearchContext context, long tookInNanos) {
      end(query);
    }

    @Override
    public void onPreFetchPhase(SearchContext context) {
      begin();
    }

    @Override
    public void onFetchPhase(SearchContext context, long tookInNanos) {
      end(fetch);
    }
  }

  @Override
  public void onIndexModule(IndexModule module) {
    module.addSearchOperationListener(
        indexes.computeIfAbsent(module.getIndex().getName(), name -> new Times()));
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController controller,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexSettings,
      SettingsFilter filter,
      IndexNameExpressionResolver resolver,
      Supplier<DiscoveryNodes> nodes) {
    return List.of(
        new BaseRestHandler() {
          @Override
          public String getName() {
            return "load_phases";
          }

          @Override
          public List<Route> routes() {
            return List.of(new Route(RestRequest.Method.GET, "/_load/phases"));
          }

          @Override
          protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
            return channel -> {
              XContentBuilder json = channel.newBuilder().startObject();
              for (Map.Entry<String, Times> index : indexes.entrySet()) {
                json.startObject(index.getKey());
                json.field("query_nanos", index.getValue().query.sum());
                json.field("fetch_nanos", index.getValue().fetch.sum());
                json.endObject();
              }
              channel.sendResponse(new BytesRestResponse(RestStatus.OK, json.endObject()));
            };
          }
        });
  }
}
