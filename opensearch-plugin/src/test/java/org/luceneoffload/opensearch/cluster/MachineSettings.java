/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.util.Map;

/**
 * Settings whose defaults come from the machine's processors: those of one with two. Into how many
 * slices a shard's segments go shows in responses (the error bound of a terms aggregation depends
 * on which segments share a slice), and decides whether a device may aggregate. Tests of slices set
 * their number for their indexes.
 */
final class MachineSettings {
  static final Map<String, String> ALL =
      Map.of("node.processors", "2", "search.concurrent.max_slice_count", "1");

  private MachineSettings() {}
}
