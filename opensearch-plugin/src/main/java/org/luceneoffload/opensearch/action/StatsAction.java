/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import org.opensearch.action.ActionType;

/** The counters of all nodes. */
public final class StatsAction extends ActionType<ClusterStats> {
  /** The one. */
  public static final StatsAction INSTANCE = new StatsAction();

  private StatsAction() {
    super("cluster:monitor/offload/stats", ClusterStats::new);
  }
}
