/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import org.luceneoffload.opensearch.upkeep.UpkeepOperation;
import org.opensearch.action.support.broadcast.BroadcastRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Has all copies of all shards of indexes do something about their images. */
public final class UpkeepRequest extends BroadcastRequest<UpkeepRequest> {
  private final UpkeepOperation operation;

  /**
   * A request.
   *
   * @param indexes names, aliases or patterns
   */
  public UpkeepRequest(UpkeepOperation operation, String... indexes) {
    super(indexes);
    this.operation = operation;
  }

  UpkeepRequest(StreamInput in) throws IOException {
    super(in);
    operation = in.readEnum(UpkeepOperation.class);
  }

  UpkeepOperation operation() {
    return operation;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeEnum(operation);
  }
}
