/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.rest;

import java.util.List;
import org.luceneoffload.opensearch.action.StatsAction;
import org.luceneoffload.opensearch.action.StatsRequest;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** The counters by REST. */
public final class RestStats extends BaseRestHandler {
  @Override
  public String getName() {
    return "offload_stats_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, "/_plugins/_offload/stats"),
        new Route(RestRequest.Method.GET, "/{index}/_offload/stats"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String[] indexes = Strings.splitStringByCommaToArray(request.param("index", ""));
    StatsRequest stats = new StatsRequest(indexes);
    return channel ->
        client.execute(StatsAction.INSTANCE, stats, new NodesResponseRestListener<>(channel));
  }
}
