/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.report.OffloadStats;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexShard;

/**
 * What a node says of one of its shards.
 *
 * @param shard the shard
 * @param primary whether it is the primary
 * @param device the directory, with the name of its device
 * @param counters counters, by name
 * @param reasons why the host answered, and how often
 */
public record ShardStats(
    ShardId shard,
    boolean primary,
    String device,
    Map<String, Long> counters,
    Map<String, Long> reasons)
    implements Writeable {
  /** Returns the counters of a shard; null if its store is none of ours, or closed. */
  static ShardStats of(IndexShard shard) {
    if (!shard.store().tryIncRef()) {
      return null;
    }
    try {
      OffloadDirectory directory = OffloadDirectory.find(shard.store().directory());
      if (directory == null) {
        return null;
      }
      Map<String, Long> counters = new TreeMap<>();
      OffloadStats stats = directory.stats();
      stats
          .snapshot()
          .forEach((name, value) -> counters.put(name.name().toLowerCase(Locale.ROOT), value));
      return new ShardStats(
          shard.shardId(),
          shard.routingEntry().primary(),
          directory.toString(),
          counters,
          stats.reasons());
    } finally {
      shard.store().decRef();
    }
  }

  static ShardStats read(StreamInput in) throws IOException {
    return new ShardStats(
        new ShardId(in),
        in.readBoolean(),
        in.readString(),
        in.readMap(StreamInput::readString, StreamInput::readLong),
        in.readMap(StreamInput::readString, StreamInput::readLong));
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    shard.writeTo(out);
    out.writeBoolean(primary);
    out.writeString(device);
    out.writeMap(counters, StreamOutput::writeString, StreamOutput::writeLong);
    out.writeMap(reasons, StreamOutput::writeString, StreamOutput::writeLong);
  }
}
