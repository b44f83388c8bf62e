/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.nio.file.Path;
import java.util.List;

/**
 * The report of {@code import} or {@code repair}.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param ok whether every segment has its device lists and columns now
 * @param segments segments of the index
 * @param segmentsPresent of them, those that needed nothing
 * @param segmentsWritten of them, those whose lists, term hashes or columns were written
 * @param lists lists written
 * @param postings postings in them
 * @param pages posting and column pages written
 * @param bytes bytes written to the device
 * @param hashes term hashes written anew
 * @param columns columns written
 * @param seconds wall-clock time
 * @param postingsPerS postings in a second
 * @param leftOut what still has no device lists or columns, and why
 */
record UpkeepReport(
    Path index,
    String device,
    boolean ok,
    int segments,
    int segmentsPresent,
    int segmentsWritten,
    long lists,
    long postings,
    long pages,
    long bytes,
    int hashes,
    int columns,
    double seconds,
    double postingsPerS,
    List<String> leftOut) {}
