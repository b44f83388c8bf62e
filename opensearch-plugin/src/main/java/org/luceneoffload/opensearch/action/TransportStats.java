/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.luceneoffload.opensearch.report.RequestCounts;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.IndexService;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Asks each node for the counters of the shards that it holds. */
public final class TransportStats
    extends TransportNodesAction<StatsRequest, ClusterStats, TransportStats.One, NodeStats> {
  private final IndicesService indices;
  private final RequestCounts requests;

  /** For a node. */
  @Inject
  public TransportStats(
      ThreadPool threads,
      ClusterService cluster,
      TransportService transport,
      ActionFilters filters,
      IndicesService indices,
      RequestCounts requests) {
    super(
        StatsAction.INSTANCE.name(),
        threads,
        cluster,
        transport,
        filters,
        StatsRequest::new,
        One::new,
        ThreadPool.Names.MANAGEMENT,
        NodeStats.class);
    this.indices = indices;
    this.requests = requests;
  }

  /** The request to one node. */
  static final class One extends TransportRequest {
    private final StatsRequest task;

    One(StatsRequest task) {
      this.task = task;
    }

    One(StreamInput in) throws IOException {
      super(in);
      task = new StatsRequest(in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      task.writeTo(out);
    }
  }

  @Override
  protected ClusterStats newResponse(
      StatsRequest task, List<NodeStats> nodes, List<FailedNodeException> failures) {
    return new ClusterStats(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected One newNodeRequest(StatsRequest task) {
    return new One(task);
  }

  @Override
  protected NodeStats newNodeResponse(StreamInput in) throws IOException {
    return new NodeStats(in);
  }

  @Override
  protected NodeStats nodeOperation(One request) {
    Set<String> wanted = Set.of(request.task.indexes());
    List<ShardStats> answers = new ArrayList<>();
    for (IndexService index : indices) {
      if (wanted.isEmpty() || wanted.contains(index.index().getName())) {
        for (IndexShard shard : index) {
          ShardStats answer = ShardStats.of(shard);
          if (answer != null) {
            answers.add(answer);
          }
        }
      }
    }
    return new NodeStats(clusterService.localNode(), requests.snapshot(), answers);
  }
}
