/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What {@code search} found.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param on who was asked: device, host or both
 * @param mode what was asked: top, count or docs
 * @param k hits wanted
 * @param documents live documents of the index
 * @param segments segments of the index
 * @param queriesAsked queries given
 * @param queriesRun queries run; fewer if a difference ended the run
 * @param queriesOffloaded queries of which the device answered every segment that was searched;
 *     null if it was not asked
 * @param identical whether all queries run had the same answers; null unless both were asked
 * @param differences queries whose answers differ; null unless both were asked
 * @param work what the device did in all; null if it was not asked
 * @param profile of the device that was modelled; null if none was
 * @param traceLost records that the trace lacks; null if there is no trace
 * @param queries the queries run
 */
record SearchReport(
    Path index,
    String device,
    String on,
    String mode,
    int k,
    int documents,
    int segments,
    int queriesAsked,
    int queriesRun,
    Integer queriesOffloaded,
    Boolean identical,
    Integer differences,
    DeviceWork work,
    String profile,
    Long traceLost,
    List<QueryResult> queries) {

  /** An enum's name as options and JSON spell it. */
  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
