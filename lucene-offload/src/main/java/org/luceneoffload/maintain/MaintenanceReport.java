/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.util.List;

/**
 * The outcome of an import or a repair.
 *
 * @param segments segments of the latest commit
 * @param segmentsPresent of them, those that needed nothing
 * @param segmentsWritten of them, those whose lists, term hashes or columns were written
 * @param lists lists written, those of one posting included
 * @param postings postings in them
 * @param pages posting and column pages written
 * @param bytes bytes written to the device
 * @param hashes term hashes written anew, of segments whose lists may have needed nothing
 * @param columns columns written
 * @param seconds wall-clock time
 * @param leftOut segment and reasons, for each segment that still has no usable lists or columns of
 *     some field
 */
public record MaintenanceReport(
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
    List<String> leftOut) {}
