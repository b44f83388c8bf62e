/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** What a node says of its shards. */
public final class NodeStats extends BaseNodeResponse {
  private final List<ShardStats> shards;

  NodeStats(DiscoveryNode node, List<ShardStats> shards) {
    super(node);
    this.shards = shards;
  }

  NodeStats(StreamInput in) throws IOException {
    super(in);
    shards = in.readList(ShardStats::read);
  }

  /** Its shards. */
  public List<ShardStats> shards() {
    return shards;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(shards);
  }
}
