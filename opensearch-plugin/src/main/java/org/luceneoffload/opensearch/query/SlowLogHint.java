/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.logging.Loggers;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexModule;
import org.opensearch.index.SearchSlowLog;
import org.opensearch.search.internal.SearchContext;

/**
 * A line in the slow log for each search of a shard that has one there, which says what the device
 * did, or why it did nothing. Thresholds are those of the slow log itself.
 */
public final class SlowLogHint {
  /** Below the slow log's own loggers, so that it goes where these go. */
  static final String LOGGER = "index.search.slowlog.offload";

  private static final Logger LOG = LogManager.getLogger(LOGGER);

  /** One threshold, which changes while the index is open. */
  private static final class Threshold {
    private final Level level;
    private volatile TimeValue time;

    Threshold(IndexModule module, Level level, Setting<TimeValue> setting) {
      this.level = level;
      time = setting.get(module.getSettings());
      module.addSettingsUpdateConsumer(setting, value -> time = value);
    }

    boolean isPassed(long nanos) {
      return time.nanos() >= 0 && nanos > time.nanos();
    }
  }

  private final Threshold[] thresholds;

  /** For an index that is opened. */
  public SlowLogHint(IndexModule module) {
    Loggers.setLevel(LOG, Level.TRACE); // as the slow log does: thresholds alone decide
    thresholds =
        new Threshold[] {
          new Threshold(
              module, Level.WARN, SearchSlowLog.INDEX_SEARCH_SLOWLOG_THRESHOLD_QUERY_WARN_SETTING),
          new Threshold(
              module, Level.INFO, SearchSlowLog.INDEX_SEARCH_SLOWLOG_THRESHOLD_QUERY_INFO_SETTING),
          new Threshold(
              module,
              Level.DEBUG,
              SearchSlowLog.INDEX_SEARCH_SLOWLOG_THRESHOLD_QUERY_DEBUG_SETTING),
          new Threshold(
              module, Level.TRACE, SearchSlowLog.INDEX_SEARCH_SLOWLOG_THRESHOLD_QUERY_TRACE_SETTING)
        };
  }

  /** Returns the level at which a search that took so long is logged; null: it was quick enough. */
  Level level(long tookInNanos) {
    for (Threshold threshold : thresholds) {
      if (threshold.isPassed(tookInNanos)) {
        return threshold.level;
      }
    }
    return null;
  }

  static void log(Level level, SearchContext context, long tookInNanos, String hint) {
    LOG.log(
        level,
        "{} took_millis[{}], offload[{}]",
        context.indexShard().shardId(),
        TimeUnit.NANOSECONDS.toMillis(tookInNanos),
        hint);
  }
}
