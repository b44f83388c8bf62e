/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.report;

import java.util.Locale;

/** Ways in which a shard's part of a search was answered. */
public enum Answered {
  /** Best hits, by the device as a whole. */
  HITS,
  /** Sorted hits, by the device as a whole. */
  SORTED_HITS,
  /** A count, by the device as a whole, or of matches that OpenSearch's query cache has. */
  COUNT,
  /** Aggregations, with hits or without, by the device as a whole. */
  AGGREGATIONS,
  /** By OpenSearch's collectors, over matches that the device finds where it can. */
  COLLECTORS,
  /** By OpenSearch alone: the request is none for the device. */
  STOCK;

  /** Returns the name in statistics and metrics. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
