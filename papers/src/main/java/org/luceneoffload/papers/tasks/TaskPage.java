/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.Map;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/**
 * What a program does with one page, or with the pages of a window of posting lists: all of it on
 * one side, or a filter on the device, whose survivors the host takes on.
 *
 * @param all work of the whole program
 * @param filter work of its filter alone
 * @param rest work on what the filter lets through
 * @param restBytes that the filter lets through
 * @param bytes of the page, or of all pages
 */
record TaskPage(Work all, Work filter, Work rest, int restBytes, int bytes) {
  /** A page of rows. */
  TaskPage(Work all, Work filter, Work rest, int restBytes) {
    this(all, filter, rest, restBytes, RowTask.PAGE_BYTES);
  }

  /**
   * Counted work.
   *
   * @param rows of a table, found and looked at
   * @param values further values looked at, or added to an aggregate
   * @param tokens compared
   * @param others any other {@link ModelWork}, by its number
   */
  record Work(long rows, long values, long tokens, Map<Integer, Long> others) {
    static final Work NONE = new Work(0, 0, 0);

    /** Work on rows or on tokens. */
    Work(long rows, long values, long tokens) {
      this(rows, values, tokens, Map.of());
    }

    void addTo(EventLog.Builder events) {
      events
          .work(ModelWork.TUPLE_READ, rows)
          .work(ModelWork.COLUMN_READ, values)
          .work(ModelWork.TOKEN_COMPARE, tokens);
      others.forEach(events::work);
    }
  }
}
