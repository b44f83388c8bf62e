/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.rest;

import java.util.List;
import java.util.Map;
import org.luceneoffload.opensearch.action.ClusterStats;
import org.luceneoffload.opensearch.action.NodeStats;
import org.luceneoffload.opensearch.action.ShardStats;
import org.luceneoffload.opensearch.action.StatsAction;
import org.luceneoffload.opensearch.action.StatsRequest;
import org.opensearch.common.Table;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;
import org.opensearch.transport.client.node.NodeClient;

/** A line for each copy of a shard. */
public final class RestCatOffload extends AbstractCatAction {
  private static final List<String> COUNTERS =
      List.of(
          "leaves_offloaded",
          "leaves_on_host",
          "leaves_fallen_back",
          "images_opened",
          "images_missing",
          "breaker_opened");

  @Override
  public String getName() {
    return "cat_offload_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.GET, "/_cat/offload"));
  }

  @Override
  protected void documentation(StringBuilder text) {
    text.append("/_cat/offload\n");
  }

  @Override
  protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    return channel ->
        client.execute(
            StatsAction.INSTANCE,
            new StatsRequest(),
            new RestResponseListener<ClusterStats>(channel) {
              @Override
              public RestResponse buildResponse(ClusterStats answer) throws Exception {
                return RestTable.buildResponse(table(request, answer), channel);
              }
            });
  }

  @Override
  protected Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    table.addCell("index").addCell("shard").addCell("prirep").addCell("node");
    COUNTERS.forEach(counter -> table.addCell(counter, "text-align:right;desc:" + counter));
    return table.endHeaders();
  }

  private Table table(RestRequest request, ClusterStats answer) {
    Table table = getTableWithHeader(request);
    for (NodeStats node : answer.getNodes()) {
      for (ShardStats shard : node.shards()) {
        Map<String, Long> counters = shard.counters();
        table.startRow();
        table.addCell(shard.shard().getIndexName()).addCell(shard.shard().id());
        table.addCell(shard.primary() ? "p" : "r").addCell(node.getNode().getName());
        COUNTERS.forEach(counter -> table.addCell(counters.get(counter)));
        table.endRow();
      }
    }
    return table;
  }
}
