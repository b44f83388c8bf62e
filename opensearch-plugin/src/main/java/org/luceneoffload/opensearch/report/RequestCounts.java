/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.report;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.telemetry.metrics.Counter;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;

/** How many searches of shards a node has answered in which way, since it started. */
public final class RequestCounts {
  /** Name of the counter in the node's metrics; its tag {@code answered} says in which way. */
  public static final String METRIC = "offload.shard_searches";

  private final LongAdder[] counts = new LongAdder[Answered.values().length];
  private final Tags[] tags = new Tags[counts.length];
  private volatile Counter metric = counter(NoopMetricsRegistry.INSTANCE);

  /** Counts from 0 on. */
  public RequestCounts() {
    for (Answered way : Answered.values()) {
      counts[way.ordinal()] = new LongAdder();
      tags[way.ordinal()] = Tags.of("answered", way.key());
    }
  }

  /** Publishes the counts in the node's metrics as well, from now on. */
  public void publish(MetricsRegistry registry) {
    metric = counter(registry);
  }

  private static Counter counter(MetricsRegistry registry) {
    return registry.createCounter(METRIC, "Searches of shards, by who answered them.", "1");
  }

  /** Counts a search. */
  public void add(Answered way) {
    counts[way.ordinal()].increment();
    metric.add(1, tags[way.ordinal()]);
  }

  /** Returns all counts, by {@link Answered#key}. */
  public Map<String, Long> snapshot() {
    Map<String, Long> all = new TreeMap<>();
    for (Answered way : Answered.values()) {
      all.put(way.key(), counts[way.ordinal()].sum());
    }
    return all;
  }
}
