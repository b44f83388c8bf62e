/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/**
 * Reference to a column, the fields of the wire's {@code column_ref}.
 *
 * @param firstPage page number, in its file, of the column's first page
 * @param pageCount pages, at least 1
 * @param docCount docs that have a value
 * @param stamp stamp of the file
 * @param valueCount values, at least {@code docCount}
 * @param min least value
 * @param max greatest value
 * @param firstExtent index, in the plan, of the first extent
 * @param extentCount extents that cover the pages of the column
 */
public record ColumnRef(
    int firstPage,
    int pageCount,
    int docCount,
    long stamp,
    long valueCount,
    long min,
    long max,
    int firstExtent,
    int extentCount) {}
