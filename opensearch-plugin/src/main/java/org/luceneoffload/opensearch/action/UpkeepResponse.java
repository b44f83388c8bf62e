/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.opensearch.upkeep.ShardReport;
import org.opensearch.action.support.broadcast.BroadcastResponse;
import org.opensearch.core.action.support.DefaultShardOperationFailedException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;

/** What became of each copy of each shard. */
public final class UpkeepResponse extends BroadcastResponse {
  private final List<ShardReport> shards;

  UpkeepResponse(
      int total,
      int successful,
      int failed,
      List<DefaultShardOperationFailedException> failures,
      List<ShardReport> shards) {
    super(total, successful, failed, failures);
    this.shards = List.copyOf(shards);
  }

  UpkeepResponse(StreamInput in) throws IOException {
    super(in);
    shards = in.readList(ShardReport::read);
  }

  /** Returns a report of each copy of a shard. */
  public List<ShardReport> shards() {
    return shards;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(shards);
  }

  @Override
  protected void addCustomXContentFields(XContentBuilder builder, Params params)
      throws IOException {
    Map<String, List<ShardReport>> byIndex = new TreeMap<>();
    for (ShardReport shard : shards) {
      byIndex.computeIfAbsent(shard.shard().getIndexName(), name -> new ArrayList<>()).add(shard);
    }
    builder.startObject("indices");
    for (Map.Entry<String, List<ShardReport>> index : byIndex.entrySet()) {
      builder.startObject(index.getKey()).startArray("shards");
      for (ShardReport shard : index.getValue()) {
        shard.toXContent(builder, params);
      }
      builder.endArray().endObject();
    }
    builder.endObject();
  }
}
