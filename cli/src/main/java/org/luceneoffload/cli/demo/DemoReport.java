/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import java.nio.file.Path;
import java.util.List;
import org.luceneoffload.cli.index.IndexReport;
import org.luceneoffload.cli.search.AggregateAnswer;
import org.luceneoffload.cli.search.Hit;

/**
 * The report of {@code demo}.
 *
 * @param corpus the documents' file
 * @param index directory of the index
 * @param device name of the device
 * @param indexing how the index was made; null if it stood there already
 * @param documents documents of the index
 * @param segments segments of the index
 * @param identical whether all queries had the same answers
 * @param linkBytes bytes that crossed the link for all queries
 * @param hostBytes bytes of pages that the host would have read for them
 * @param queries the queries
 */
record DemoReport(
    Path corpus,
    Path index,
    String device,
    IndexReport indexing,
    int documents,
    int segments,
    boolean identical,
    long linkBytes,
    long hostBytes,
    List<Entry> queries) {

  /**
   * A query on both sides.
   *
   * @param query the query
   * @param sort order of the hits as {@code offload search} takes it; null: by score
   * @param identical whether both sides answered the same
   * @param difference the first difference; null if there is none
   * @param count matches
   * @param relation whether the count is exact, as Lucene says it
   * @param deviceUs best wall-clock microseconds of the device
   * @param hostUs best wall-clock microseconds of stock Lucene
   * @param linkBytes bytes that crossed the link
   * @param hostBytes bytes of pages that the host would have read
   * @param leavesOffloaded segments that the device answered
   * @param leavesOnHost segments that the host answered instead
   * @param place who answered, in words
   * @param hits the first hits; null if aggregations were wanted
   * @param aggregates what these found; null if hits were wanted
   */
  record Entry(
      String query,
      String sort,
      boolean identical,
      String difference,
      long count,
      String relation,
      double deviceUs,
      double hostUs,
      long linkBytes,
      long hostBytes,
      long leavesOffloaded,
      long leavesOnHost,
      String place,
      List<Hit> hits,
      List<AggregateAnswer> aggregates) {}
}
