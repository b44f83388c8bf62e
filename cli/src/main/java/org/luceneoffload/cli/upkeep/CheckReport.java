/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.nio.file.Path;
import java.util.List;

/**
 * The findings of {@code check}.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param ok whether nothing is wrong
 * @param withoutLock why the index was checked without its write lock, so that a writer may have
 *     changed it meanwhile; null if it was locked
 * @param luceneClean whether Lucene's CheckIndex found nothing wrong
 * @param luceneProblems what it found, segment by segment
 * @param identical whether every device list and column that was compared equals what stock has
 * @param segments segments of the index
 * @param segmentsCompared segments whose device lists were compared
 * @param lists device lists compared
 * @param postings their postings
 * @param pages posting pages read
 * @param columns columns compared
 * @param columnValues their values
 * @param columnPages column pages read
 * @param withoutImage segments that have no device lists, and why
 * @param columnsUnusable segments with columns that cannot be used, and why
 * @param problems differences and damage of device lists and columns
 * @param columnProblems how many of them are of columns
 */
record CheckReport(
    Path index,
    String device,
    boolean ok,
    String withoutLock,
    boolean luceneClean,
    List<String> luceneProblems,
    boolean identical,
    int segments,
    int segmentsCompared,
    long lists,
    long postings,
    long pages,
    long columns,
    long columnValues,
    long columnPages,
    List<String> withoutImage,
    List<String> columnsUnusable,
    List<String> problems,
    int columnProblems) {}
