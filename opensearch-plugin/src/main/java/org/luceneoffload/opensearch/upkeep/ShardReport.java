/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.upkeep;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.ToXContent.Params;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * What became of one copy of a shard.
 *
 * @param shard the shard
 * @param primary whether it is the primary
 * @param node ID of its node
 * @param segments segments that were looked at; 0 for a detachment, which looks at none
 * @param changed segments that something was written for, or images that were deleted
 * @param columns of what was written or deleted, columns or images of columns
 * @param bytes bytes written to the device, or freed there
 * @param millis wall-clock time
 * @param leftOut what could not be done, and why
 */
public record ShardReport(
    ShardId shard,
    boolean primary,
    String node,
    int segments,
    int changed,
    long columns,
    long bytes,
    long millis,
    List<String> leftOut)
    implements Writeable, ToXContentObject {
  /** Reads one. */
  public static ShardReport read(StreamInput in) throws IOException {
    return new ShardReport(
        new ShardId(in),
        in.readBoolean(),
        in.readString(),
        in.readVInt(),
        in.readVInt(),
        in.readVLong(),
        in.readVLong(),
        in.readVLong(),
        in.readStringList());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    shard.writeTo(out);
    out.writeBoolean(primary);
    out.writeString(node);
    out.writeVInt(segments);
    out.writeVInt(changed);
    out.writeVLong(columns);
    out.writeVLong(bytes);
    out.writeVLong(millis);
    out.writeStringCollection(leftOut);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject();
    builder.field("shard", shard.id());
    builder.field("primary", primary);
    builder.field("node", node);
    builder.field("segments", segments);
    builder.field("changed", changed);
    builder.field("columns", columns);
    builder.field("bytes", bytes);
    builder.field("took", millis);
    if (!leftOut.isEmpty()) {
      builder.field("left_out", leftOut);
    }
    return builder.endObject();
  }
}
