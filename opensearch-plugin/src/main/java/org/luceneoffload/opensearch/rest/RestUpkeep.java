/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.rest;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.opensearch.action.UpkeepAction;
import org.luceneoffload.opensearch.action.UpkeepRequest;
import org.luceneoffload.opensearch.action.UpkeepResponse;
import org.luceneoffload.opensearch.upkeep.UpkeepOperation;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** Import, repair and detach by REST. */
public final class RestUpkeep extends BaseRestHandler {
  private final UpkeepOperation operation;

  /** The requests of one operation. */
  private RestUpkeep(UpkeepOperation operation) {
    this.operation = operation;
  }

  /** Returns the requests of all operations. */
  public static List<RestUpkeep> all() {
    List<RestUpkeep> all = new ArrayList<>();
    for (UpkeepOperation operation : UpkeepOperation.values()) {
      all.add(new RestUpkeep(operation));
    }
    return all;
  }

  @Override
  public String getName() {
    return "offload_" + operation.requestName() + "_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.POST, "/{index}/_offload/" + operation.requestName()));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String[] indexes = Strings.splitStringByCommaToArray(request.param("index"));
    UpkeepRequest upkeep = new UpkeepRequest(operation, indexes);
    upkeep.indicesOptions(IndicesOptions.fromRequest(request, upkeep.indicesOptions()));
    return channel ->
        client.execute(
            UpkeepAction.INSTANCE,
            upkeep,
            new RestToXContentListener<UpkeepResponse>(channel) {
              @Override
              protected RestStatus getStatus(UpkeepResponse response) {
                return response.getSuccessfulShards() > 0 ? RestStatus.OK : response.getStatus();
              }
            });
  }
}
