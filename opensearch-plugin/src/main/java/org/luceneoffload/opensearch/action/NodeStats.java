/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** What a node says of its shards. */
public final class NodeStats extends BaseNodeResponse {
  private final Map<String, Long> requests;
  private final List<ShardStats> shards;

  NodeStats(DiscoveryNode node, Map<String, Long> requests, List<ShardStats> shards) {
    super(node);
    this.requests = requests;
    this.shards = shards;
  }

  NodeStats(StreamInput in) throws IOException {
    super(in);
    requests = in.readMap(StreamInput::readString, StreamInput::readLong);
    shards = in.readList(ShardStats::read);
  }

  /** Returns how many searches of its shards each side answered. */
  public Map<String, Long> requests() {
    return requests;
  }

  /** Returns the stats of its shards. */
  public List<ShardStats> shards() {
    return shards;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeMap(requests, StreamOutput::writeString, StreamOutput::writeLong);
    out.writeList(shards);
  }
}
