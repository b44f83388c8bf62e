/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Asks all nodes for the counters of the shards that they hold. */
public final class StatsRequest extends BaseNodesRequest<StatsRequest> {
  private final String[] indexes;

  /**
   * A request.
   *
   * @param indexes names of indexes; none: all
   */
  public StatsRequest(String... indexes) {
    super(new String[0]);
    this.indexes = indexes;
  }

  StatsRequest(StreamInput in) throws IOException {
    super(in);
    indexes = in.readStringArray();
  }

  String[] indexes() {
    return indexes;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeStringArray(indexes);
  }
}
