/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.reproduce.tasks;

import org.luceneoffload.classic.EventLog;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/**
 * What a program does with one page: all of it on one side, or a filter on the device, whose
 * survivors the host takes on.
 *
 * @param all work of the whole program
 * @param filter work of its filter alone
 * @param rest work on what the filter lets through
 * @param restBytes that the filter lets through
 */
record TaskPage(Work all, Work filter, Work rest, int restBytes) {
  /**
   * Counted work.
   *
   * @param rows of a table, found and looked at
   * @param values further values looked at, or added to an aggregate
   * @param tokens compared
   */
  record Work(long rows, long values, long tokens) {
    static final Work NONE = new Work(0, 0, 0);

    void addTo(EventLog.Builder events) {
      events
          .work(ModelWork.TUPLE_READ, rows)
          .work(ModelWork.COLUMN_READ, values)
          .work(ModelWork.TOKEN_COMPARE, tokens);
    }
  }
}
