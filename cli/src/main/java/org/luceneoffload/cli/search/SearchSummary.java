/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

/**
 * The sums over the results of a search.
 *
 * @param queriesRun queries run; fewer than asked if a difference ended the run
 * @param queriesOffloaded queries of which the device answered every segment that was searched, and
 *     at least one; null if it was not asked
 * @param identical whether all queries run had the same answers; null unless both sides were asked
 * @param differences queries whose answers differ; null unless both sides were asked
 * @param work what the device did in all; null if it was not asked
 * @param traceLost records that the trace lacks; null if there is no trace
 */
record SearchSummary(
    int queriesRun,
    Integer queriesOffloaded,
    Boolean identical,
    Integer differences,
    DeviceWork work,
    Long traceLost) {}
