/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** What all nodes say: sums for the cluster and for each index, and each shard copy. */
public final class ClusterStats extends BaseNodesResponse<NodeStats> implements ToXContentFragment {
  ClusterStats(ClusterName name, List<NodeStats> nodes, List<FailedNodeException> failures) {
    super(name, nodes, failures);
  }

  ClusterStats(StreamInput in) throws IOException {
    super(in);
  }

  @Override
  protected List<NodeStats> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(NodeStats::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<NodeStats> nodes) throws IOException {
    out.writeList(nodes);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    Map<String, Long> requests = new TreeMap<>();
    Map<String, Long> all = new TreeMap<>();
    Map<String, Map<String, Long>> byIndex = new TreeMap<>();
    for (NodeStats node : getNodes()) {
      node.requests().forEach((way, count) -> requests.merge(way, count, Long::sum));
      for (ShardStats shard : node.shards()) {
        Map<String, Long> index =
            byIndex.computeIfAbsent(shard.shard().getIndexName(), name -> new TreeMap<>());
        shard
            .counters()
            .forEach(
                (name, value) -> {
                  all.merge(name, value, Long::sum);
                  index.merge(name, value, Long::sum);
                });
      }
    }
    builder.field("shard_searches", requests);
    builder.field("all", all);
    builder.field("indices", byIndex);
    builder.startObject("nodes");
    for (NodeStats node : getNodes()) {
      builder.startObject(node.getNode().getId());
      builder.field("name", node.getNode().getName());
      builder.field("shard_searches", node.requests());
      builder.startArray("shards");
      for (ShardStats shard : node.shards()) {
        builder.startObject();
        builder.field("index", shard.shard().getIndexName());
        builder.field("shard", shard.shard().id());
        builder.field("primary", shard.primary());
        builder.field("device", shard.device());
        builder.field("counters", shard.counters());
        if (!shard.reasons().isEmpty()) {
          builder.field("reasons", shard.reasons());
        }
        builder.endObject();
      }
      builder.endArray().endObject();
    }
    return builder.endObject();
  }
}
